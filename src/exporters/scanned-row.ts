import type { ScannedRecords } from '../records/canonical/read-canonical.ts'
import { ESCAPED, NONE } from '../records/cells.ts'
import type { JsonObject, JsonValue } from '../records/json/json.ts'
import type { Kind } from '../records/kinds/kind.ts'
import { typeOf } from './column-types.ts'
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
        if (isSource[i]) source[names[i] as string] = textOf(records, cell)
      } else if (type === 'time') {
        const instant = instantOf(records, cell)
        const typed = Number.isNaN(instant) ? encoded(i, textOf(records, cell)) : instant
        if (typed === undefined) return undefined
        row[i] = typed
        if (isSource[i]) source[names[i] as string] = textOf(records, cell)
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

function textOf({ memory, what, start, end }: ScannedRecords, cell: number): string {
  const text = memory.toString('utf8', start[cell], end[cell])
  return what[cell] === ESCAPED ? JSON.parse(`"${text}"`) : text
}
