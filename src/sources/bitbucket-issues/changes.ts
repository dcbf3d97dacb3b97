import type { JsonObject } from '../../records/json/json.ts'
import { textColor } from '../label-color.ts'
import type { Members } from '../members.ts'
import { isClosed, LABEL_FIELDS } from './labels.ts'
import type { Tracker } from './tracker.ts'

/** An entry of the log of changes. */
export interface Change {
  issue: number
  /** The comment that was saved with it. */
  comment: number | null
  field: string
  from: string
  to: string
  members: Members
  /** The time as written, by which changes are ordered. */
  time: string
  entry: string
}

/** Fields that name who is responsible. */
const RESPONSIBLE: ReadonlySet<string> = new Set(['responsible', 'assignee'])

type Event = JsonObject & { event: string }

/**
 * The events that a change amounts to; none for an attachment, which is a record.
 *
 * @param at when it happened
 */
export function eventsOf(tracker: Tracker, change: Change, at: string): Event[] {
  const { field } = change
  if (field === 'attachment') return []
  const found = knownEvents(tracker, change, at)
  if (found.length > 0) return found
  return [{ event: `bitbucket_${field.replace(/[^A-Za-z0-9]+/g, '_')}_changed` }]
}

function knownEvents(tracker: Tracker, change: Change, at: string): Event[] {
  const { field, from, to } = change
  if (field === 'title') return [{ event: 'renamed', title_was: from, title_is: to }]
  if (field === 'milestone') {
    return [
      ...(isSet(from) ? [{ event: 'demilestoned', milestone_title: from }] : []),
      ...(isSet(to) ? [{ event: 'milestoned', milestone_title: to }] : []),
    ]
  }
  if (RESPONSIBLE.has(field)) {
    return [
      ...assignment(tracker, 'unassigned', from, at),
      ...assignment(tracker, 'assigned', to, at),
    ]
  }
  const labels = LABEL_FIELDS.includes(field) ? labelChanges(tracker, change, at) : []
  return [...(field === 'status' ? closingOf(from, to) : []), ...labels]
}

const isSet = (value: string) => value !== '' && value !== 'None'

function assignment(tracker: Tracker, event: string, person: string, at: string): Event[] {
  const login = tracker.names.loginOf(person)
  if (login === null) return []
  const subject = login === undefined ? null : tracker.account(login, at)
  return [{ event, ...(subject !== null && { subject }) }]
}

function closingOf(from: string, to: string): Event[] {
  if (isClosed(from) === isClosed(to)) return []
  return [{ event: isClosed(to) ? 'closed' : 'reopened' }]
}

function labelChanges(tracker: Tracker, { field, from, to }: Change, at: string): Event[] {
  const change = (event: string, word: string): Event[] => {
    const label = isSet(word) ? tracker.label(field, word, at) : undefined
    if (!label) return []
    const { url, name, color } = label
    return [
      {
        event,
        label: url,
        label_name: name,
        label_color: color,
        label_text_color: textColor(color),
      },
    ]
  }
  return [...change('unlabeled', from), ...change('labeled', to)]
}
