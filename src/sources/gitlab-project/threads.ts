import type { JsonObject } from '../../records/json/json.ts'
import { isObject } from '../../records/json/json.ts'
import { type Members, NO_BRANCH, NO_COMMIT } from '../members.ts'
import { addDiffNotes, changesOf, isDiffNote } from './diff-notes.ts'
import type { Element } from './elements.ts'
import { addEvents } from './events.ts'
import { addComments, isConfidential, reactionsOf } from './notes.ts'
import { isId } from './people.ts'
import type { Project } from './project.ts'
import { objectsIn } from './survey.ts'
import type { Event, Thread } from './thread.ts'

/** Members that are read as lists beside the thread. */
const LISTS = [
  'notes',
  'label_links',
  'resource_label_events',
  'resource_milestone_events',
  'resource_state_events',
  'issue_assignees',
  'merge_request_assignees',
  'merge_request_reviewers',
]

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
    project.rest(members, entry, LISTS),
  )
  addComments(thread, commentsOf(thread, objectsIn(object.notes)))
  addEvents(thread, object, [])
}

/** Adds the records of a merge request, as a pull request. */
export function addMergeRequest(project: Project, { object, entry, at }: Element): void {
  const { iid } = object
  if (!isId(iid)) {
    project.problem('source-left-out', 'merge requests without a number', entry, at)
    return
  }
  const members = project.members(object, entry, at)
  const thread = startThread(project, 'pull_request', project.pullNumber(iid), members, entry)
  if (thread.number !== iid) members.keep('iid', iid)
  const { created_at, url } = thread
  const facts = factsOf(thread, members, object)
  const changes = changesOf(object)
  if (changes.head === NO_COMMIT || changes.base === NO_COMMIT) {
    project.problem('source-made', 'commits of merge requests are not told', entry, url)
  }
  const metrics = isObject(object.metrics) ? object.metrics : {}
  const counted = project.members(metrics, entry, `${at}.metrics`)
  const isMerged = members.text('state') === 'merged'
  const merged_at = isMerged
    ? (counted.time('merged_at') ??
      lastState(thread, object, 'merged') ??
      facts.updated_at ??
      created_at)
    : null
  const isClosed = object.state === 'closed'
  const closed_at =
    merged_at ??
    (isClosed
      ? (counted.time('latest_closed_at') ??
        lastState(thread, object, 'closed') ??
        facts.updated_at ??
        created_at)
      : null)
  const assignees = assigneesOf(thread, members, objectsIn(object.merge_request_assignees))
  const mergeCommit = [object.merge_commit_sha, object.squash_commit_sha].find(
    (sha) => typeof sha === 'string' && /^[0-9a-f]{40}$/.test(sha),
  )
  members.take('merge_commit_sha')
  const isOwn = members.see('source_project_id') === members.see('target_project_id')
  if (isOwn) members.take('source_project_id')
  const owner = project.making.people.owner(project.owner, created_at)
  leaveOutChanges(thread, members)
  const isDraft =
    members.flag('draft') ?? /^\s*(?:\[?(?:draft|wip)\]?:|\[wip\]|\(draft\))/i.test(facts.title)
  const target = members.branch('target_branch')
  const source = members.branch('source_branch')
  if (target === null || source === null) {
    const reason = 'branches of merge requests are not told'
    project.problem('source-made', reason, thread.entry, url)
  }
  project.add(
    'pull_requests',
    {
      type: 'pull_request',
      url,
      user: facts.user,
      repository: project.url,
      title: facts.title,
      body: facts.body,
      base: { ref: target ?? NO_BRANCH, sha: changes.base, user: owner, repo: project.url },
      head: {
        ref: source ?? NO_BRANCH,
        sha: changes.head,
        user: isOwn ? owner : null,
        repo: isOwn ? project.url : null,
      },
      assignee: assignees[0] ?? null,
      assignees,
      milestone: facts.milestone,
      labels: facts.labels,
      reactions: facts.reactions,
      review_requests: requestsOf(thread, objectsIn(object.merge_request_reviewers)),
      close_issue_references: [],
      work_in_progress: isDraft,
      merged_at,
      closed_at,
      created_at,
      merge_commit_sha: mergeCommit ?? null,
      ...(facts.updated_at !== null && { updated_at: facts.updated_at }),
      ...(facts.isLocked && { locked: true }),
    },
    project.rest(members, entry, LISTS),
  )
  const notes = commentsOf(thread, objectsIn(object.notes))
  addComments(
    thread,
    notes.filter((note) => !isDiffNote(note)),
  )
  const dismissed = addApprovals(thread, object, changes.head)
  addDiffNotes(thread, notes.filter(isDiffNote), changes)
  addEvents(thread, object, [...dismissed, ...mergeOf(thread, object, metrics, mergeCommit)])
}

function startThread(
  project: Project,
  parent: Thread['parent'],
  number: number,
  members: Members,
  entry: string,
): Thread {
  const url = `${project.url}/${parent === 'issue' ? 'issues' : 'pull'}/${number}`
  const created_at = project.date(members, 'created_at', entry, null)
  members.take('iid')
  return { project, parent, url, number, entry, created_at }
}

