import type { JsonObject } from '../../records/json/json.ts'
import type { Kind } from '../../records/kinds/kind.ts'
import type { Database, Statement } from '../database.ts'
import { prepareOnce } from '../prepare-once.ts'
import { quoteName } from '../quote.ts'
import { takeRows } from '../read-pages.ts'
import { recordColumns } from '../rows/read-record.ts'
import { toRecord } from '../rows/to-record.ts'
import type { Row } from '../schema/row-layout.ts'
import type { RowRange } from './find-row-ranges.ts'
import { LOOSE } from './place-records.ts'

/** A row with a record and its place. */
export interface Placed {
  table: number
  kind: Kind
  /** The values of the record, then position, record number and rowid, as text: it may be beyond 2⁵³. */
  row: Row
}

/** The record of a row. */
export const recordOf = ({ kind, row }: Placed): JsonObject => toRecord(kind, row)

interface Place {
  position: number
  record: number
  table: number
  /** The rowid; an infinite one is before or after all of them. */
  id: bigint | number
}

/** The place of a row. */
export const placeOf = ({ table, row }: Placed): Place => {
  const [position, record, id] = row.slice(-3)
  return { position: Number(position), record: Number(record), table, id: BigInt(String(id)) }
}

/** Rows of a page, and records of a new file: GitHub writes 100. */
const PAGE = 100

const START: Place = { position: -1, record: Number.NEGATIVE_INFINITY, table: -1, id: -1 }

/** Reads the placed records of a kind in order. */
export interface PlacedReader {
  /** The records of one file. */
  inFile(position: number): Iterable<JsonObject>
  /** A page of a hundred rows after a row, or from the start; with `position`, only of that file. */
  page(options: PageOptions): Placed[]
}

interface PageOptions {
  after?: Placed | undefined
  position?: number | undefined
}

export function createPlacedReader(
  database: Database,
  stem: number,
  tables: readonly string[],
): PlacedReader {
  // Almost every kind has a single table.
  const present = prepareOnce<[number], number>(
    database,
    'SELECT DISTINCT "table" FROM temp.places WHERE stem = ?',
  )
    .pluck()
    .all(stem)
  const selects = present.map((table) => {
    const { kind, columns } = recordColumns(tables[table] as string, 'o')
    // With a bound limit, SQLite would prepare the statement each time.
    const rows = prepareOnce(
      database,
      `
      SELECT ${columns}, p.position, p.record, CAST(p.id AS TEXT) FROM temp.places AS p
      CROSS JOIN ${quoteName(tables[table] as string)} AS o ON o.rowid = p.id
      WHERE p.stem = ${stem} AND p."table" = ${table} AND p.position <= ?
      AND (p.position, p.record, p.id) > (?, ?, ?) ORDER BY p.position, p.record, p.id LIMIT ${PAGE}`,
    )
    return { table, kind, rows: rows.raw().safeIntegers() }
  })

  const read = ({ after, position }: PageOptions, { few }: { few: boolean }): Placed[] => {
    const last = after ? placeOf(after) : START
    const from = position !== undefined && last.position < position ? { ...START, position } : last
    const found = selects.flatMap(({ table, kind, rows }) => {
      // At the same place, earlier tables come first.
      const id = table === from.table ? from.id : (from.table - table) * Number.POSITIVE_INFINITY
      const bounds = [position ?? LOOSE, from.position, from.record, id]
      const found = few ? takeRows(rows.iterate(...bounds) as Iterable<Row>) : rows.all(...bounds)
      return (found as Row[]).map((row): Placed => ({ table, kind, row }))
    })
    return selects.length === 1 ? found : found.sort(byPlace).slice(0, PAGE)
  }
  // The rows of several tables are merged, so that a page of each must be whole.
  const few = selects.length === 1
  return {
    page: (options) => read(options, { few: false }),
    *inFile(position) {
      for (let after: Placed | undefined; ; ) {
        const found = read({ after, position }, { few })
        for (const placed of found) yield recordOf(placed)
        if (found.length === 0 || (!few && found.length < PAGE)) return
        after = found.at(-1)
      }
    },
  }
}

/** Reads the records of a row range. */
export function createRangeReader(
  database: Database,
  table: string,
): (range: RowRange) => Generator<JsonObject> {
  const { kind, columns } = recordColumns(table)
  // Prepared for the first record: most tables have none.
  let rows: Statement | undefined
  return function* ({ from, to }) {
    if (from > to) return
    rows ??= database
      .prepare(
        `SELECT ${columns}, rowid FROM ${quoteName(table)} WHERE rowid BETWEEN ? AND ?
         ORDER BY rowid LIMIT ${PAGE}`,
      )
      .raw()
      .safeIntegers()
    for (let first = from; first <= to; ) {
      const found = takeRows(rows.iterate(first, to) as Iterable<Row>)
      const last = found.at(-1)?.at(-1)
      if (last === undefined) return
      // No row is kept while its record is used: either may take many megabytes.
      found.reverse()
      while (found.length > 0) yield toRecord(kind, found.pop() as Row)
      first = Number(last) + 1
    }
  }
}

function byPlace(left: Placed, right: Placed): number {
  const [a, b] = [placeOf(left), placeOf(right)]
  return (
    a.position - b.position || a.record - b.record || a.table - b.table || (a.id < b.id ? -1 : 1)
  )
}
