import { ESCAPED, NONE } from '../cells.ts'
import type { JsonObject } from '../json/json.ts'
import { factsOf, isFactual, type RecordFacts } from '../statistics/record-facts.ts'
import type { ScannedRecords } from './scan-records.ts'

/** The result of `factsOf` for each record of the kind `name`. */
export function* canonicalFacts(name: string, records: ScannedRecords): Generator<RecordFacts> {
  const members = Object.entries(records.kind.columns).flatMap(([member, { storage }], column) =>
    isFactual(name, member) && (storage === 'text' || storage === 'time')
      ? [{ member, column }]
      : [],
  )
  for (let first = 0; first < records.records * records.columns; first += records.columns) {
    const record: JsonObject = {}
    for (const { member, column } of members) record[member] = textOf(records, first + column)
    yield factsOf(name, record)
  }
}

/** A text with one character per byte. */
function textOf({ memory, what, start, end }: ScannedRecords, cell: number): string | null {
  if (what[cell] === NONE) return null
  const text = memory.toString('latin1', start[cell], end[cell])
  return what[cell] === ESCAPED ? JSON.parse(`"${text}"`) : text
}
