import type { Database } from '../database/open-database.ts'
import { quoteName } from '../database/quote.ts'
import { takeRows } from '../database/read-pages.ts'
import { hasRows, recordColumns } from '../database/rows/read-record.ts'
import type { Row } from '../database/schema/row-layout.ts'

/** Finds the places in bytes at which there may be something to edit. */
export type FindHints = (bytes: Buffer) => readonly number[]

const PAGE = 200
const FIRST = -(2n ** 63n)
const LAST = 2n ** 63n - 1n
/** Rows with longer texts are read without a search for hints: a page of them would not fit into memory. */
const LONGEST_ROW = 2 ** 16
/** The byte that ends a row in the text of a page: no text in UTF-8 has this byte. */
const END_OF_ROW = 0xff
/** Pages that are read as they are if most rows of one have a hint. */
const PAGES_WITHOUT = 20

/**
 * Reads the rows of a table, each with its rowid before the columns of its record, page by page; with `findHints` only those
 * with a hint, for which SQLite hands over the text of a whole page at once. No statement is open between pages.
 */
export function* readHintedRows(
  database: Database,
  table: string,
  findHints?: FindHints,
): Generator<readonly Row[]> {
  const { columns } = recordColumns(table)
  // Most tables are empty. To prepare the statements takes longer than to read a few rows.
  if (!hasRows(database, table)) return
  const page = database
    .prepare(
      `SELECT rowid, ${columns} FROM ${quoteName(table)} WHERE rowid >= ? ORDER BY rowid LIMIT ${PAGE}`,
    )
    .raw()
    .safeIntegers()
  const one = database
    .prepare(`SELECT rowid, ${columns} FROM ${quoteName(table)} WHERE rowid = ?`)
    .raw()
    .safeIntegers()
  const hinted = findHints && openHints(database, table, findHints)
  let withoutHints = 0
  for (let from: bigint | undefined = FIRST; from !== undefined; ) {
    const found: HintedPage | undefined = withoutHints-- > 0 ? undefined : hinted?.(from)
    if (found?.rowids && found.rowids.length <= PAGE / 2) {
      for (const rowid of found.rowids) yield [one.get(rowid) as Row]
      from = found.next
      continue
    }
    if (found) withoutHints = PAGES_WITHOUT
    const rows = takeRows(page.iterate(from) as Iterable<Row>)
    if (rows.length === 0) return
    yield rows
    const last = rows.at(-1)?.[0] as bigint
    from = last === LAST ? undefined : last + 1n
  }
}

/** Where the page begins behind one with so many rows; undefined if there is none. */
const nextPage = (rows: number, last: bigint): bigint | undefined =>
  rows < PAGE || last === LAST ? undefined : last + 1n

interface HintedPage {
  /** The rows with a hint; undefined if texts are not in UTF-8. */
  rowids: bigint[] | undefined
  /** Where the next page begins, if there is one. */
  next: bigint | undefined
}

/** Creates a search for the rows with hints in the page that begins at a rowid. */
function openHints(
  database: Database,
  table: string,
  findHints: FindHints,
): ((from: bigint) => HintedPage) | undefined {
  if (database.pragma('encoding', { simple: true }) !== 'UTF-8') return undefined
  const { kind } = recordColumns(table)
  const names = [...Object.keys(kind.columns), '_extra', '_member_order'].map(quoteName)
  const size = names.map((name) => `coalesce(octet_length(${name}), 0)`).join(' + ')
  const page = database
    .prepare<[bigint], [bigint, bigint | null, Buffer | null]>(
      `SELECT count(*), max(id), CAST(group_concat(row, CAST(x'ff' AS TEXT)) AS BLOB) FROM (
         SELECT rowid AS id, CASE WHEN ${size} > ${LONGEST_ROW} THEN rowid || ':'
           ELSE rowid || ':' || concat_ws(char(10), ${names.join(', ')}) END AS row
         FROM ${quoteName(table)} WHERE rowid >= ? ORDER BY rowid LIMIT ${PAGE})`,
    )
    .raw()
    .safeIntegers()
  return (from) => {
    const [count, last, bytes] = page.get(from) as [bigint, bigint | null, Buffer | null]
    const next = nextPage(Number(count), last as bigint)
    return { rowids: bytes ? rowsWithHints(bytes, Number(count), findHints) : [], next }
  }
}

/** The rowids of the rows that have a hint, or are too long to be in the text. */
function rowsWithHints(bytes: Buffer, count: number, findHints: FindHints): bigint[] | undefined {
  const hints = findHints(bytes)
  const rowids: bigint[] = []
  let hint = 0
  let rows = 0
  for (let start = 0; start < bytes.length; ) {
    const found = bytes.indexOf(END_OF_ROW, start)
    const end = found < 0 ? bytes.length : found
    while ((hints[hint] ?? end) < start) hint++
    const colon = bytes.indexOf(':', start)
    const isLong = colon === end - 1
    if (isLong || (hints[hint] ?? end) < end) {
      const rowid = bytes.toString('latin1', start, colon)
      if (!/^-?\d+$/.test(rowid)) return undefined
      rowids.push(BigInt(rowid))
    }
    start = end + 1
    rows++
  }
  return rows === count ? rowids : undefined
}
