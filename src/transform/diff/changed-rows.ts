import { createHash } from 'node:crypto'
import type { Database } from '../../database/open-database.ts'
import { quoteName, quoteText } from '../../database/quote.ts'
import { hasRows, recordColumns } from '../../database/rows/read-record.ts'
import { toRecord } from '../../database/rows/to-record.ts'
import { KIND_OF_ENTRY, SHARED } from '../../database/schema/kind-table.ts'
import type { Row } from '../../database/schema/row-layout.ts'
import type { Kind } from '../../records/kinds/kind.ts'

/** A row of one of the databases. */
export interface SideRow {
  rowid: bigint
  row: Row
}

/** A record in one or both databases whose rows are not the same. */
export interface ChangedRow {
  table: string
  kind: Kind
  before?: SideRow
  after?: SideRow
}

/** The names of the two databases on the connection of `openPair`. */
export const SIDES = ['main', 'b'] as const

const PAGE = 100
const FIRST = -(2n ** 63n)

/** The tables of records of both databases, and which of them each has. */
export function pairTables(pair: Database): { name: string; inA: boolean; inB: boolean }[] {
  const [inA = [], inB = []] = SIDES.map((side) =>
    pair
      .prepare<[], string>(
        `SELECT name FROM ${side}.sqlite_schema AS t WHERE type = 'table'
         AND EXISTS (SELECT 1 FROM pragma_table_info(t.name, ${quoteText(side)}) WHERE name = '_member_order')`,
      )
      .pluck()
      .all(),
  )
  return [...new Set([...inA, ...inB])]
    .sort()
    .map((name) => ({ name, inA: inA.includes(name), inB: inB.includes(name) }))
}

/**
 * The rows of a table that differ, in pages: records with one URL are one record, and others are matched by content. With
 * `selected`, only rows in the temporary table of that name.
 */
export function* changedRows(
  pair: Database,
  { name, inA, inB }: { name: string; inA: boolean; inB: boolean },
  { selected }: { selected: boolean },
): Generator<ChangedRow> {
  // Most kinds have no records: the statements below take longer to prepare than this one.
  if (!(inA && hasRows(pair, name, 'main')) && !(inB && hasRows(pair, name, 'b'))) return
  const { kind } = recordColumns(name)
  const names = [...Object.keys(kind.columns), '_extra', '_member_order'].map(quoteName)
  const table = quoteName(name)
  const columnsOf = (from: string) => names.map((column) => `${from}.${column}`).join(', ')
  const chosen = (from: string, side: number) =>
    selected
      ? `AND EXISTS (SELECT 1 FROM temp.selected AS s
          WHERE s.side = ${side} AND s."table" = ${quoteText(name)} AND s.id = ${from}.rowid)`
      : ''
  // Records of several kinds share one table, and two of them may have the same URL.
  const kindOf = (from: string) => KIND_OF_ENTRY.replaceAll('"_entry"', `${from}."_entry"`)
  const isSame = (left: string, right: string, side: number) =>
    `${left}.url = ${right}.url ${name === SHARED ? `AND ${kindOf(left)} IS ${kindOf(right)}` : ''}
     ${chosen(left, side)}`
  const count = names.length
  const sideOf = (values: Row, from: number): SideRow => ({
    rowid: values[from] as bigint,
    row: values.slice(from + 1, from + 1 + count),
  })
  const pages = function* (sql: string): Generator<Row> {
    const page = pair.prepare(`${sql} LIMIT ${PAGE}`).raw().safeIntegers()
    for (let next = FIRST; ; ) {
      const rows = page.all(next) as Row[]
      yield* rows
      if (rows.length < PAGE) return
      next = (rows.at(-1)?.[0] as bigint) + 1n
    }
  }
  if (inA && inB) {
    const differs = names.map((column) => `a.${column} IS NOT b.${column}`).join(' OR ')
    for (const values of pages(`
      SELECT a.rowid, ${columnsOf('a')}, b.rowid, ${columnsOf('b')} FROM main.${table} AS a
      LEFT JOIN b.${table} AS b ON ${isSame('b', 'a', 1)}
      WHERE a.rowid >= ? AND a.url IS NOT NULL ${chosen('a', 0)} AND (b.rowid IS NULL OR ${differs})
      ORDER BY a.rowid`)) {
      const before = sideOf(values, 0)
      const isThere = values[count + 1] !== null
      yield { table: name, kind, before, ...(isThere && { after: sideOf(values, count + 1) }) }
    }
  }
  for (const [side, is] of [
    [0, inA && !inB],
    [1, inB],
  ] as const) {
    if (!is) continue
    const other =
      inA && side === 1
        ? `AND NOT EXISTS (
      SELECT 1 FROM main.${table} AS a WHERE ${isSame('a', 'o', 0)})`
        : ''
    for (const values of pages(`
      SELECT o.rowid, ${columnsOf('o')} FROM ${SIDES[side]}.${table} AS o
      WHERE o.rowid >= ? AND o.url IS NOT NULL ${chosen('o', side)} ${other} ORDER BY o.rowid`)) {
      yield { table: name, kind, [side === 0 ? 'before' : 'after']: sideOf(values, 0) }
    }
  }
  yield* unmatched(pair, name, { inA, inB, chosen, pages, columns: columnsOf('o'), kind, sideOf })
}

/** Records without a URL that only one side has. */
function* unmatched(
  pair: Database,
  name: string,
  {
    inA,
    inB,
    chosen,
    pages,
    columns,
    kind,
    sideOf,
  }: {
    inA: boolean
    inB: boolean
    chosen: (from: string, side: number) => string
    pages: (sql: string) => Generator<Row>
    columns: string
    kind: Kind
    sideOf: (values: Row, from: number) => SideRow
  },
): Generator<ChangedRow> {
  const table = quoteName(name)
  const rowsOf = (side: 0 | 1) =>
    pages(`SELECT o.rowid, ${columns} FROM ${SIDES[side]}.${table} AS o
      WHERE o.rowid >= ? AND o.url IS NULL ${chosen('o', side)} ORDER BY o.rowid`)
  const present = ([0, 1] as const).filter((side) => (side === 0 ? inA : inB))
  const isAny = present.some((side) => rowsOf(side).next().done === false)
  if (!isAny) return
  pair.exec(`
    DROP TABLE IF EXISTS temp.loose;
    CREATE TEMP TABLE loose (sum BLOB, side INTEGER, number INTEGER, id INTEGER,
      PRIMARY KEY (sum, side, number)) WITHOUT ROWID`)
  const insert = pair.prepare(`INSERT INTO temp.loose VALUES (?, ?,
    (SELECT coalesce(max(number), 0) + 1 FROM temp.loose WHERE sum = ? AND side = ?), ?)`)
  for (const side of present) {
    for (const values of rowsOf(side)) {
      const { rowid, row } = sideOf(values, 0)
      const sum = createHash('sha256')
        .update(JSON.stringify(toRecord(kind, row)))
        .digest()
      insert.run(sum, side, sum, side, rowid)
    }
  }
  for (const side of present) {
    for (const values of pages(`
      SELECT o.rowid, ${columns} FROM ${SIDES[side]}.${table} AS o WHERE o.rowid >= ? AND o.url IS NULL
      AND o.rowid IN (SELECT id FROM temp.loose AS l WHERE l.side = ${side} AND NOT EXISTS (
        SELECT 1 FROM temp.loose AS m WHERE m.sum = l.sum AND m.side = ${1 - side} AND m.number = l.number))
      ORDER BY o.rowid`)) {
      yield { table: name, kind, [side === 0 ? 'before' : 'after']: sideOf(values, 0) }
    }
  }
}
