import { EVENT_TYPES } from '../../records/kinds/event-types.ts'

/** The kinds of issue events that the interface documents. The others are served on request only. */
export const ISSUE_EVENT_KINDS: readonly string[] = EVENT_TYPES.filter(
  ({ source }) => source === 'documented',
).map(({ event }) => event)

/** The type of an issue event in ids: `renamed` is `RenamedTitleEvent`, `head_ref_deleted` is `HeadRefDeletedEvent`. */
export function issueEventType(kind: string): string {
  if (kind === 'renamed') return 'RenamedTitleEvent'
  const words = kind.split('_').map((word) => word.charAt(0).toUpperCase() + word.slice(1))
  return `${words.join('')}Event`
}
