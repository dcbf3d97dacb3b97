import type { JsonObject } from '../../records/json/json.ts'
import type { Members } from '../members.ts'
import type { Element } from './elements.ts'
import { addEvents } from './events.ts'
import { addComments } from './notes.ts'
import { isId } from './people.ts'
import type { Project } from './project.ts'
import { objectsIn } from './survey.ts'
import type { Thread } from './thread.ts'
import {
  assigneesOf,
  commentsOf,
  factsOf,
  lastState,
  startThread,
  takeLists,
} from './thread-facts.ts'

/** Adds the records of an issue. */
export function addIssue(project: Project, { object, entry, at }: Element): void {
  const { iid } = object
  if (!isId(iid)) {
    project.problem('source-left-out', 'issues without a number', entry, at)
    return
  }
  if (object.confidential === true && project.leavesOutConfidential) {
    project.problem('source-left-out', 'confidential issues', entry, at)
    return
  }
  const members = project.members(object, entry, at)
  const thread = startThread(project, 'issue', project.issueNumber(iid), members, entry)
  if (thread.number !== iid) members.keep('iid', iid)
  const facts = factsOf(thread, members, object)
  const word = object.issue_type ?? Object(object.work_item_type).base_type
  const type =
    typeof word === 'string' && word.toLowerCase() !== 'issue'
      ? project.label(
          { title: `type: ${word}`, color: '5319e7', created_at: thread.created_at },
          entry,
          at,
        )
      : undefined
  const closed_at = closedAt(thread, members, object)
  const assignees = assigneesOf(thread, members, objectsIn(object.issue_assignees))
  takeLists(members)
  project.add(
    'issues',
    {
      type: 'issue',
      url: thread.url,
      repository: project.url,
      user: facts.user,
      title: facts.title,
      body: facts.body,
      assignee: assignees[0] ?? null,
      assignees,
      milestone: facts.milestone,
      labels: type ? [...new Set([...facts.labels, String(type.url)])] : facts.labels,
      reactions: facts.reactions,
      closed_at,
      created_at: thread.created_at,
      updated_at: facts.updated_at ?? thread.created_at,
      ...(facts.isLocked && { locked: true }),
    },
    project.rest(members, entry),
  )
  addComments(thread, commentsOf(thread, objectsIn(object.notes)))
  addEvents(thread, object, [])
}

function closedAt(thread: Thread, members: Members, object: JsonObject): string | null {
  const { project, entry, created_at, url } = thread
  // The record of an open issue keeps a closed_at as an unknown member.
  if (members.text('state') !== 'closed') return null
  const found = members.time('closed_at') ?? lastState(thread, object, 'closed')
  if (found !== null) return found
  project.problem('date-estimated', 'closed_at is missing; another date was used', entry, url)
  return project.members(object, entry).time('updated_at') ?? created_at
}
