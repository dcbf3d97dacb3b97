import type { JsonObject, JsonValue } from '../../records/json/json.ts'
import { isObject } from '../../records/json/json.ts'
import { type Members, NO_BRANCH, NO_COMMIT, timeOf } from '../members.ts'
import { addComment, addCommitComment, reactionsOf, teamOf } from './comments.ts'
import { isDerivable } from './derivable.ts'
import { addEvents, type Closing } from './events.ts'
import type { Repository } from './repository.ts'
import { addReviews } from './reviews.ts'
import type { Thread } from './thread.ts'
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
  const facts = factsOf(thread, members)
  const people = peopleOf(thread, members)
  claimUploads(thread, facts.body, {
    kind: 'issue',
    url: thread.url,
    user: people.user,
    at: created_at,
  })
  const comments = members.objects('comment_data')
  const found = happeningsOf(members)
  const counts = countsOf(members, { comments: comments.length + found.comments.length })
  for (const [i, comment] of united(comments, found.comments).entries()) {
    addComment(thread, comment, `comments[${i}]`)
  }
  addCommitComments(thread, found.commitComments)
  addEvents(thread, found.events, closingOf(members, facts.closed_at, null))
  addOtherUploads(thread, people.user)
  repository.add(
    'issues',
    {
      type: 'issue',
      url: thread.url,
      repository: repository.url,
      user: people.user,
      title: facts.title,
      body: facts.body,
      assignee: people.assignees[0] ?? null,
      assignees: people.assignees,
      milestone: facts.milestone,
      labels: facts.labels,
      reactions: [],
      closed_at: facts.closed_at,
      created_at,
      updated_at: thread.updated_at ?? created_at,
      ...facts.reactions,
    },
    members,
    counts,
  )
}

/** Adds the records of a file `pulls/N.json`. */
export function addPull(repository: Repository, number: number, object: JsonObject, entry: string) {
  const members = repository.members(object, entry)
  const thread = startThread(repository, 'pull_request', number, members, entry)
  const { created_at, updated_at } = thread
  const facts = factsOf(thread, members)
  const people = peopleOf(thread, members)
  claimUploads(thread, facts.body, {
    kind: 'pull_request',
    url: thread.url,
    user: people.user,
    at: created_at,
  })
  const merged_at = members.time('merged_at')
  const merge_commit_sha = members.commit('merge_commit_sha')
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
  const closed_at = facts.closed_at ?? merged_at
  addEvents(thread, found.events, closingOf(members, closed_at, merged_at, merge_commit_sha))
  if (repository.facts.clones.has('repository') && Array.isArray(members.see('commit_data'))) {
    members.take('commit_data')
    repository.problem('source-left-out', 'lists of commits, which Git tells as well', entry)
  }
  const counts = countsOf(members, {
    comments: comments.length + found.comments.length,
    review_comments: reviewComments.length,
  })
  addOtherUploads(thread, people.user)
  repository.add(
    'pull_requests',
    {
      type: 'pull_request',
      url: thread.url,
      user: people.user,
      repository: repository.url,
      title: facts.title,
      body: facts.body,
      base,
      head,
      assignee: people.assignees[0] ?? null,
      assignees: people.assignees,
      milestone: facts.milestone,
      labels: facts.labels,
      reactions: [],
      review_requests: requests,
      close_issue_references: [],
      work_in_progress: members.flag('draft') ?? false,
      merged_at,
      closed_at,
      created_at,
      merge_commit_sha,
      ...(updated_at !== null && { updated_at }),
      ...facts.reactions,
    },
    members,
    counts,
  )
}

/** Members that count lists which were read, or nothing. A backup may lack the lists. */
const countsOf = (members: Members, read: { readonly [name: string]: number }): string[] =>
  Object.keys(read).filter((name) => read[name] !== 0 || members.see(name) === 0)

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
  const updated_at = members.time('updated_at')
  const created_at = repository.date(members, 'created_at', entry, updated_at)
  const uploads = repository.uploadsOf(`${parent === 'issue' ? 'issues' : 'pulls'}/${number}`)
  return { repository, parent, url, number, entry, created_at, updated_at, uploads }
}

