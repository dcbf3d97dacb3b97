import type { JsonObject } from '../records/json/json.ts'
import { EVENT_TYPES } from '../records/kinds/event-types.ts'
import { KINDS, type KindName } from '../records/kinds/kinds.ts'
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
    const { columns } = KINDS[kind as KindName]
    const known = Object.entries(record).filter(([name]) => {
      if (name === 'type' || Object.hasOwn(columns, name)) return true
      leaveOut('members', kind, name)
      return false
    })
    return Object.fromEntries(known)
  }
}
