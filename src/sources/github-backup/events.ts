import type { JsonObject, JsonValue } from '../../records/json/json.ts'
import { isObject } from '../../records/json/json.ts'
import { textColor } from '../label-color.ts'
import { madeId } from '../made-id.ts'
import type { Members } from '../members.ts'
import { encodeName } from '../source-repository.ts'
import { idOf } from './comments.ts'
import { isDerivable } from './derivable.ts'
import type { Repository } from './repository.ts'
import { teamOf } from './review-requests.ts'
import type { Thread } from './thread.ts'

/** Who closed and merged a thread, for events that the backup lacks. */
export interface Closing {
  event: 'closed' | 'merged'
  at: string
  by: JsonObject
  commit: string | null
}

/** Adds the events of a thread, and those that follow from who closed and merged it. */
export function addEvents(
  thread: Thread,
  events: readonly JsonObject[],
  closing: readonly Closing[],
): void {
  const seen = new Set<JsonValue | undefined>()
  for (const [i, object] of events.entries()) {
    const event = typeof object.event === 'string' ? object.event : ''
    const { repository, entry } = thread
    const members = repository.members(object, entry, `events[${i}]`)
    if (event === '') {
      repository.problem('source-left-out', 'events without a name', entry, `events[${i}]`)
      continue
    }
    seen.add(event)
    members.take('event')
    addEvent(thread, event, members, i)
  }
  for (const { event, at, by, commit } of closing) {
    if (seen.has(event)) continue
    const { repository, url, parent, entry } = thread
    const made: JsonObject = { actor: by, created_at: at }
    const members = repository.members(made, entry, event)
    const id = madeId(`github-backup issue_events ${url} ${event}`)
    repository.problem('source-made', 'an event was made of who closed or merged a thread', entry)
    repository.add(
      'issue_events',
      {
        type: 'issue_event',
        url: `${url}#event-${id}`,
        [parent]: url,
        actor: repository.person(members, 'actor', at),
        event,
        ...(commit !== null && { commit_id: commit }),
        created_at: members.time('created_at'),
      },
      members,
    )
  }
}

function addEvent(thread: Thread, event: string, members: Members, i: number): void {
  const { repository, url, parent, entry, created_at: begun } = thread
  const source = members.see('source')
  const key = `${event} ${isObject(source) ? JSON.stringify(pageOf(source)) : i}`
  const created_at = repository.date(members, 'created_at', entry, begun)
  const id = idOf(members, `issue_events ${url} ${key} ${created_at}`)
  const commit = members.commit('commit_id')
  const commitUrl = members.see('commit_url')
  const actor = repository.person(members, 'actor', created_at)
  const own = membersOf(thread, event, members, created_at)
  const place = commit === null ? undefined : repositoryOf(commitUrl, thread)
  repository.add(
    'issue_events',
    {
      type: 'issue_event',
      url: `${url}#event-${id}`,
      [parent]: url,
      actor: own.actor ?? actor,
      event,
      ...(own.before ?? {}),
      ...(commit !== null && { commit_id: commit }),
      ...(place !== undefined && { commit_repository: place }),
      ...(own.after ?? {}),
      created_at,
    },
    members,
    ['performed_via_github_app'].filter((name) => members.see(name) === null),
  )
}

/** Members that only some events have, those before and after `commit_id`. */
interface OwnMembers {
  actor?: string | null
  before?: JsonObject
  after?: JsonObject
}

function membersOf(thread: Thread, event: string, members: Members, at: string): OwnMembers {
  const { repository } = thread
  switch (event) {
    case 'assigned':
    case 'unassigned':
      takeRepeated(members, 'assignees', 'assignee', 'login')
      return withSubject(repository.person(members, 'assignee', at), {
        actor: repository.person(members, 'assigner', at),
      })
    case 'labeled':
    case 'unlabeled': {
      takeRepeated(members, 'labels', 'label', 'name')
      return read(thread, members, 'label', (label) => labelMembers(repository, label))
    }
    case 'milestoned':
    case 'demilestoned':
      return read(thread, members, 'milestone', (milestone) => {
        const title = milestone.text('title')
        return title === null ? undefined : { after: { milestone_title: title } }
      })
    case 'renamed':
      return read(thread, members, 'rename', (rename) => {
        const [from, to] = [rename.text('from'), rename.text('to')]
        if (from === null || to === null) return undefined
        return { before: { title_was: from, title_is: to } }
      })
    case 'review_requested':
    case 'review_request_removed': {
      const own = { actor: repository.person(members, 'review_requester', at) }
      const { after = {} } = read(thread, members, 'requested_team', (team) => {
        const subject = teamOf(thread, { slug: team.text('slug') })
        return subject === undefined ? undefined : { after: { subject } }
      })
      if (after.subject !== undefined) return { ...own, after }
      return withSubject(repository.person(members, 'requested_reviewer', at), own)
    }
    case 'cross-referenced':
      return read(thread, members, 'source', (source) => {
        const page = pageOf({ issue: source.take('issue') })
        return page ? { after: { subject: repository.current(page) } } : undefined
      })
    default:
      return {}
  }
}

/**
 * Reads a member that is an object. What else it has is kept, and all of it if it cannot be used.
 *
 * @param make returns undefined for one that cannot be used
 */
function read(
  { repository, entry }: Thread,
  members: Members,
  name: string,
  make: (inner: Members) => OwnMembers | undefined,
): OwnMembers {
  const object = members.object(name)
  if (object === null) return {}
  const inner = repository.members(object, entry, name)
  const own = make(inner)
  if (own) members.keepRest(name, inner, isDerivable)
  else members.keep(name, object)
  return own ?? {}
}

function labelMembers(repository: Repository, label: Members): OwnMembers | undefined {
  const name = label.text('name')
  if (name === null) return undefined
  const color = label.text('color') ?? ''
  const after: JsonObject = {
    label: `${repository.url}/labels/${encodeName(name)}`,
    label_name: name,
  }
  if (!/^[0-9a-f]{6}$/i.test(color)) return { after }
  return { after: { ...after, label_color: color, label_text_color: textColor(color) } }
}

/** Takes a list whose only element is what another member says. */
function takeRepeated(members: Members, list: string, single: string, name: string): void {
  const [elements, one] = [members.see(list), members.see(single)]
  if (!Array.isArray(elements) || elements.length !== 1 || !isObject(one)) return
  const [element] = elements
  if (isObject(element) && element[name] === one[name]) members.take(list)
}

const withSubject = (subject: string | null, own: OwnMembers): OwnMembers =>
  subject === null ? own : { ...own, after: { subject } }

/** The page of the thread that mentions another. */
function pageOf(source: JsonObject): string | undefined {
  const page = isObject(source.issue) ? source.issue.html_url : undefined
  return typeof page === 'string' ? page : undefined
}

const COMMIT = /\/repos\/([^/]+)\/([^/]+)\/commits\//

/** The repository of a commit, if it is another one. */
function repositoryOf(url: JsonValue, { repository }: Thread): string | undefined {
  const parts = typeof url === 'string' ? COMMIT.exec(url) : null
  if (!parts) return undefined
  return `${repository.facts.host}/${parts[1]}/${parts[2]}`
}
