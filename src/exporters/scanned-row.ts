import type { ScannedRecords } from '../records/canonical/read-canonical.ts'
import { ESCAPED, NONE } from '../records/cells.ts'
import type { JsonObject, JsonValue } from '../records/json/json.ts'
import type { Kind } from '../records/kinds/kind.ts'
import { typeOf } from './column-types.ts'
import { deriveValues, sourcesOf } from './derive-value.ts'
import { type Dialect, EXACT } from './dialect.ts'
import { type Encoder, encodersFor, encodeWith, type TypedValue } from './encode-value.ts'
import type { ExportTable } from './table.ts'

/** A row in which `undefined` stands for the text in the cell of its column. */
export type ScannedRow = readonly (TypedValue | undefined)[]

/**
 * Makes the rows of canonical records without parsing the records: texts stay in their cells, only lists and objects are
 * parsed. The rows are those of `toExportRow`.
 *
 * @param table a table of a known kind, without the column `_record`
 * @param dialect of a target that holds texts of any length
 * @returns a function that makes the row of a record, which holds until the next call; undefined if not every column
 *   gives back its member exactly
 */
export function createScannedRows(
  { kind: known, columns }: ExportTable,
  archive: string,
  dialect: Dialect = EXACT,
): (records: ScannedRecords, record: number, entry: string) => ScannedRow | undefined {
  const kind = known as Kind
  const encoders = encodersFor(dialect)(kind)
  const sources = sourcesOf(kind)
  const names = Object.keys(kind.columns)
  const types = Object.values(kind.columns).map((column) => typeOf(column).is)
  const isSource = names.map((name) => sources.has(name))
  const afterMembers = names.length
  const isDerived = columns[afterMembers]?.name !== '_extra'
  const place = columns.findIndex(({ name }) => name === '_entry')
  const row: (TypedValue | undefined)[] = columns.map(() => null)
  row[place + 2] = archive
  const source: JsonObject = {
    type: kind.type,
    ...Object.fromEntries(names.map((name) => [name, null])),
  }
  /** The value of a member as its column has it; undefined if that does not give it back. */
  const encoded = (column: number, value: JsonValue): TypedValue | undefined => {
    const { typed, fidelity } = encodeWith((encoders[column] as Encoder).encode, value)
    return fidelity === 'exact' ? typed : undefined
  }
  return (records, record, entry) => {
    const { what, integer } = records
    const first = record * afterMembers
    for (let i = 0; i < afterMembers; i++) {
      const cell = first + i
      if (what[cell] === NONE) {
        if (!(encoders[i] as Encoder).holdsNull) return undefined
        row[i] = null
        if (isSource[i]) source[names[i] as string] = null
        continue
      }
      const type = types[i]
      if (type === 'text') {
        row[i] = undefined
        if (isSource[i]) source[names[i] as string] = cellText(records, cell)
      } else if (type === 'time') {
        const instant = instantOf(records, cell)
        const typed = Number.isNaN(instant) ? encoded(i, cellText(records, cell)) : instant
        if (typed === undefined) return undefined
        row[i] = typed
        if (isSource[i]) source[names[i] as string] = cellText(records, cell)
      } else if (type === 'flag' || type === 'integer') {
        const value = integer[cell] as number
        row[i] = type === 'flag' ? value === 1 : value
        if (isSource[i]) source[names[i] as string] = row[i] as JsonValue
      } else if (type === 'list' && records.length[cell] === EMPTY_LENGTH) row[i] = EMPTY
      else {
        const value = jsonOf(records, cell)
        const typed = encoded(i, value)
        if (typed === undefined) return undefined
        row[i] = typed
        if (isSource[i]) source[names[i] as string] = value
      }
    }
    if (isDerived) {
      const derived = deriveValues(kind, source)
      for (let i = 0; i < derived.length; i++) row[afterMembers + i] = derived[i] as TypedValue
    }
    row[place] = entry
    row[place + 1] = record + 1
    return row
  }
}

const EMPTY: TypedValue[] = []
const EMPTY_LENGTH = '[]'.length

const instantOf = ({ memory, start, end }: ScannedRecords, cell: number): number =>
  parseInstant(memory, start[cell] as number, end[cell] as number)

/** A canonical list or object has nothing that only a lossless parser keeps. */
const jsonOf = ({ memory, start, end }: ScannedRecords, cell: number): JsonValue =>
  JSON.parse(memory.toString('utf8', start[cell], end[cell]))

function cellText({ memory, what, start, end }: ScannedRecords, cell: number): string {
  const text = memory.toString('utf8', start[cell], end[cell])
  return what[cell] === ESCAPED ? JSON.parse(`"${text}"`) : text
}

const LENGTH = '2024-01-31T23:59:59Z'.length
const [ZERO, DASH, COLON, LETTER_T, LETTER_Z] = [0x30, 0x2d, 0x3a, 0x54, 0x5a]
const DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] as const

/**
 * Milliseconds since 1970 of a time in the bytes from `at` to `end`: the inverse of `formatTime`. NaN for a time that is
 * written in any other way, and for years before 100, which JavaScript takes for those of the last century.
 */
function parseInstant(bytes: Uint8Array, at: number, end: number): number {
  const isUsual =
    end - at === LENGTH &&
    bytes[at + 4] === DASH &&
    bytes[at + 7] === DASH &&
    bytes[at + 10] === LETTER_T &&
    bytes[at + 13] === COLON &&
    bytes[at + 16] === COLON &&
    bytes[at + 19] === LETTER_Z
  if (!isUsual) return Number.NaN
  const year = twoDigits(bytes, at) * 100 + twoDigits(bytes, at + 2)
  const month = twoDigits(bytes, at + 5)
  const day = twoDigits(bytes, at + 8)
  const hour = twoDigits(bytes, at + 11)
  const minute = twoDigits(bytes, at + 14)
  const second = twoDigits(bytes, at + 17)
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
  const days = month === 2 && isLeap ? 29 : (DAYS[month - 1] ?? 0)
  // NaN is in no range.
  const isReal =
    year >= 100 && day >= 1 && day <= days && hour <= 23 && minute <= 59 && second <= 59
  return isReal ? Date.UTC(year, month - 1, day, hour, minute, second) : Number.NaN
}

function twoDigits(bytes: Uint8Array, at: number): number {
  const tens = (bytes[at] as number) - ZERO
  const ones = (bytes[at + 1] as number) - ZERO
  return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? tens * 10 + ones : Number.NaN
}
