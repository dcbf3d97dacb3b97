import { isRawNumber, type JsonObject, type JsonValue } from '../../records/json/json.ts'
import type { Kind, Storage } from '../../records/kinds/kind.ts'
import { type Row, type RowLayout, rowLayoutOf, type SqlValue } from '../schema/row-layout.ts'

/**
 * The row of a record, without loss: the inverse of `toRecord`. Members without a column, or of an unexpected type, go to
 * `_extra`, and their names are added to `unforeseen`. `_member_order` is NULL for the usual order: `type`, the columns
 * in order, then the rest, where NULL means absent in an optional column and null in any other.
 */
export function toRow(kind: Kind, record: JsonObject, unforeseen?: string[]): Row {
  const shape = rowLayoutOf(kind)
  const { names } = shape
  const { length } = names
  const row: Row = []
  while (row.length <= length) row.push(null)
  const rest: [string, JsonValue][] = []
  let next = 0
  let usual = true
  // A hot loop: for-in is fastest, and most members are in their usual position.
  for (const member in record) {
    const value = record[member] as JsonValue
    const position = names[next] === member ? next : (shape.positionOf.get(member) ?? length)
    // Going back, or skipping a required member, is unusual.
    usual &&= position >= next && position <= (shape.nextRequired[next] as number)
    next = position === length ? length : position + 1
    if (position === 0 && value === shape.type) continue
    if (value === null && 0 < position && position < length) {
      usual &&= !shape.optional[position]
      continue
    }
    const stored = encode(shape, position, value)
    if (stored === undefined) rest.push([member, value])
    else row[position - 1] = stored
  }
  usual &&= shape.nextRequired[next] === length
  if (unforeseen) for (const [member] of rest) unforeseen.push(member)
  row[length - 1] = rest.length > 0 ? JSON.stringify(Object.fromEntries(rest)) : null
  row[length] = usual ? null : JSON.stringify(Object.keys(record))
  return row
}

/** The stored value; undefined if the column cannot hold it. */
function encode(shape: RowLayout, position: number, value: JsonValue): SqlValue | undefined {
  switch (shape.storages[position] as Storage | undefined) {
    case 'text':
    case 'time':
      // SQLite stores UTF-8, which has no lone surrogates.
      return position > 0 && typeof value === 'string' && value.isWellFormed() ? value : undefined
    case 'flag':
      return typeof value === 'boolean' ? Number(value) : undefined
    case 'integer':
      return Number.isSafeInteger(value) && !Object.is(value, -0) ? (value as number) : undefined
    case 'json':
      if (typeof value !== 'object' || isRawNumber(value)) return undefined
      if (Array.isArray(value)) return value.length > 0 ? JSON.stringify(value) : '[]'
      return shape.isList[position] ? undefined : JSON.stringify(value)
    default:
      return undefined
  }
}
