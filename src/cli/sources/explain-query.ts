import { ArchiveError } from '../../base/errors.ts'
import type { Database } from '../../database/open-database.ts'
import { hasRelation, RELATIONS } from '../../database/schema/schema.ts'
import { parseSqliteError } from '../../database/sqlite-messages.ts'
import { describeDatabase } from '../../query/describe-database.ts'
import { WRITES } from '../../query/run-query.ts'
import { statementTables } from '../../query/statement-tables.ts'
import { didYouMean } from '../command/did-you-mean.ts'
import { AdvisedError, shellWord } from '../command/usage-error.ts'

/** Adds advice to the error of a statement, if there is any. */
export function explainQuery(error: unknown, sql: string, database: Database): unknown {
  if (!(error instanceof ArchiveError)) return error
  const advice =
    error.code === 'query-writes'
      ? adviceOnWriting(error)
      : error.code === 'query-invalid'
        ? adviceOn(error, sql, database)
        : undefined
  return advice === undefined ? error : new AdvisedError(error, advice)
}

/** Adds advice to the error of a statement over datasets, which have the tables of a database. */
export function explainDatasetQuery(error: unknown): unknown {
  if (!(error instanceof ArchiveError)) return error
  if (error.code === 'limit-memory') {
    return new AdvisedError(error, 'Select smaller values, or fewer: DuckDB may use 512 MB.')
  }
  if (error.code !== 'query-invalid') return error
  const advice = adviceOnDataset(error)
  return new AdvisedError(error, advice ?? 'The tables are those of a database; DuckDB answers.')
}

function adviceOnDataset({ message }: ArchiveError): string | undefined {
  const [, table] = /^Table with name (\w+) does not exist/.exec(message) ?? []
  if (table !== undefined) {
    return didYouMean(
      table,
      RELATIONS.map(({ name }) => name),
    )
  }
  const [, parameter] = /^the parameter :(\w+) has no value$/.exec(message) ?? []
  if (parameter !== undefined) return adviceOnParameter(parameter)
  return message.startsWith('a parameter without a name') ? NAME_PARAMETER : undefined
}

const adviceOnParameter = (name: string) => `Give it with: -p ${name} <value>`
const NAME_PARAMETER = 'Name it, such as :name in place of ?, and give it with: -p name <value>'

const adviceOnWriting = ({ value }: ArchiveError): string | undefined =>
  value === WRITES ? 'To edit a database, use sqlite3; marc doctor lists the changes.' : undefined

function adviceOn(error: ArchiveError, sql: string, database: Database): string | undefined {
  const { fault, name = '' } = parseSqliteError(error) ?? {}
  switch (fault) {
    case 'several-statements':
      return 'Run them one after the other with: marc shell <database> "<statements>"'
    case 'parameter-missing':
      return /^\w+$/.test(name) ? adviceOnParameter(name) : undefined
    case 'parameters-too-few':
      return NAME_PARAMETER
    case 'table-unknown':
      return didYouMean(withoutSchema(name), tableNames(database))
    case 'column-unknown':
      return adviceOnColumn(name, sql, database)
    case 'function-unknown':
      return didYouMean(name.toLowerCase(), functionsOf(database))
    case 'column-ambiguous': {
      const owners = columnsIn(sql, database).filter(({ columns }) => has(columns, name))
      return owners.length > 1
        ? `Say which: ${owners.map(({ alias }) => `${alias}.${name}`).join(' or ')}`
        : undefined
    }
    case 'syntax-error':
      return adviceOnSyntax(name.toUpperCase())
  }
  return undefined
}

function adviceOnSyntax(word: string): string | undefined {
  // SQLite names the word at which it stopped. The wrong one may be before it.
  const isRight = !/^\w+$/.test(word) || SQL_KEYWORDS.includes(word)
  return isRight ? undefined : didYouMean(word, SQL_KEYWORDS)
}
const withoutSchema = (name: string) => name.slice(name.indexOf('.') + 1)
const tableNames = (database: Database) => describeDatabase(database).map(({ name }) => name)

interface NamedTable {
  alias: string
  table: string
  columns: readonly string[]
}

/** The tables that a statement reads, with their columns as SQLite knows them. */
function columnsIn(sql: string, database: Database): NamedTable[] {
  const columnsOf = database.prepare<[string], string>('SELECT name FROM pragma_table_xinfo(?)')
  return [...statementTables(sql)].map(([alias, table]) => ({
    alias,
    table,
    columns: columnsOf.pluck().all(table),
  }))
}

/** Suggests columns of the tables in the statement. */
function adviceOnColumn(name: string, sql: string, database: Database): string | undefined {
  const [, qualifier, column = ''] = /^(?:(.+)\.)?(.+)$/.exec(name) ?? []
  const tables = columnsIn(sql, database)
  const owner =
    qualifier === undefined
      ? undefined
      : tables.find(({ alias, table }) => [alias, table].some((one) => isSame(one, qualifier)))
  // The columns of subqueries and WITH clauses are not known here.
  if (qualifier !== undefined && owner === undefined) return undefined
  const searched = owner ? [owner] : tables
  const names = [...new Set(searched.flatMap(({ columns }) => columns))]
  const advice = didYouMean(column, names, qualifier === undefined ? '' : `${qualifier}.`)
  if (advice !== undefined) return advice
  const elsewhere = tables.find(({ columns }) => has(columns, column))
  if (elsewhere) return `Did you mean ${elsewhere.alias}.${column}?`
  const only = owner ?? (tables.length === 1 ? tables[0] : undefined)
  return only && hasRelation(database, only.table)
    ? `See its columns with: marc schema <database> ${shellWord(only.table)}`
    : undefined
}

const isSame = (a: string, b: string) => a.toLowerCase() === b.toLowerCase()
const has = (names: readonly string[], name: string) => names.some((one) => isSame(one, name))

const functionsOf = (database: Database): string[] =>
  database.prepare<[], string>('SELECT DISTINCT name FROM pragma_function_list').pluck().all()

/** Keywords of statements that read. */
export const SQL_KEYWORDS: readonly string[] =
  `ALL AND AS ASC BETWEEN BY CASE CAST COLLATE CROSS DESC DISTINCT ELSE END ESCAPE EXCEPT EXISTS
EXPLAIN FILTER FROM GLOB GROUP HAVING IN INNER INTERSECT IS JOIN LEFT LIKE LIMIT MATERIALIZED NOT NULL OFFSET ON OR
ORDER OUTER OVER PARTITION PLAN QUERY RECURSIVE SELECT THEN UNION USING VALUES WHEN WHERE WINDOW WITH`.split(
    /\s+/,
  )
