import type { JsonObject } from '../../records/json/json.ts'
import { isObject } from '../../records/json/json.ts'
import { type Members, NO_BRANCH, NO_COMMIT } from '../members.ts'
import { addComment, addCommitComment, reactionsOf } from './comments.ts'
import { isDerivable, OF_NUMBERED } from './derivable.ts'
import { addEvents, type Closing } from './events.ts'
import { fromRest } from './from-rest.ts'
import { happeningsOf, united } from './happenings.ts'
import type { Repository } from './repository.ts'
import { requestsOf } from './review-requests.ts'
import { addReviews } from './reviews.ts'
import { NAME_OF_FILE, type Thread } from './thread.ts'
import { addOtherUploads, claimUploads } from './uploads.ts'

/** Adds the records of a file `issues/N.json`. */
export function addIssue(
  repository: Repository,
  number: number,
  object: JsonObject,
  entry: string,
) {
  const members = repository.members(object, entry)
  const thread = startThread(repository, 'issue', number, members, entry)
  if (isObject(members.see('pull_request'))) {
    const reason =
      'pull requests were saved as issues, which have no branches; run the backup with --pulls'
    repository.problem('source-incomplete', reason, entry)
  }
  const { created_at } = thread
  const told = fromRest(repository, 'issues', members, created_at)
  const facts = factsOf(thread, members, told.closed_at)
  const assignees = assigneesOf(thread, members)
  claimText(thread, told)
  const comments = members.objects('comment_data')
  const found = happeningsOf(members)
  const derived = derivedOf(members, { comments: comments.length + found.comments.length })
  for (const [i, comment] of united(comments, found.comments).entries()) {
    addComment(thread, comment, `comments[${i}]`)
  }
  addCommitComments(thread, found.commitComments)
  addEvents(thread, found.events, closingOf(members, facts.closed_at, null))
  addOtherUploads(thread, told.user)
  repository.add(
    'issues',
    {
      type: 'issue',
      url: thread.url,
      repository: repository.url,
      user: told.user,
      title: told.title,
      body: told.body,
      assignee: assignees[0] ?? null,
      assignees,
      milestone: facts.milestone,
      labels: facts.labels,
      reactions: [],
      closed_at: facts.closed_at,
      created_at,
      updated_at: thread.updated_at ?? created_at,
      ...facts.reactions,
    },
    members,
    derived,
  )
}

/** Adds the records of a file `pulls/N.json`. */
export function addPull(repository: Repository, number: number, object: JsonObject, entry: string) {
  const members = repository.members(object, entry)
  const thread = startThread(repository, 'pull_request', number, members, entry)
  const { created_at, updated_at } = thread
  const told = fromRest(repository, 'pull_requests', members, created_at)
  const { merged_at, merge_commit_sha } = told
  const facts = factsOf(thread, members, told.closed_at)
  const assignees = assigneesOf(thread, members)
  claimText(thread, told)
  const base = endOf(thread, members, 'base')
  const head = endOf(thread, members, 'head')
  const comments = members.objects('comment_regular_data')
  const reviewComments = members.objects('comment_data')
  const found = happeningsOf(members)
  const requests = requestsOf(thread, members, found.events)
  for (const [i, comment] of united(comments, found.comments).entries()) {
    addComment(thread, comment, `comments[${i}]`)
  }
  addReviews(
    thread,
    head?.sha ?? null,
    united(members.objects('review_data'), found.reviews),
    united(reviewComments, found.reviewComments),
  )
  addCommitComments(thread, found.commitComments)
  repository.compare(members, 'merged', merged_at !== null, 'merged_at', entry)
  const closed_at = facts.closed_at ?? merged_at
  addEvents(thread, found.events, closingOf(members, closed_at, merged_at, merge_commit_sha))
  if (repository.facts.clones.has('repository') && Array.isArray(members.see('commit_data'))) {
    members.take('commit_data')
    repository.problem('source-left-out', 'lists of commits, which Git tells as well', entry)
  }
  const derived = derivedOf(members, {
    comments: comments.length + found.comments.length,
    review_comments: reviewComments.length,
  })
  addOtherUploads(thread, told.user)
  repository.add(
    'pull_requests',
    {
      type: 'pull_request',
      url: thread.url,
      user: told.user,
      repository: repository.url,
      title: told.title,
      body: told.body,
      base,
      head,
      assignee: assignees[0] ?? null,
      assignees,
      milestone: facts.milestone,
      labels: facts.labels,
      reactions: [],
      review_requests: requests,
      close_issue_references: [],
      work_in_progress: told.work_in_progress ?? false,
      merged_at,
      closed_at,
      created_at,
      merge_commit_sha,
      ...(updated_at !== null && { updated_at }),
      ...facts.reactions,
    },
    members,
    derived,
  )
}

