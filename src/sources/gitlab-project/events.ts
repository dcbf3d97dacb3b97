import { compareTexts } from '../../base/text.ts'
import type { JsonObject } from '../../records/json/json.ts'
import { isId } from './people.ts'
import { objectsIn } from './survey.ts'
import { systemEvents } from './system-notes.ts'
import { asWord, type Event, labelMembers, type Thread } from './thread.ts'
import { restOfEvent } from './thread-facts.ts'

const STATES: { readonly [state: string]: string } = {
  closed: 'closed',
  reopened: 'reopened',
  merged: 'merged',
  locked: 'locked',
}

/** Adds the events of a thread, in the order in which they happened. */
export function addEvents(thread: Thread, object: JsonObject, made: readonly Event[]): void {
  const { project, url, parent, entry } = thread
  const events = [...resourceEvents(thread, object), ...made]
  const seen = new Map(events.map((event) => [keyOf(event), event]))
  for (const event of systemEvents(thread, objectsIn(object.notes))) {
    // Hosts of some years have both a note and an event of the same thing.
    const same = seen.get(keyOf(event))
    if (!same) events.push(event)
    else if (event.kept) same.kept = { ...event.kept, ...same.kept }
  }
  const sorted = events
    .map((event, i) => ({ event, i }))
    .sort((left, right) => {
      const [a, b] = [left.event.time, right.event.time]
      return compareTexts(a, b) || left.i - right.i
    })
  for (const { event } of sorted) {
    const { event: name, actor, time, more, kept, key } = event
    const members = project.members({ created_at: time }, entry, name)
    const created_at = project.date(members, 'created_at', entry, thread.created_at)
    // Ids of several lists of the host are not unique together.
    const id = project.idOf({}, 'issue_events', `${url} ${name} ${time} ${actor} ${key}`)
    project.add(
      'issue_events',
      {
        type: 'issue_event',
        url: `${url}#event-${id}`,
        [parent]: url,
        actor,
        event: name,
        ...more,
        created_at,
      },
      kept,
    )
  }
}

const keyOf = ({ event, time, actor }: Event): string => `${event} ${time.slice(0, 19)} ${actor}`

function* resourceEvents(thread: Thread, object: JsonObject): Generator<Event> {
  const { project, entry } = thread
  const basic = (event: string, each: JsonObject, more: JsonObject): Event => ({
    event,
    time: typeof each.created_at === 'string' ? each.created_at : '',
    actor: isId(each.user_id) ? project.personWithId(each.user_id, thread.created_at) : null,
    more,
    kept: restOfEvent(project, each),
    object: each,
    key: '',
  })
  for (const [i, each] of objectsIn(object.resource_label_events).entries()) {
    const label = project.label(each.label, entry, `resource_label_events[${i}].label`)
    if (!label) {
      project.problem('source-left-out', 'events of labels that were deleted', entry, thread.url)
      continue
    }
    yield basic(each.action === 'remove' ? 'unlabeled' : 'labeled', each, labelMembers(label))
  }
  for (const [i, each] of objectsIn(object.resource_milestone_events).entries()) {
    const { milestone, action } = each
    project.milestones.urlOf(milestone, entry, `resource_milestone_events[${i}].milestone`)
    const title = Object(milestone).title
    if (typeof title !== 'string') {
      project.problem(
        'source-left-out',
        'events of milestones that were deleted',
        entry,
        thread.url,
      )
      continue
    }
    yield basic(action === 'remove' ? 'demilestoned' : 'milestoned', each, {
      milestone_title: title,
    })
  }
  for (const each of objectsIn(object.resource_state_events)) {
    const state = String(each.state)
    const event = Object.hasOwn(STATES, state) ? String(STATES[state]) : `gitlab_${asWord(state)}`
    const commit = each.source_commit
    yield basic(event, each, {
      ...(typeof commit === 'string' && /^[0-9a-f]{40}$/.test(commit) && { commit_id: commit }),
    })
  }
}
