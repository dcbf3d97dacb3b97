import { isOid } from '../../git/parse/git-object.ts'
import type { JsonObject } from '../../records/json/json.ts'
import { isObject } from '../../records/json/json.ts'
import { type Members, NO_BRANCH, NO_COMMIT } from '../members.ts'
import { addApprovals } from './approvals.ts'
import { addDiffNotes, changesOf, isDiffNote } from './diff-notes.ts'
import type { Element } from './elements.ts'
import { addEvents } from './events.ts'
import { addComments } from './notes.ts'
import { isId } from './people.ts'
import type { Project } from './project.ts'
import { objectsIn } from './survey.ts'
import type { Event, Thread } from './thread.ts'
import {
  assigneesOf,
  commentsOf,
  factsOf,
  lastState,
  startThread,
  takeLists,
} from './thread-facts.ts'

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
  const squashed = object.squash_commit_sha
  const mergeCommit =
    members.commit('merge_commit_sha') ?? (isOid(String(squashed)) ? String(squashed) : null)
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
  takeLists(members)
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
      merge_commit_sha: mergeCommit,
      ...(facts.updated_at !== null && { updated_at: facts.updated_at }),
      ...(facts.isLocked && { locked: true }),
    },
    project.rest(members, entry),
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

/** The event of a merge that neither a note nor a list of events tells. */
function mergeOf(
  { project, entry, url, created_at }: Thread,
  object: JsonObject,
  metrics: JsonObject,
  commit: string | null,
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
      more: commit === null ? {} : { commit_id: commit },
      object: {},
      key: 'made',
    },
  ]
}
