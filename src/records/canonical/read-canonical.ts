import { type Bytes, peek } from '../../base/streams.ts'
import { ESCAPED, NONE } from '../cells.ts'
import type { JsonObject } from '../json/json.ts'
import type { Kind } from '../kinds/kind.ts'
import { type ReadRecordsOptions, wholeWithin } from '../read-records.ts'
import { factsOf, isFactual, type RecordFacts } from '../statistics/record-facts.ts'
import { RecordScanner, type ScannedRecords } from './scan-records.ts'

export { RecordScanner, type ScannedRecords }

/** No canonical record is nested deeper than this. */
const CANONICAL_DEPTH = 8

/**
 * Reads a record file without parsing it, if it is small and all its records are canonical: printed exactly as the
 * host prints records of this kind. `found` is undefined for any other file. `bytes` is the whole content either way.
 */
export async function readCanonical(
  scanner: RecordScanner,
  kind: Kind | undefined,
  content: Bytes,
  { limits, form, salvage }: ReadRecordsOptions,
): Promise<{ found?: ScannedRecords; bytes: Bytes }> {
  const isTooShallow = (limits?.depth ?? CANONICAL_DEPTH) < CANONICAL_DEPTH
  if (!kind || salvage || isTooShallow) return { bytes: content }
  const whole = wholeWithin(limits)
  const { head, bytes } = await peek(content, whole + 1)
  const found = head.length <= whole ? scanner.scan(kind, head) : undefined
  if (!found) return { bytes }
  if (form && found.emptyArray) form.emptyArray ??= found.emptyArray
  return { found, bytes }
}

/** The result of `factsOf` for each record of the kind `name`. */
export function* canonicalFacts(name: string, records: ScannedRecords): Generator<RecordFacts> {
  const members = Object.entries(records.kind.columns).flatMap(([member, { storage }], column) =>
    isFactual(name, member) && (storage === 'text' || storage === 'time')
      ? [{ member, column }]
      : [],
  )
  for (let first = 0; first < records.records * records.columns; first += records.columns) {
    const record: JsonObject = {}
    for (const { member, column } of members) record[member] = decodedCell(records, first + column)
    yield factsOf(name, record)
  }
}

/** A text with one character per byte. */
function decodedCell({ memory, what, start, end }: ScannedRecords, cell: number): string | null {
  if (what[cell] === NONE) return null
  const text = memory.toString('latin1', start[cell], end[cell])
  return what[cell] === ESCAPED ? JSON.parse(`"${text}"`) : text
}
