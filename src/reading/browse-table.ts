import { quoteName } from '../database/quote.ts'
import type { Relation } from '../database/schema/relation.ts'
import type { Parameters, SqlValue } from '../query/run-query.ts'
import type { Store } from './store.ts'

/** Which rows of a table are shown, and in which order. */
export interface Browsing {
  /** The column to sort by, and whether its greatest values come first. Without it rows are in the order of the table. */
  readonly sort?: { readonly column: string; readonly isDescending: boolean } | undefined
  /** By column: a part of its text; with `=` before it the whole text, and `=` alone for NULL. */
  readonly filters: ReadonlyMap<string, string>
  /** The rowid of the last row of the page before; of a view, how many rows came before. */
  readonly after?: number | undefined
}

/** A statement with its parameters. */
export interface Statement {
  readonly sql: string
  readonly parameters: Parameters
}

/** Rows on a page; the statement asks for one more. */
export const PAGE_ROWS = 100
/** Rows whose values are counted, and values of a column. */
export const COUNTED_ROWS = 50_000
const MOST_VALUES = 12
/** Characters of a value that can be counted. */
const LONGEST_VALUE = 60

/** Whether the rows of a table have rowids, by which pages follow each other. */
export const hasRowids = ({ database }: Store, { name, type }: Relation): boolean =>
  type === 'table' &&
  database
    .prepare<[string], number>(
      "SELECT wr FROM pragma_table_list WHERE schema = 'main' AND name = ?",
    )
    .pluck()
    .get(name) === 0

/** The statement for a page of rows. With rowids, the first column is the rowid. */
export function selectRows(
  { name, columns }: Relation,
  { sort, filters, after }: Browsing,
  withRowids: boolean,
): Statement {
  const { conditions, parameters } = conditionsOf(filters)
  const all = columns.map((column) => quoteName(column.name)).join(', ')
  const order = orderOf(sort, withRowids)
  const limit = `LIMIT ${PAGE_ROWS + 1}`
  const from = quoteName(name)
  const where = (list: readonly string[]) =>
    list.length === 0 ? '' : `WHERE ${list.join(' AND ')}`
  if (!withRowids) {
    const rows = `SELECT ${all} FROM ${from} ${where(conditions)} ${order}`
    return { sql: `${rows} ${limit} OFFSET ${after ?? 0}`, parameters }
  }
  const later = after === undefined ? [] : [laterThan(from, sort)]
  return {
    sql: `SELECT rowid, ${all} FROM ${from} ${where([...conditions, ...later])} ${order} ${limit}`,
    parameters: after === undefined ? parameters : { ...parameters, after },
  }
}

function orderOf(sort: Browsing['sort'], withRowids: boolean): string {
  const direction = sort?.isDescending ? ' DESC' : ''
  const keys = [
    ...(sort ? [`${quoteName(sort.column)} IS NULL`, `${quoteName(sort.column)}${direction}`] : []),
    ...(withRowids ? [`rowid${direction}`] : []),
  ]
  return keys.length === 0 ? '' : `ORDER BY ${keys.join(', ')}`
}

/** The rows after one in the order: by its value, then by its rowid; NULL comes last. */
function laterThan(from: string, sort: Browsing['sort']): string {
  const sign = sort?.isDescending ? '<' : '>'
  const next = `rowid ${sign} :after`
  if (!sort) return next
  const column = quoteName(sort.column)
  const value = `(SELECT ${column} FROM ${from} WHERE rowid = :after)`
  return `CASE WHEN ${value} IS NULL THEN ${column} IS NULL AND ${next}
    ELSE ${column} ${sign} ${value} OR (${column} = ${value} AND ${next}) OR ${column} IS NULL END`
}

function conditionsOf(filters: Browsing['filters']): {
  conditions: string[]
  parameters: Record<string, SqlValue>
} {
  const conditions: string[] = []
  const parameters: Record<string, SqlValue> = {}
  for (const [name, wanted] of filters) {
    const column = quoteName(name)
    const parameter = `filter${conditions.length}`
    if (wanted === '=') {
      conditions.push(`${column} IS NULL`)
      continue
    }
    const isWhole = wanted.startsWith('=')
    parameters[parameter] = isWhole ? wanted.slice(1) : wanted.toLowerCase()
    conditions.push(
      isWhole
        ? `CAST(${column} AS TEXT) = :${parameter}`
        : `instr(lower(${column}), :${parameter}) > 0`,
    )
  }
  return { conditions, parameters }
}

/** The statement that counts the values of each column that has few, as rows `column, value, count`. */
export function countValues({ name, columns }: Relation, filters: Browsing['filters']): Statement {
  const { conditions, parameters } = conditionsOf(filters)
  const where = conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`
  const counts = columns.map(({ name: column }, i) => {
    const value = quoteName(column)
    return `SELECT * FROM (
      SELECT ${i} AS position, CAST(${value} AS TEXT) AS value, count(*) AS rows FROM some
      GROUP BY 2 ORDER BY 3 DESC, 2 LIMIT ${MOST_VALUES + 1})`
  })
  return {
    sql: `WITH some AS MATERIALIZED (SELECT * FROM ${quoteName(name)} ${where} LIMIT ${COUNTED_ROWS})
      ${counts.join(' UNION ALL ')}`,
    parameters,
  }
}

/** A column with few values, and how many rows have each. */
export interface Facet {
  readonly column: string
  readonly values: readonly { readonly value: string | null; readonly count: number }[]
}

/** The facets in the answer to `countValues`: columns with at least two values, but not many, and none of them long. */
export function facetsOf({ columns }: Relation, rows: readonly (readonly SqlValue[])[]): Facet[] {
  const groups = Map.groupBy(rows, ([position]) => Number(position))
  return [...groups].flatMap(([position, counted]) => {
    const values = counted.map(([, value, count]) => ({
      value: value === null ? null : String(value),
      count: Number(count),
    }))
    const isFew = values.length > 1 && values.length <= MOST_VALUES
    const isShort = values.every(({ value }) => (value?.length ?? 0) <= LONGEST_VALUE)
    const column = columns[position]?.name
    return isFew && isShort && column !== undefined ? [{ column, values }] : []
  })
}
