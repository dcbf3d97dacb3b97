import type { JsonObject } from '../../records/json/json.ts'
import { isObject } from '../../records/json/json.ts'
import { keepAttachment } from './notes.ts'
import { isId } from './people.ts'
import { isDerivable } from './project.ts'
import { asWord, type Event, labelMembers, type Thread } from './thread.ts'

type Found = Pick<Event, 'event' | 'more'>

/** Reads the text of a note; undefined for a text that is not understood. */
type Reader = (text: string, thread: Thread) => Found[] | undefined

const plain = (event: string): Found[] => [{ event, more: {} }]
const subject = (event: string, url: string): Found => ({ event, more: { subject: url } })

/** People in a list such as "@a, @b and @c". */
const namesIn = (text: string | undefined): string[] =>
  [...(text ?? '').matchAll(/@([\w.-]*\w)/g)].map(([, name]) => String(name))

function people(text: string, thread: Thread, events: readonly [RegExp, string][]) {
  const found = events.flatMap(([pattern, event]) =>
    namesIn(pattern.exec(text)?.[1]).map((name) =>
      subject(event, thread.project.personWithLogin(name, thread.created_at)),
    ),
  )
  return found.length > 0 ? found : undefined
}

/** The labels in a list such as `~12 ~"two words"`; undefined if one of them is not known. */
function labelsIn(list: string, { project, entry }: Thread): JsonObject[] | undefined {
  const labels: JsonObject[] = []
  for (const [, quoted, word] of list.matchAll(/~(?:"([^"]+)"|([^\s~"]+))/g)) {
    const known = project.survey.labels.get(`~${(quoted ?? word ?? '').toLowerCase()}`)
    const label = project.label(known, entry, 'notes')
    if (!label) return undefined
    labels.push(label)
  }
  return labels
}

/** A title without the marks of what changed in it. */
const withoutMarks = (title: string): string => title.replace(/\{[-+](.*?)[-+]\}/g, '$1')

