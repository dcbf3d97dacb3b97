import { isOid } from '../../git/parse/git-object.ts'
import type { JsonObject, JsonValue } from '../../records/json/json.ts'
import { isObject } from '../../records/json/json.ts'
import type { Members } from '../members.ts'
import { isConfidential, takeReactions } from './notes.ts'
import { isId } from './people.ts'
import type { Project } from './project.ts'
import { objectsIn } from './survey.ts'
import type { Thread } from './thread.ts'

const OF_EVENTS = [
  'created_at',
  'id',
  'issue_id',
  'label',
  'label_id',
  'merge_request_id',
  'milestone',
  'milestone_id',
  'reference',
  'state',
  'user_id',
]
const OF_PEOPLE = ['created_at', 'id', 'issue_id', 'merge_request_id', 'updated_at', 'user_id']
const OF_LABELS = [
  'created_at',
  'id',
  'label',
  'label_id',
  'target_id',
  'target_type',
  'updated_at',
]

/** Whether an object has no other members than these. */
const hasOnly = (object: JsonObject, names: readonly string[]): boolean =>
  Object.entries(object).every(([name, value]) => value === null || names.includes(name))

const isPerson = (each: JsonObject) => isId(each.user_id) && hasOnly(each, OF_PEOPLE)

/** Lists of a thread that other records or members are made of, and whether those say all of an element. */
const LISTS: { readonly [list: string]: (element: JsonObject) => boolean } = {
  // What these have beside is kept with their records.
  notes: () => true,
  resource_label_events: () => true,
  resource_milestone_events: () => true,
  resource_state_events: () => true,
  label_links: (each) => isTitled(each.label) && hasOnly(each, OF_LABELS),
  issue_assignees: isPerson,
  merge_request_assignees: isPerson,
  merge_request_reviewers: isPerson,
}

const isTitled = (label: JsonValue | undefined): boolean =>
  isObject(label) && typeof label.title === 'string' && label.title !== ''

/** Takes the lists of a thread. Elements that cannot be used, or that say more than is read, stay to be kept. */
export function takeLists(members: Members): void {
  for (const [list, isRead] of Object.entries(LISTS)) {
    const value = members.take(list)
    if (value === null) continue
    if (!Array.isArray(value)) {
      members.refuse(list, value)
      continue
    }
    const others = value.filter((each) => !isObject(each) || !isRead(each))
    if (others.length > 0) members.keep(list, others)
  }
}

/** What an event of a list says beside its record. */
export function restOfEvent(project: Project, event: JsonObject): JsonObject | undefined {
  return project
    .members(event, '')
    .unused(
      (name, value) =>
        value === false ||
        (name === 'source_commit' ? isOid(String(value)) : OF_EVENTS.includes(name)) ||
        (name === 'action' && (value === 'add' || value === 'remove')),
    )
}

/** Takes the members that every thread has. */
export function startThread(
  project: Project,
  parent: Thread['parent'],
  number: number,
  members: Members,
  entry: string,
): Thread {
  project.startThread()
  const url = `${project.url}/${parent === 'issue' ? 'issues' : 'pull'}/${number}`
  const created_at = project.date(members, 'created_at', entry, null)
  members.take('iid')
  return { project, parent, url, number, entry, created_at }
}

/** The facts that issues and merge requests share. */
export function factsOf(thread: Thread, members: Members, object: JsonObject) {
  const { project, entry, url, created_at, parent } = thread
  const user = project.person(members, 'author_id', created_at)
  const description = members.text('description')
  const shownBy = { thread: url, type: parent, url, user, at: created_at }
  const body = project.text(description, entry, shownBy)
  if (body !== description) members.keep('description', description)
  const labels = objectsIn(object.label_links).flatMap(({ label }, i) => {
    const found = project.label(label, entry, `label_links[${i}].label`)
    return found ? [String(found.url)] : []
  })
  const planned = members.take('milestone')
  const milestone = project.milestones.urlOf(planned, entry, 'milestone')
  if (milestone === null && planned !== null) members.refuse('milestone', planned)
  const type = parent === 'issue' ? 'Issue' : 'PullRequest'
  const reactions = takeReactions(project, members, type, created_at)
  return {
    user,
    title: members.text('title') ?? '',
    body,
    labels: [...new Set(labels)],
    milestone,
    reactions,
    updated_at: members.time('updated_at'),
    isLocked: members.flag('discussion_locked') ?? false,
  }
}

/** The people who are to do it, each once. */
export function assigneesOf(
  { project, created_at }: Thread,
  members: Members,
  assignees: readonly JsonObject[],
): string[] {
  const single = members.see('assignee_id')
  if (assignees.length === 0 && isId(single)) {
    members.take('assignee_id')
    return [project.personWithId(single, created_at)]
  }
  const ids = new Set(assignees.map(({ user_id }) => user_id).filter(isId))
  return [...ids].map((id) => project.personWithId(id, created_at))
}

/** Notes that people wrote, but for those that are left out. */
export function commentsOf(
  { project, entry, url }: Thread,
  notes: readonly JsonObject[],
): JsonObject[] {
  return notes.filter((note) => {
    if (note.system === true) return false
    if (!isConfidential(note) || !project.leavesOutConfidential) return true
    project.problem('source-left-out', 'confidential comments', entry, url)
    return false
  })
}

/** When a thread got a state last. */
export function lastState(
  { project, entry }: Thread,
  object: JsonObject,
  state: string,
): string | null {
  const times = objectsIn(object.resource_state_events)
    .filter((event) => event.state === state)
    .flatMap((event) => project.members(event, entry).time('created_at') ?? [])
  return times.sort().at(-1) ?? null
}
