import { isObject, type JsonObject, type JsonValue } from '../records/json/json.ts'
import { EVENT_TYPES } from '../records/kinds/event-types.ts'
import type { Column, Kind, Members } from '../records/kinds/kind.ts'
import { KINDS, type KindName } from '../records/kinds/kinds.ts'
import { isColumn } from '../records/kinds/member-paths.ts'
import type { SourceReading } from './source.ts'
import type { SourceProblems } from './source-problems.ts'

const EVENTS: ReadonlySet<unknown> = new Set(EVENT_TYPES.map(({ event }) => event))

/**
 * Makes the function that keeps parts of records. With the option `bare` it keeps only kinds, members and events that archives
 * of the host have, and counts the rest as left out. Undefined without the option: everything is kept.
 */
export function keptParts({ options }: SourceReading, problems: SourceProblems) {
  if (!options.bare) return undefined
  const leaveOut = (reason: string, kind: string, member?: string): undefined => {
    problems.add('source-left-out', `${reason} that archives of the host do not have`, kind, member)
  }
  return (kind: string, record: JsonObject): JsonObject | undefined => {
    if (!Object.hasOwn(KINDS, kind)) return leaveOut('kinds', kind)
    if (kind === 'issue_events' && !EVENTS.has(record.event)) {
      return leaveOut('events', kind, String(record.event))
    }
    const { type, ...members } = record
    const { columns } = KINDS[kind as KindName] as Kind
    const known = knownMembers(members, columns, (member) => leaveOut('members', kind, member))
    return type === undefined ? known : { type, ...known }
  }
}

/** The members that a table knows, at any depth. The others are reported by their paths, such as `labels[].gitlab`. */
function knownMembers(
  object: JsonObject,
  members: Members,
  leaveOut: (member: string) => void,
): JsonObject {
  const known = Object.entries(object).flatMap(([name, value]) => {
    const column = Object.hasOwn(members, name) ? members[name] : undefined
    if (column === undefined) leaveOut(name)
    return column ? [[name, knownIn(value, column, (rest) => leaveOut(`${name}${rest}`))]] : []
  })
  return Object.fromEntries(known)
}

function knownIn(value: JsonValue, column: Column, leaveOut: (rest: string) => void): JsonValue {
  if (column.members && isObject(value)) {
    return knownMembers(value, column.members, (member) => leaveOut(`.${member}`))
  }
  const element = column.list?.element
  if (!element || isColumn(element) || !Array.isArray(value)) return value
  return value.map((each) =>
    isObject(each) ? knownMembers(each, element, (member) => leaveOut(`[].${member}`)) : each,
  )
}
