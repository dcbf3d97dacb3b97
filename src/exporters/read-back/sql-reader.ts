import type { ExportColumn, ExportType } from '../column-types.ts'
import type { ExportTable } from '../table.ts'
import { DIGEST_DIGITS } from './checksums.ts'
import { rowKeyOf } from './row-key.ts'
import { MOST_ROWS, SHOWN, type TableReader } from './table-reader.ts'

/** How an engine writes down values, in SQL. */
export interface SqlTexts {
  quote(name: string): string
  /** The text of a column, or NULL, as `columnText` has it. */
  text(value: string, type: ExportType): string
  /** The MD5 of a text, in hexadecimal digits in lower case. */
  md5(text: string): string
  /** The first 15 hexadecimal digits of the MD5 of a text as an integer. */
  digest(text: string): string
  /** The sum of integers of 60 bits as a text. */
  sum(integers: string): string
  /** The first characters of a text. */
  left(text: string, characters: number): string
  /** Joins texts with line feeds. NULL if one is NULL. */
  lines(texts: readonly string[]): string
}

/** Returns the answers to `SELECT <list> FROM <table> WHERE … <rest>`, of the rows of a partition. */
export type AskPartition = (
  list: string,
  table: string,
  rest: string,
) => Promise<readonly Readonly<Record<string, unknown>>[]>

/** Reads a partition of an engine with SQL. */
export function createSqlReader(sql: SqlTexts, ask: AskPartition): TableReader {
  const digested = ({ name, type }: ExportColumn) =>
    sql.lines([KEY, sql.text(sql.quote(name), type)])
  const bucket = sql.left(sql.md5(KEY), 2)
  /** The table with the keys of its rows. */
  const keyed = (table: ExportTable) =>
    `(SELECT *, ${keyIn(table, sql)} AS ${KEY} FROM ${sql.quote(table.name)}) AS keyed`
  return {
    async sums(table) {
      const sums = table.columns.map(
        (column, i) => `${sql.sum(sql.digest(digested(column)))} AS s${i}`,
      )
      const list = [`${bucket} AS bucket`, 'count(*) AS n', ...sums].join(', ')
      const rows = await ask(list, keyed(table), `GROUP BY ${bucket}`)
      return new Map(
        rows.map((row) => [
          Number.parseInt(String(row.bucket), 16),
          {
            rows: Number(row.n),
            columns: table.columns.map((_, i) => BigInt(String(row[`s${i}`] ?? 0))),
          },
        ]),
      )
    },
    async rows(table, buckets, columns) {
      const values = columns.flatMap((i) => {
        const column = table.columns[i] as ExportColumn
        const text = sql.text(sql.quote(column.name), column.type)
        return [
          `${sql.left(sql.md5(digested(column)), DIGEST_DIGITS)} AS d${i}`,
          `${sql.left(text, SHOWN)} AS t${i}`,
        ]
      })
      const names = [...buckets].map((one) => `'${one.toString(16).padStart(2, '0')}'`)
      const rest = `AND ${bucket} IN (${names.join(', ')}) LIMIT ${MOST_ROWS}`
      const rows = await ask([`${KEY} AS k`, ...values].join(', '), keyed(table), rest)
      return rows.map((row) => ({
        key: String(row.k),
        values: columns.map((i) => {
          const digest = row[`d${i}`] ?? null
          return digest === null ? null : { digest: String(digest), start: String(row[`t${i}`]) }
        }),
      }))
    },
  }
}

/** A column with the key of a row. */
const KEY = '_key'

/** The key of a row. */
function keyIn(table: ExportTable, sql: SqlTexts): string {
  const { columns, otherwise } = rowKeyOf(table)
  const texts = (names: readonly string[]) =>
    names.map((name) => {
      const { type } = table.columns.find((column) => column.name === name) as ExportColumn
      return sql.text(sql.quote(name), type)
    })
  if (otherwise.length === 0) {
    return sql.lines(texts(columns).map((text) => `coalesce(${text}, '')`))
  }
  return `coalesce(${[...texts(columns), sql.lines(texts(otherwise)), "''"].join(', ')})`
}
