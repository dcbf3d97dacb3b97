import { closestMatch } from '../base/closest-match.ts'
import type { Database } from '../database/open-database.ts'
import { parseSqliteError } from '../database/sqlite-messages.ts'
import { describeDatabase } from './describe-database.ts'
import { statementTables } from './statement-tables.ts'

/**
 * The table, column, function or keyword that was probably meant by the one for which SQLite refused a statement; undefined
 * if there is none, and for any other error.
 */
export function meantInStatement(
  error: unknown,
  sql: string,
  database: Database,
): string | undefined {
  const { fault, name = '' } = parseSqliteError(error) ?? {}
  switch (fault) {
    case 'table-unknown':
      return closestMatch(withoutSchema(name), tableNames(database))
    case 'column-unknown':
      return meantColumn(name, sql, database)
    case 'function-unknown':
      return closestMatch(name.toLowerCase(), functionsOf(database))
    case 'syntax-error':
      return meantKeyword(name.toUpperCase())
  }
  return undefined
}

function meantKeyword(word: string): string | undefined {
  // SQLite names the word at which it stopped. The wrong one may be before it.
  const isRight = !/^\w+$/.test(word) || SQL_KEYWORDS.includes(word)
  return isRight ? undefined : closestMatch(word, SQL_KEYWORDS)
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

/** The tables in a statement that have a column, by their aliases. */
export const ownersOf = (column: string, sql: string, database: Database): string[] =>
  columnsIn(sql, database)
    .filter(({ columns }) => has(columns, column))
    .map(({ alias }) => alias)

/** The only table in which a statement looks for a column. */
export function onlyTable(name: string, sql: string, database: Database): string | undefined {
  const { searched } = searchedFor(name, sql, database)
  return searched.length === 1 ? searched[0]?.table : undefined
}

/** The tables in which a statement looks for a column. Those of subqueries and WITH clauses are not known here. */
function searchedFor(name: string, sql: string, database: Database) {
  const [, qualifier, column = ''] = /^(?:(.+)\.)?(.+)$/.exec(name) ?? []
  const tables = columnsIn(sql, database)
  const searched =
    qualifier === undefined
      ? tables
      : tables
          .filter(({ alias, table }) => [alias, table].some((one) => isSame(one, qualifier)))
          .slice(0, 1)
  return { qualifier, column, tables, searched }
}

function meantColumn(name: string, sql: string, database: Database): string | undefined {
  const { qualifier, column, tables, searched } = searchedFor(name, sql, database)
  if (searched.length === 0) return undefined
  const names = [...new Set(searched.flatMap(({ columns }) => columns))]
  const meant = closestMatch(column, names)
  if (meant !== undefined) return qualifier === undefined ? meant : `${qualifier}.${meant}`
  const elsewhere = tables.find(({ columns }) => has(columns, column))
  return elsewhere && `${elsewhere.alias}.${column}`
}

const isSame = (left: string, right: string) => left.toLowerCase() === right.toLowerCase()
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