/** THE TABLE of what the host writes into a thread itself, by its action. */
const READERS: { readonly [action: string]: Reader } = {
  closed: () => plain('closed'),
  opened: () => plain('reopened'),
  reopened: () => plain('reopened'),
  merged: () => plain('merged'),
  locked: () => plain('locked'),
  unlocked: () => plain('unlocked'),
  duplicate: () => plain('marked_as_duplicate'),
  moved: () => plain('transferred'),
  title(text) {
    if (
      /^marked (?:this merge request )?as \*\*(?:draft|ready)|^(?:un)?marked as a \*\*Work/i.test(
        text,
      )
    ) {
      return plain(
        /draft|^marked as a \*\*Work/i.test(text) ? 'convert_to_draft' : 'ready_for_review',
      )
    }
    const [, was = '', is = ''] =
      /^changed title from \*\*(.+)\*\* to \*\*(.+)\*\*$/s.exec(text) ?? []
    if (was === '') return undefined
    const more = { title_was: withoutMarks(was), title_is: withoutMarks(is) }
    return [{ event: 'renamed', more }]
  },
  // Before there were lists of these events.
  label(text, thread) {
    const [, list = ''] = /^((?:added|removed) .+) labels?$/is.exec(text) ?? []
    const [added = '', removed = ''] = list
      .replace(/^removed /i, ' and removed ')
      .split(' and removed ')
    const labeled = labelsIn(added, thread)
    const unlabeled = labelsIn(removed, thread)
    if (!labeled || !unlabeled || labeled.length + unlabeled.length === 0) return undefined
    return [
      ...labeled.map((label) => ({ event: 'labeled', more: labelMembers(label) })),
      ...unlabeled.map((label) => ({ event: 'unlabeled', more: labelMembers(label) })),
    ]
  },
  milestone(text, { project }) {
    const [, number, quoted, word] =
      /^(?:milestone )?changed (?:milestone )?to (?:%(\d{1,9})|%"([^"]+)"|%?(\S+))$/i.exec(text) ??
      []
    const { milestones } = project.survey
    const title = quoted ?? word
    const found =
      number === undefined
        ? [...milestones.values()].find((milestone) => milestone.title === title)
        : milestones.get(`project ${number}`)
    return found && [{ event: 'milestoned', more: { milestone_title: found.title } }]
  },
  assignee: (text, thread) =>
    people(text, thread, [
      [/(?<!un)assigned to (.+?)(?:,? (?:and )?unassigned|$)/s, 'assigned'],
      [/unassigned (.+)$/s, 'unassigned'],
      [/^removed assignee(.*)$/s, 'unassigned'],
    ]),
  reviewer: (text, thread) =>
    people(text, thread, [
      [/requested review from (.+?)(?:,? (?:and )?removed review request|$)/s, 'review_requested'],
      [/removed review request for (.+)$/s, 'review_request_removed'],
    ]),
  cross_reference(text, { project }) {
    const [, kind, path = '', sign, number] =
      /^mentioned in (issue|merge request) ([\w./-]*)([#!])(\d{1,9})$/.exec(text) ?? []
    if (kind !== undefined && path === '') {
      const n = Number(number)
      const url =
        sign === '#' ? `issues/${project.issueNumber(n)}` : `pull/${project.pullNumber(n)}`
      return [subject('cross-referenced', `${project.url}/${url}`)]
    }
    const [, commit] = /^mentioned in commit ([0-9a-f]{40})$/.exec(text) ?? []
    return commit === undefined ? undefined : [{ event: 'referenced', more: { commit_id: commit } }]
  },
  branch(text) {
    const [, was, is] = /^changed target branch from `(.+)` to `(.+)`$/.exec(text) ?? []
    if (was !== undefined && is !== undefined) {
      return [{ event: 'base_ref_changed', more: { title_was: was, title_is: is } }]
    }
    if (/^deleted source branch/.test(text)) return plain('head_ref_deleted')
    return /^restored source branch/.test(text) ? plain('head_ref_restored') : undefined
  },
}

/** The host writes no longer notes that are understood. */
const LONGEST = 4000

/** Actions whose note repeats something that is a record. */
const REPEATED = new Set(['approved', 'unapproved'])

/** The events that notes of the host amount to. A note that is not understood is an event with its text. */
export function* systemEvents(thread: Thread, notes: readonly JsonObject[]): Generator<Event> {
  const { project } = thread
  for (const [i, note] of notes.entries()) {
    if (note.system !== true) continue
    const text = typeof note.note === 'string' ? note.note : ''
    const data = note.system_note_metadata
    const stated = isObject(data) && typeof data.action === 'string' ? data.action : actionOf(text)
    const kept = restOfNote(thread, note, i)
    if (REPEATED.has(stated)) {
      if (kept) {
        const reason = 'members of notes of approvals, which are reviews'
        project.problem('source-left-out', reason, thread.entry, thread.url)
      }
      continue
    }
    const reader = Object.hasOwn(READERS, stated) ? READERS[stated] : undefined
    const found = text.length > LONGEST ? undefined : reader?.(text, thread)
    const basic = {
      time: typeof note.created_at === 'string' ? note.created_at : '',
      actor: isId(note.author_id) ? project.personWithId(note.author_id, thread.created_at) : null,
      object: note,
      key: `${note.discussion_id ?? i}`,
    }
    if (found) for (const each of found) yield { ...basic, ...each, kept }
    else {
      yield { ...basic, event: `gitlab_${asWord(stated)}`, more: {}, kept: { note: text, ...kept } }
    }
  }
}

/** Members of a note of the host that its event or its place says. */
const OF_NOTES: ReadonlySet<string> = new Set([
  'author_id',
  'created_at',
  'discussion_id',
  'last_edited_at',
  'note',
  'noteable_id',
  'system_note_metadata',
  'updated_at',
])
const OF_METADATA: ReadonlySet<string> = new Set(['action', 'created_at', 'id', 'updated_at'])

/** What a note of the host says beside its event. */
function restOfNote(
  { project, entry }: Thread,
  note: JsonObject,
  index: number,
): JsonObject | undefined {
  const members = project.members(note, entry, `notes[${index}]`)
  const data = members.object('system_note_metadata') ?? {}
  const more = project.members(data, entry).unused((name) => OF_METADATA.has(name))
  keepAttachment(members)
  const rest = members.unused(
    (name, value) =>
      value === false ||
      value === 'none' ||
      OF_NOTES.has(name) ||
      isDerivable(name) ||
      (Array.isArray(value) && value.length === 0),
  )
  return more ? { ...rest, system_note_metadata: more } : rest
}

/** The action of a note of an old export, which does not say it. */
function actionOf(text: string): string {
  const first: readonly [RegExp, string][] = [
    [/^(?:status changed to )?(closed|reopened|merged)\b/, ''],
    [/^changed title/, 'title'],
    [/^(?:re|un)?assigned/i, 'assignee'],
    [/^mentioned in/, 'cross_reference'],
    [/^(?:added|removed) .+ labels?$/is, 'label'],
    [/^(?:milestone changed|changed milestone) /i, 'milestone'],
  ]
  for (const [pattern, action] of first) {
    const found = pattern.exec(text)
    if (found) return action || String(found[1])
  }
  return 'note'
}
