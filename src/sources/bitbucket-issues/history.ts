import { compareTexts } from '../../base/text.ts'
import { type JsonObject, textOrEmpty } from '../../records/json/json.ts'
import { type Change, eventsOf } from './changes.ts'
import { isNumber } from './lists.ts'
import type { Tracker } from './tracker.ts'

/** An issue whose records are being made. */
export interface AboutIssue {
  tracker: Tracker
  number: number
  url: string
  created_at: string
  entry: string
}

/** A thing of an issue. */
export interface Placed {
  object: JsonObject
  index: number
  /** Its place in the file. */
  at: string
}

/** The changes of an issue, in the order in which they were made. */
export function changesOf(
  { tracker, number, entry }: AboutIssue,
  logs: readonly Placed[],
): Change[] {
  return inOrder(logs).map(({ object, at }) => {
    const members = tracker.members(object, entry, at)
    members.take('issue')
    members.take('field')
    return {
      issue: number,
      comment: isNumber(object.comment) ? object.comment : null,
      field: textOrEmpty(object.field) || 'unknown',
      from: textOrEmpty(object.changed_from),
      to: textOrEmpty(object.changed_to),
      members,
      time: textOrEmpty(object.created_on),
      entry,
    }
  })
}

/** Facts of an issue that its changes do not have. */
interface Beside {
  /** The members of comments without a text, by their ids. Such a comment was saved with a change. */
  carried: ReadonlyMap<number, JsonObject>
  /** The names of its attachments. */
  attached: ReadonlySet<string>
}

/** Adds the events that the changes of an issue amount to. */
export function addEvents(issue: AboutIssue, changes: readonly Change[], beside: Beside): void {
  const { tracker, number, url, entry } = issue
  for (const change of changes) {
    const { members, comment, field } = change
    const created_at = tracker.date(members, 'created_on', entry, issue.created_at)
    const actor = tracker.person(members, 'user', created_at)
    const events = eventsOf(tracker, change, created_at)
    const carried = comment === null ? undefined : beside.carried.get(comment)
    const own = members.unused(() => false)
    if (events.length === 0) noteAttached(issue, change, { ...carried, ...own }, beside)
    const kept = carried || own ? { field, ...carried, ...own } : undefined
    for (const { event, ...more } of events) {
      const id = tracker.idOf('issue_events', `${number} ${comment} ${field}`)
      const own = `${url}#event-${id}`
      tracker.add(
        'issue_events',
        { type: 'issue_event', url: own, issue: url, actor, event, ...more, created_at },
        kept,
      )
    }
  }
}

/** Members of a change that added an attachment: its record says the same, or its place. */
const OF_ATTACHING = new Set(['comment', 'changed_from', 'changed_to', 'updated_on'])

/** Counts what such a change says beside the record of the attachment. */
function noteAttached(
  { tracker, number, entry }: AboutIssue,
  { to }: Change,
  kept: JsonObject,
  { attached }: Beside,
): void {
  const at = `issue ${number}`
  if (!attached.has(to)) {
    const reason = 'changes that added an attachment that is not in the list'
    tracker.problem('source-left-out', reason, entry, at)
  }
  for (const name of Object.keys(kept)) {
    if (OF_ATTACHING.has(name)) continue
    const reason = 'members of changes that added an attachment'
    tracker.problem('source-left-out', reason, entry, `${at}, ${name}`)
  }
}

/** By time as written, which all exports have in UTC, and then by their place. */
export function inOrder(objects: readonly Placed[]): Placed[] {
  const time = ({ object }: Placed) => textOrEmpty(object.created_on)
  const id = ({ object }: Placed) => (isNumber(object.id) ? object.id : 0)
  return objects.toSorted((left, right) => {
    const [a, b] = [time(left), time(right)]
    return compareTexts(a, b) || id(left) - id(right)
  })
}
