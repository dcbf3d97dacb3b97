import type { ExportType } from '../column-types.ts'
import type { TypedValue } from '../to-typed.ts'

/** JSON of a nested value. A member of type json is written as JSON, not as text. */
export function jsonOf(type: ExportType, value: TypedValue): string {
  if (value === null) return 'null'
  if (type.is === 'json') return String(value)
  if (type.is === 'list') {
    return `[${(value as TypedValue[]).map((element) => jsonOf(type.element, element)).join()}]`
  }
  if (type.is === 'struct') {
    const struct = value as Record<string, TypedValue>
    const members = type.members.map(
      (member) =>
        `${JSON.stringify(member.name)}:${jsonOf(member.type, struct[member.name] ?? null)}`,
    )
    return `{${members.join()}}`
  }
  return typeof value === 'bigint' ? String(value) : JSON.stringify(value)
}
