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
/** The bytes that end a row and stand between its columns in the text of a page: no text in UTF-8 has them. */
const END_OF_ROW = 0xff
const END_OF_COLUMN = 0xfe
/** Pages that are read as they are if most rows of one have a hint. */
const PAGES_WITHOUT = 20

/** Rows, each with its rowid before the columns of its record. */
export interface HintedRows {
  rows: readonly Row[]
  /** The columns of a single row that have a hint, from 0 without the rowid; undefined if any may have one. */
  columns?: readonly number[] | undefined
}

/**
 * Reads the rows of a table, page by page; with `findHints` only those with a hint, for which SQLite hands over the text of a
 * whole page at once. No statement is open between pages.
 */
export function* readHintedRows(
  database: Database,
  table: string,
  findHints?: FindHints,
): Generator<HintedRows> {
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
    if (found?.rows && found.rows.length <= PAGE / 2) {
      for (const { rowid, columns } of found.rows) {
        yield { rows: [one.get(rowid) as Row], columns }
      }
      from = found.next
      continue
    }
    if (found) withoutHints = PAGES_WITHOUT
    const rows = takeRows(page.iterate(from) as Iterable<Row>)
    if (rows.length === 0) return
    yield { rows }
    const last = rows.at(-1)?.[0] as bigint
    from = last === LAST ? undefined : last + 1n
  }
}

/** Where the page begins behind one with so many rows; undefined if there is none. */
const nextPage = (rows: number, last: bigint): bigint | undefined =>
  rows < PAGE || last === LAST ? undefined : last + 1n

interface HintedPage {
  /** The rows with a hint; undefined if texts are not in UTF-8. */
  rows: HintedRow[] | undefined
  /** Where the next page begins, if there is one. */
  next: bigint | undefined
}

interface HintedRow {
  rowid: bigint
  columns: readonly number[] | undefined
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
  const texts = names.map((name) => `coalesce(${name}, '')`)
  const page = database
    .prepare<[bigint], [bigint, bigint | null, Buffer | null]>(
      `SELECT count(*), max(id), CAST(group_concat(row, CAST(x'ff' AS TEXT)) AS BLOB) FROM (
         SELECT rowid AS id, CASE WHEN ${size} > ${LONGEST_ROW} THEN rowid || ':'
           ELSE rowid || ':' || concat_ws(CAST(x'fe' AS TEXT), ${texts.join(', ')}) END AS row
         FROM ${quoteName(table)} WHERE rowid >= ? ORDER BY rowid LIMIT ${PAGE})`,
    )
    .raw()
    .safeIntegers()
  return (from) => {
    const [count, last, bytes] = page.get(from) as [bigint, bigint | null, Buffer | null]
    const next = nextPage(Number(count), last as bigint)
    const rows = bytes ? rowsWithHints(bytes, Number(count), names.length, findHints) : []
    return { rows, next }
  }
}

/** The rows that have a hint, or are too long to be in the text. */
function rowsWithHints(
  bytes: Buffer,
  count: number,
  width: number,
  findHints: FindHints,
): HintedRow[] | undefined {
  const hints = findHints(bytes)
  const found: HintedRow[] = []
  let hint = 0
  let rows = 0
  for (let start = 0; start < bytes.length; ) {
    const behind = bytes.indexOf(END_OF_ROW, start)
    const end = behind < 0 ? bytes.length : behind
    while ((hints[hint] ?? end) < start) hint++
    const colon = bytes.indexOf(':', start)
    const isLong = colon === end - 1
    if (isLong || (hints[hint] ?? end) < end) {
      const rowid = bytes.toString('latin1', start, colon)
      if (!/^-?\d+$/.test(rowid)) return undefined
      const row = bytes.subarray(colon + 1, end)
      const columns = isLong ? undefined : columnsWith(hints, hint, row, colon + 1)
      found.push({
        rowid: BigInt(rowid),
        columns: columns?.width === width ? columns.found : undefined,
      })
    }
    start = end + 1
    rows++
  }
  return rows === count ? found : undefined
}

/** The columns of a row in which there are hints, and how many columns it has: more than it should if its texts are not in UTF-8. */
function columnsWith(hints: readonly number[], first: number, row: Buffer, offset: number) {
  const found: number[] = []
  let width = 0
  let hint = first
  for (let start = 0; start <= row.length; width++) {
    const behind = row.indexOf(END_OF_COLUMN, start)
    const end = behind < 0 ? row.length : behind
    const hintAt = () => (hints[hint] ?? Number.POSITIVE_INFINITY) - offset
    if (hintAt() <= end) found.push(width)
    while (hintAt() <= end) hint++
    start = end + 1
  }
  return { found, width }
}
