import { formatTime } from '../../src/base/format-time.ts'
import { rowLayoutOf } from '../../src/database/schema/row-layout.ts'
import { type ExportType, typeOf } from '../../src/exporters/column-types.ts'
import { parseMembers } from '../../src/exporters/dialect.ts'
import type { TypedRow, TypedValue } from '../../src/exporters/to-typed.ts'
import { type JsonObject, type JsonValue, losslessNumber } from '../../src/records/json/json.ts'
import { parseLossless } from '../../src/records/json/parse-lossless.ts'
import { type Kind, perKind } from '../../src/records/kinds/kind.ts'

const typesOf = perKind((kind) => Object.values(kind.columns).map(typeOf))

/**
 * The record of a typed row, byte for byte except white space: the inverse of `toTyped`. Unlike in the database, a
 * member in `_extra` overrides its column, which then only has the nearest value.
 */
export function fromExport(
  kind: Kind,
  { values, extra, memberOrder }: Pick<TypedRow, 'values' | 'extra' | 'memberOrder'>,
): JsonObject {
  const { names, optional, positionOf, type } = rowLayoutOf(kind)
  const types = typesOf(kind)
  const rest = new Map(Object.entries(extra === null ? {} : (parse(extra) as JsonObject)))
  const listed = memberOrder && parseMembers(memberOrder)
  const record = new Map<string, JsonValue>()
  for (const name of listed ?? [...names, ...rest.keys()]) {
    const position = positionOf.get(name)
    if (rest.has(name)) record.set(name, rest.get(name) as JsonValue)
    else if (position === 0) record.set(name, type)
    else if (position !== undefined) {
      const value = values[position - 1] ?? null
      if (value === null && !listed && optional[position]) continue
      record.set(name, decode(types[position - 1] as ExportType, value))
    }
  }
  // Unlike assignment, Object.fromEntries treats __proto__ like any other name.
  return Object.fromEntries(record)
}

function decode(type: ExportType, value: TypedValue): JsonValue {
  if (value === null) return null
  switch (type.is) {
    case 'time':
      return typeof value === 'string' ? value : formatTime(Number(value))
    case 'integer':
      return losslessNumber(String(value))
    case 'json':
      return parse(String(value))
    case 'list':
      return (value as TypedValue[]).map((element) => decode(type.element, element))
    case 'struct': {
      const struct = value as Record<string, TypedValue>
      const members = type.members.filter(
        ({ name, optional }) => !optional || (struct[name] ?? null) !== null,
      )
      return Object.fromEntries(
        members.map((member) => [member.name, decode(member.type, struct[member.name] ?? null)]),
      )
    }
    default:
      return value as string | boolean
  }
}

const parse = (text: string): JsonValue =>
  parseLossless(text, { maxDepth: Number.POSITIVE_INFINITY })