/** Members that follow from others, or count lists which were read, or nothing. A backup may lack the lists. */
const derivedOf = (members: Members, read: { readonly [name: string]: number }): string[] => [
  ...OF_NUMBERED,
  ...Object.keys(read).filter((name) => read[name] !== 0 || members.see(name) === 0),
]

function startThread(
  repository: Repository,
  parent: Thread['parent'],
  number: number,
  members: Members,
  entry: string,
): Thread {
  const url = `${repository.url}/${parent === 'issue' ? 'issues' : 'pull'}/${number}`
  repository.noteAssociation(members)
  repository.noteName(members, entry)
  repository.compare(members, 'number', number, NAME_OF_FILE, entry)
  const updated_at = members.time('updated_at')
  const created_at = repository.date(members, 'created_at', entry, updated_at)
  const uploads = repository.uploadsOf(`${parent === 'issue' ? 'issues' : 'pulls'}/${number}`)
  return { repository, parent, url, number, entry, created_at, updated_at, uploads }
}

function factsOf(
  { repository, entry, created_at, updated_at }: Thread,
  members: Members,
  closed: string | null,
) {
  const milestone = members.object('milestone')
  const planned = milestone && repository.milestones.urlOf(milestone, entry, 'milestone')
  if (milestone && planned === undefined) members.refuse('milestone', milestone)
  const labels = members.list('labels', (label, i) =>
    repository.labels.urlOf(label, entry, `labels[${i}]`, updated_at ?? created_at),
  )
  let closed_at = closed
  if (closed_at === null && members.see('state') === 'closed') {
    closed_at = updated_at ?? created_at
    repository.problem(
      'source-made',
      'closed_at is missing; the time of the last change was used',
      entry,
    )
  }
  repository.compare(members, 'state', closed_at === null ? 'open' : 'closed', 'closed_at', entry)
  return {
    milestone: planned ?? null,
    labels: [...new Set(labels)],
    closed_at,
    reactions: reactionsOf(members),
  }
}

/** Claims the uploads in the text of a thread itself. */
const claimText = (thread: Thread, { body, user }: { body: string | null; user: string | null }) =>
  claimUploads(thread, body, {
    kind: thread.parent,
    url: thread.url,
    user,
    at: thread.created_at,
  })

function assigneesOf({ repository, created_at }: Thread, members: Members): string[] {
  const assignee = repository.person(members, 'assignee', created_at)
  const assignees = repository.persons(members, 'assignees', created_at)
  return assignee === null || assignees.includes(assignee) ? assignees : [assignee, ...assignees]
}

function endOf({ repository, entry, created_at }: Thread, members: Members, name: 'base' | 'head') {
  const end = members.object(name)
  if (end === null) return null
  const inner = repository.members(end, entry, name)
  const user = repository.person(inner, 'user', created_at)
  const repo = inner.object('repo')
  const page = repo?.html_url
  const address = typeof page === 'string' ? repository.current(page) : undefined
  if (name === 'base' && repo) repository.noteDescription(repo, entry)
  inner.take('label')
  const sha = inner.commit('sha')
  if (sha === null)
    repository.problem('source-made', 'commits of pull requests are not told', entry)
  const ref = inner.branch('ref')
  if (ref === null)
    repository.problem('source-made', 'branches of pull requests are not told', entry)
  const isOwn = name === 'base' || sameAddress(address, repository)
  return {
    ref: ref ?? NO_BRANCH,
    sha: sha ?? NO_COMMIT,
    user,
    repo: repo === null ? null : isOwn ? repository.url : (address ?? null),
    ...inner.rest('bases', isDerivable),
  }
}

/** Whether an address is that of the repository, whatever the case of its letters. */
const sameAddress = (url: string | undefined, of: Repository) =>
  url?.toLowerCase() === of.url.toLowerCase()

function addCommitComments(thread: Thread, comments: readonly JsonObject[]): void {
  for (const [i, comment] of united(comments).entries()) {
    addCommitComment(thread, comment, `commit_comments[${i}]`)
  }
}

/** Takes `closed_by` and `merged_by` if an event can be made of them. */
function closingOf(
  members: Members,
  closed: string | null,
  merged: string | null,
  commit: string | null = null,
): Closing[] {
  const found: Closing[] = []
  const candidates = [
    ['merged', 'merged_by', merged],
    ['closed', 'closed_by', closed],
  ] as const
  for (const [event, name, at] of candidates) {
    const by = members.see(name)
    if (at === null || !isObject(by) || by.login === 'ghost') continue
    found.push({ event, at, by, commit: event === 'merged' ? commit : null })
    members.take(name)
  }
  return found
}
