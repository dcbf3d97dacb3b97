import type { Database } from '../database/open-database.ts'
import { quoteName } from '../database/quote.ts'
import { orderOf } from '../database/record-files/place-records.ts'
import { filledTables } from '../database/rows/read-record.ts'
import { type FoundRow, type FoundRows, packRows } from './found-rows.ts'
import { type FindHints, type HintedPage, openHints } from './read-hinted-rows.ts'

/** Rows that are searched together. */
interface Part {
  table: string
  from: number
  to: number
}

/** The number of parts that somebody has taken: threads of the processor share it. */
export type Taken = Int32Array<SharedArrayBuffer>

/** The rows that were found in a part, by its number. */
export type FoundByPart = ReadonlyMap<number, Int32Array>

/** Rowids of a part. */
const PART = 4096
/** Parts of a table: rowids that SQL wrote may be far from each other. */
const MOST_PARTS = 2 ** 16
/** Numbers that one thread keeps: 8 MiB. It takes no more parts then. */
const MOST_KEPT = 2 ** 21

/** The parts of all tables with records, in order, but for tables whose rowids need more than 32 bits. */
export function partsOf(database: Database): Part[] {
  const { tables } = orderOf(database)
  return [...filledTables(database, tables)].flatMap((table) => {
    const [first, last] = database
      .prepare<[], [number, number]>(`SELECT min(rowid), max(rowid) FROM ${quoteName(table)}`)
      .raw()
      .get() as [number, number]
    const count = Math.floor((last - first) / PART) + 1
    if ((first | 0) !== first || (last | 0) !== last || count > MOST_PARTS) return []
    return Array.from({ length: count }, (_, i) => {
      const from = first + i * PART
      return { table, from, to: Math.min(from + PART - 1, last) }
    })
  })
}

/** Finds the rows with hints in the parts that no other thread has taken. */
export function findInParts(
  database: Database,
  parts: readonly Part[],
  taken: Taken,
  findHints: FindHints,
): FoundByPart {
  const found = new Map<number, Int32Array>()
  for (let kept = 0; kept < MOST_KEPT; ) {
    const number = Atomics.add(taken, 0, 1)
    const part = parts[number]
    if (!part) break
    const rows = findIn(database, part, findHints)
    if (!rows) continue
    const packed = Int32Array.from(packRows(rows))
    found.set(number, packed)
    kept += packed.length
  }
  return found
}

/** The rows of a part that have hints; undefined if texts are not in UTF-8. */
function findIn(
  database: Database,
  { table, from, to }: Part,
  findHints: FindHints,
): FoundRow[] | undefined {
  const hinted = openHints(database, table, findHints, BigInt(to))
  const found: FoundRow[] = []
  for (let at: bigint | undefined = BigInt(from); at !== undefined; ) {
    const page: HintedPage | undefined = hinted?.(at)
    if (!page?.rows) return undefined
    found.push(...page.rows)
    at = page.next
  }
  return found
}

/** The rows of each table of which all parts were searched. */
export function foundByTable(
  parts: readonly Part[],
  found: readonly FoundByPart[],
): ReadonlyMap<string, FoundRows> {
  const tables = new Map<string, Int32Array[]>()
  const missed = new Set<string>()
  for (const [number, { table }] of parts.entries()) {
    const rows = found.map((each) => each.get(number)).find((each) => each !== undefined)
    if (!rows) missed.add(table)
    else if (tables.has(table)) tables.get(table)?.push(rows)
    else tables.set(table, [rows])
  }
  for (const table of missed) tables.delete(table)
  return tables
}
