import { EVENT_TYPES } from '../../records/kinds/event-types.ts'

/** The kinds of issue events that the interface documents. The others are served on request only. */
export const ISSUE_EVENT_KINDS: readonly string[] = EVENT_TYPES.filter(
  ({ source }) => source === 'documented',
).map(({ event }) => event)