function factsOf(thread: Thread, members: Members, object: JsonObject) {
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
  const milestone = project.milestone(members.take('milestone'), entry, 'milestone')
  const type = parent === 'issue' ? 'Issue' : 'PullRequest'
  const [reactions, others] = reactionsOf(project, object.award_emoji, type, created_at)
  members.take('award_emoji')
  if (others.length > 0) members.keep('award_emoji', others)
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

function assigneesOf(
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
function commentsOf({ project, entry, url }: Thread, notes: readonly JsonObject[]): JsonObject[] {
  return notes.filter((note) => {
    if (note.system === true) return false
    if (!isConfidential(note) || !project.leavesOutConfidential) return true
    project.problem('source-left-out', 'confidential comments', entry, url)
    return false
  })
}

/** When a thread got a state last. */
function lastState({ project, entry }: Thread, object: JsonObject, state: string): string | null {
  const times = objectsIn(object.resource_state_events)
    .filter((event) => event.state === state)
    .flatMap((event) => project.members(event, entry).time('created_at') ?? [])
  return times.sort().at(-1) ?? null
}

function closedAt(thread: Thread, members: Members, object: JsonObject): string | null {
  const { project, entry, created_at, url } = thread
  const isClosed = members.text('state') === 'closed'
  const stated = members.time('closed_at')
  if (!isClosed) return null
  const found = stated ?? lastState(thread, object, 'closed')
  if (found !== null) return found
  project.problem('date-estimated', 'closed_at is missing; another date was used', entry, url)
  return project.members(object, entry).time('updated_at') ?? created_at
}

function requestsOf(
  { project, created_at }: Thread,
  reviewers: readonly JsonObject[],
): JsonObject[] {
  return reviewers.flatMap((reviewer) => {
    if (!isId(reviewer.user_id)) return []
    const at = project.members(reviewer, '').time('created_at') ?? created_at
    return [
      {
        reviewer: project.personWithId(reviewer.user_id, at),
        reviewer_type: 'User',
        created_at: at,
        updated_at: at,
        dismissed_at: null,
      },
    ]
  })
}

/** Lists of commits and files say what Git says. */
function leaveOutChanges({ project, entry, url }: Thread, members: Members): void {
  const diff = members.object('merge_request_diff')
  if (!diff) return
  const { merge_request_diff_files: files, merge_request_diff_commits: commits, ...others } = diff
  if (objectsIn(files).length > 0) {
    project.problem('source-left-out', 'lists of changed files', entry, url)
  }
  const isInGit = project.survey.bundles.has('repository')
  if (isInGit && objectsIn(commits).length > 0) {
    project.problem('source-left-out', 'lists of commits, which Git tells as well', entry, url)
  }
  const left: JsonObject = others
  if (!isInGit && objectsIn(commits).length > 0) left.merge_request_diff_commits = commits ?? null
  members.keep(
    'merge_request_diff',
    Object.fromEntries(Object.entries(left).filter(([, value]) => value !== null)),
  )
}

/** Adds a review for each approval. Returns the events of those that were taken back. */
function addApprovals(thread: Thread, object: JsonObject, head: string): Event[] {
  const { project, url, entry, created_at: begun } = thread
  const approvals = objectsIn(object.approvals).map(({ user_id, created_at }) => ({
    user_id,
    created_at,
    isTaken: false,
  }))
  const events: Event[] = []
  const notes = objectsIn(object.notes).filter(({ system }) => system === true)
  const hasList = approvals.length > 0
  for (const note of notes) {
    const action = Object(note.system_note_metadata).action
    const { author_id: user_id, created_at } = note
    if (action === 'approved' && !hasList) approvals.push({ user_id, created_at, isTaken: false })
    if (action !== 'unapproved' || !isId(user_id)) continue
    const last = approvals.findLast((approval) => approval.user_id === user_id && !approval.isTaken)
    if (last && !hasList) last.isTaken = true
    events.push({
      event: 'review_dismissed',
      time: typeof created_at === 'string' ? created_at : '',
      actor: project.personWithId(user_id, begun),
      more: {},
      object: note,
      key: '',
    })
  }
  for (const { user_id, created_at: at, isTaken } of approvals) {
    if (!isId(user_id)) continue
    const members = project.members({ created_at: at ?? null }, entry, 'approvals')
    const created_at = project.date(members, 'created_at', entry, begun)
    const id = project.idOf({}, 'pull_request_reviews', `${url} approval ${user_id} ${String(at)}`)
    project.add('pull_request_reviews', {
      type: 'pull_request_review',
      url: `${url}/files#pullrequestreview-${id}`,
      pull_request: url,
      user: project.personWithId(user_id, created_at),
      body: null,
      head_sha: head,
      formatter: 'markdown',
      state: isTaken ? 50 : 40,
      reactions: [],
      created_at,
      submitted_at: created_at,
    })
  }
  return events
}

/** The event of a merge that neither a note nor a list of events tells. */
function mergeOf(
  { project, entry, url, created_at }: Thread,
  object: JsonObject,
  metrics: JsonObject,
  commit: JsonObject[string] | undefined,
): Event[] {
  if (object.state !== 'merged') return []
  const isTold =
    objectsIn(object.resource_state_events).some(({ state }) => state === 'merged') ||
    objectsIn(object.notes).some(
      ({ system, system_note_metadata: data, note }) =>
        system === true && (Object(data).action === 'merged' || note === 'merged'),
    )
  if (isTold) return []
  const { merged_by_id: by, merged_at } = metrics
  project.problem('source-made', 'an event was made of who merged a merge request', entry, url)
  return [
    {
      event: 'merged',
      time: typeof merged_at === 'string' ? merged_at : created_at,
      actor: isId(by) ? project.personWithId(by, created_at) : null,
      more: commit === undefined ? {} : { commit_id: commit },
      object: {},
      key: 'made',
    },
  ]
}
