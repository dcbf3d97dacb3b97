import type { Database } from '../database/open-database.ts'
import { quoteName } from '../database/quote.ts'
import { hasRelation } from '../database/schema.ts'
import { ArchiveError } from '../errors.ts'
import { describeDatabase } from '../query/describe-database.ts'
import type { Question } from '../query/parse-question.ts'
import { nearest } from './nearest.ts'
import { SQL_KEYWORDS } from './sql-keywords.ts'
import { UsageError } from './usage-error.ts'

/** What SQLite says of a statement, with what was probably meant. */
export function explainQuery(error: unknown, database: Database): unknown {
  if (!(error instanceof ArchiveError && error.code === 'query-invalid')) return error
  const meant = meantBy(error.message, database)
  if (meant !== undefined) return new UsageError(error.message, `Did you mean ${meant}?`)
  if (!/^Missing named parameter/.test(error.message)) return error
  return new UsageError(error.message.replace('Missing', 'missing'), 'Give it with: -p name value')
}

function meantBy(message: string, database: Database): string | undefined {
  const [, what, name = ''] = /^no such (table|column|function): (.+)$/.exec(message) ?? []
  switch (what) {
    case 'table':
      return nearest(
        name.replace(/^main\./, ''),
        describeDatabase(database).map((table) => table.name),
      )
    case 'column':
      return nearestColumn(name, database)
    case 'function':
      return nearest(name.toLowerCase(), functionsOf(database))
  }
  const word = /^near "(\w+)": syntax error$/.exec(message)?.[1]?.toUpperCase()
  // SQLite names the word at which it gave up, which may be a right one behind the wrong one.
  return word === undefined || SQL_KEYWORDS.includes(word) ? undefined : nearest(word, SQL_KEYWORDS)
}

/** Of the table that stands before the name, or of any: what an alias stands for is not known here. */
function nearestColumn(name: string, database: Database): string | undefined {
  const [, qualifier, column = ''] = /^(?:(.+)\.)?(.+)$/.exec(name) ?? []
  const tables = describeDatabase(database)
  const named = tables.find((table) => table.name === qualifier)
  const columns = (named ? [named] : tables).flatMap((table) => table.columns)
  const meant = nearest(column, [...new Set(columns.map((one) => one.name))])
  return meant && (qualifier === undefined ? meant : `${qualifier}.${meant}`)
}

const functionsOf = (database: Database): string[] =>
  database.prepare<[], string>('SELECT DISTINCT name FROM pragma_function_list').pluck().all()

/** Throws `UsageError` if the table is missing or empty without which a question has no answer. */
export function checkNeeds({ needs }: Question, database: Database): void {
  if (!needs) return
  const { table, command } = needs
  if (hasRelation(database, table)) {
    if (database.prepare(`SELECT 1 FROM ${quoteName(table)} LIMIT 1`).get() !== undefined) return
  }
  throw new UsageError(
    `the question needs the table ${table}, which is empty`,
    `Fill it with: ${command}`,
  )
}
