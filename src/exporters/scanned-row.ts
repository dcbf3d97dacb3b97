import type { ScannedRecords } from '../records/canonical/read-canonical.ts'
import { ESCAPED, NONE } from '../records/cells.ts'
import type { JsonObject, JsonValue } from '../records/json/json.ts'
import type { Kind } from '../records/kinds/kind.ts'
import { type ExportType, typeOf } from './column-types.ts'
import { deriveValues, sourcesOf } from './derive-value.ts'
import { type Dialect, EXACT } from './dialect.ts'
import { type Encoder, encodersFor, encodeWith, type TypedValue } from './encode-value.ts'
import { parseInstant } from './instant.ts'
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
export function openScannedRows(
  { kind: known, columns }: ExportTable,
  archive: string,
  dialect: Dialect = EXACT,
): (records: ScannedRecords, record: number, entry: string) => ScannedRow | undefined {
  const kind = known as Kind
  const encoders = encodersFor(dialect)(kind)
  const sources = sourcesOf(kind)
  const members = Object.entries(kind.columns).map(([name, column], i) => ({
    ...{ name, type: typeOf(column), isSource: sources.has(name) },
    ...(encoders[i] as Encoder),
  }))
  const afterMembers = members.length
  const isDerived = columns[afterMembers]?.name !== '_extra'
  const place = columns.findIndex(({ name }) => name === '_entry')
  const row: (TypedValue | undefined)[] = columns.map(() => null)
  row[place + 2] = archive
  const source: JsonObject = { type: kind.type }
  return (records, record, entry) => {
    const first = record * members.length
    for (let i = 0; i < members.length; i++) {
      const { name, type, encode, holdsNull, isSource } = members[i] as (typeof members)[number]
      const cell = first + i
      if (records.what[cell] === NONE) {
        if (!holdsNull) return undefined
        row[i] = null
        if (isSource) source[name] = null
        continue
      }
      const value = jsonOf(records, cell, type)
      if (value === undefined) {
        row[i] = undefined
        if (isSource) source[name] = textOf(records, cell)
        continue
      }
      if (typeof value === 'object' || typeof value === 'string') {
        const { typed, fidelity } = encodeWith(encode, value)
        if (fidelity !== 'exact') return undefined
        row[i] = typed
      } else row[i] = value
      if (isSource) source[name] = type.is === 'time' ? textOf(records, cell) : value
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

/** The value of a column as JSON; undefined for a text, and a number for a time in the usual form. */
function jsonOf(
  records: ScannedRecords,
  cell: number,
  { is }: ExportType,
): Exclude<JsonValue, null> | undefined {
  switch (is) {
    case 'text':
      return undefined
    case 'time': {
      const { memory, start, end } = records
      const instant = parseInstant(memory, start[cell] as number, end[cell] as number)
      return Number.isNaN(instant) ? textOf(records, cell) : instant
    }
    case 'flag':
      return records.integer[cell] === 1
    case 'integer':
      return records.integer[cell] as number
    default: {
      if (is === 'list' && records.length[cell] === 2) return EMPTY
      const { memory, start, end } = records
      // A canonical value is nothing that only a lossless parser keeps.
      return JSON.parse(memory.toString('utf8', start[cell], end[cell]))
    }
  }
}

const EMPTY: JsonValue[] = []

function textOf({ memory, what, start, end }: ScannedRecords, cell: number): string {
  const text = memory.toString('utf8', start[cell], end[cell])
  return what[cell] === ESCAPED ? JSON.parse(`"${text}"`) : text
}
