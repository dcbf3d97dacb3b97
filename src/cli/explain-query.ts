import type { Database } from '../database/open-database.ts'
import { quoteName } from '../database/quote.ts'
import { hasRelation } from '../database/schema.ts'
import { ArchiveError } from '../errors.ts'
import { describeDatabase } from '../query/describe-database.ts'
import type { Question } from '../query/parse-question.ts'
import { nearest } from './nearest.ts'
import { UsageError } from './usage-error.ts'

/** What SQLite says of a statement, with what was probably meant. */
export function explainQuery(error: unknown, database: Database): unknown {
  if (!(error instanceof ArchiveError && error.code === 'query-invalid')) return error
  const table = /^no such table: (.+)$/.exec(error.message)?.[1]
  const names = table === undefined ? [] : describeDatabase(database).map(({ name }) => name)
  const meant = nearest(table ?? '', names)
  if (meant !== undefined) return new UsageError(error.message, `Did you mean ${meant}?`)
  if (!/^Missing named parameter/.test(error.message)) return error
  return new UsageError(error.message.replace('Missing', 'missing'), 'Give it with: -p name value')
}

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