function factsOf({ repository, entry, created_at, updated_at }: Thread, members: Members) {
  const milestone = members.object('milestone')
  const planned = milestone && repository.milestone(milestone, entry, 'milestone')
  if (milestone && planned === undefined) members.refuse('milestone', milestone)
  const labels = members
    .objects('labels')
    .flatMap(
      (label, i) => repository.label(label, entry, `labels[${i}]`, updated_at ?? created_at) ?? [],
    )
  let closed_at = members.time('closed_at')
  if (closed_at === null && members.see('state') === 'closed') {
    closed_at = updated_at ?? created_at
    repository.problem(
      'source-made',
      'closed_at is missing; the time of the last change was used',
      entry,
    )
  }
  return {
    title: members.text('title') ?? '',
    body: members.text('body'),
    milestone: planned ?? null,
    labels: [...new Set(labels)],
    closed_at,
    reactions: reactionsOf(members),
  }
}

function peopleOf({ repository, created_at }: Thread, members: Members) {
  const user = repository.person(members, 'user', created_at)
  const assignee = repository.person(members, 'assignee', created_at)
  const assignees = repository.persons(members, 'assignees', created_at)
  return { user, assignees: assignees.length > 0 || assignee === null ? assignees : [assignee] }
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

/** Events, comments and reviews of a thread, by the kind of their records. */
interface Happenings {
  events: JsonObject[]
  comments: JsonObject[]
  reviews: JsonObject[]
  reviewComments: JsonObject[]
  commitComments: JsonObject[]
}

/** Takes the events, and the timeline, which repeats them beside comments and reviews. */
function happeningsOf(members: Members): Happenings {
  const found: Happenings = {
    events: [],
    comments: [],
    reviews: [],
    reviewComments: [],
    commitComments: [],
  }
  const commits: JsonObject[] = []
  const known = new Set<JsonValue | undefined>()
  const add = (event: JsonObject) => {
    const { event: word, id, comments } = event
    if (word === 'committed') commits.push(event)
    else if (word === 'commented') found.comments.push(event)
    else if (word === 'reviewed') found.reviews.push(event)
    else if (word === 'line-commented' && Array.isArray(comments)) {
      found.reviewComments.push(...comments.filter(isObject))
    } else if (word === 'commit-commented' && Array.isArray(comments)) {
      found.commitComments.push(...comments.filter(isObject))
    } else if (id === undefined || !known.has(id)) {
      known.add(id)
      found.events.push(event)
    }
  }
  for (const list of ['event_data', 'timeline_data']) {
    for (const event of members.objects(list)) add(event)
  }
  if (commits.length > 0 && members.see('commit_data') === null) {
    members.keep('commit_data', commits)
  }
  return found
}

function addCommitComments(thread: Thread, comments: readonly JsonObject[]): void {
  for (const [i, comment] of united(comments).entries()) {
    addCommitComment(thread, comment, `commit_comments[${i}]`)
  }
}

/** The objects of several lists, each once: of those with one id the one that changed last. */
function united(...lists: readonly (readonly JsonObject[])[]): JsonObject[] {
  const byId = new Map<JsonValue, JsonObject>()
  const others: JsonObject[] = []
  for (const object of lists.flat()) {
    const { id } = object
    if (typeof id !== 'number') others.push(object)
    else if (!byId.has(id) || changeOf(object) > changeOf(byId.get(id) as JsonObject)) {
      byId.set(id, object)
    }
  }
  return [...byId.values(), ...others]
}

const changeOf = ({ updated_at }: JsonObject) => (typeof updated_at === 'string' ? updated_at : '')

function requestsOf(thread: Thread, members: Members, events: readonly JsonObject[]): JsonObject[] {
  const { repository, created_at } = thread
  const asked = new Map<string, string>()
  for (const { event, requested_reviewer, requested_team, created_at } of events) {
    if (event !== 'review_requested' || typeof created_at !== 'string') continue
    const team = isObject(requested_team) ? teamOf(thread, requested_team) : undefined
    const { login } = isObject(requested_reviewer) ? requested_reviewer : {}
    const at = timeOf(created_at)
    if (at !== undefined) asked.set(team ?? String(login), at)
  }
  const request = (reviewer: string, type: string, at: string) => ({
    reviewer,
    reviewer_type: type,
    created_at: at,
    updated_at: at,
    dismissed_at: null,
  })
  const people = members.see('requested_reviewers')
  const logins = Array.isArray(people) ? people : []
  const urls = repository.persons(members, 'requested_reviewers', created_at)
  const dates = logins.map((each) => (isObject(each) ? asked.get(String(each.login)) : undefined))
  const teams = members.objects('requested_teams').flatMap((team) => teamOf(thread, team) ?? [])
  return [
    ...urls.map((url, i) => request(url, 'User', dates[i] ?? created_at)),
    ...[...new Set(teams)].map((url) => request(url, 'Team', asked.get(url) ?? created_at)),
  ]
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
