import { rowLayoutOf } from '../database/schema/row-layout.ts'
import type { JsonObject, JsonValue } from '../records/json/json.ts'
import type { Kind } from '../records/kinds/kind.ts'
import { deriveValues } from './derive-value.ts'
import { type Dialect, EXACT, listMembers } from './dialect.ts'
import { encodersFor, encodeWith, type TypedValue } from './encode-value.ts'

export type { TypedValue }

/** The row of a record in a table: the inverse of what `fromExport` makes of it. */
export interface TypedRow {
  /** The members in the order of their columns. */
  readonly values: TypedValue[]
  /** The derived columns in order. */
  readonly derived: readonly (string | number | bigint | null)[]
  /** `_extra`: the members whose columns do not give back the same JSON, as the text of a JSON object. */
  readonly extra: string | null
  /** The names in `extra`. */
  readonly extraMembers: readonly string[]
  /** `_member_order`: the names of all members; null for the usual order. */
  readonly memberOrder: string[] | null
}

/**
 * The typed row of a record, without loss. A member whose column would not give back the same JSON goes to `extra`; its
 * column is then NULL or the nearest useful value.
 */
export function toTyped(kind: Kind, record: JsonObject, dialect: Dialect = EXACT): TypedRow {
  const { names, nextRequired, optional, positionOf, type } = rowLayoutOf(kind)
  const encoders = encodersFor(dialect)(kind)
  const values = encoders.map(({ absent }) => absent)
  const extra: [string, JsonValue][] = []
  let next = 0
  let isUsual = true
  let ambiguous = 0
  for (const member in record) {
    const value = record[member] as JsonValue
    const position = positionOf.get(member) ?? names.length
    isUsual &&= position >= next && position <= (nextRequired[next] as number)
    next = position === names.length ? position : position + 1
    if (position === 0 && value === type) continue
    const encoder = encoders[position - 1]
    if (encoder === undefined) {
      extra.push([member, value])
      continue
    }
    if (optional[position] && !encoder.holdsNull) ambiguous++
    if (value === null) {
      isUsual &&= !optional[position]
      if (!encoder.holdsNull) extra.push([member, null])
      continue
    }
    const { typed, fidelity } = encodeWith(encoder.encode, value)
    if (fidelity !== 'none') values[position - 1] = typed
    if (fidelity !== 'exact') extra.push([member, value])
  }
  isUsual &&= nextRequired[next] === names.length
  // If NULL and an empty list look the same, only the names say whether a member is absent or empty.
  isUsual &&= ambiguous === encoders.filter((one, i) => optional[i + 1] && !one.holdsNull).length
  return {
    values,
    derived: deriveValues(kind, record),
    extra: extra.length > 0 ? JSON.stringify(Object.fromEntries(extra)) : null,
    extraMembers: extra.map(([member]) => member),
    memberOrder: isUsual ? null : listMembers(Object.keys(record)),
  }
}
