import type { JsonObject, JsonValue } from '../../records/json/json.ts'
import { formatNodeId } from '../../rest/node-id.ts'
import { hostOf } from '../catalog/names.ts'
import type { Person } from '../catalog/people.ts'
import type { Repository } from '../catalog/repositories.ts'
import { asList, asObject, asText, asTextOrNull, parseJson, type Row } from '../catalog/sources.ts'
import type { Thread } from '../catalog/threads.ts'
import { formatTime, toTimeOrNull } from '../catalog/times.ts'
import { toLabel, toMilestone } from './labels.ts'
import { lockReason } from './lock-reason.ts'
import { segment, toUser, userOf } from './people.ts'
import type { Rendering } from './rendering.ts'
import { homeUrl, repositoryUrl, toRepository, toShortRepository } from './repositories.ts'

const COLUMNS = 'url, user, title, body, assignee, assignees, labels, closed_at'
const PULL_COLUMNS = `${COLUMNS}, merged_at, merge_commit_sha, work_in_progress, base, head, review_requests`

/** An issue or pull request, its repository, and its record. */
export interface ThreadRecord {
  readonly thread: Thread
  readonly repository: Repository
  readonly columns: Row
}

/** Reads the record of an issue or pull request. */
export function readThread({ reader }: Rendering, thread: Thread): ThreadRecord | undefined {
  const repository = reader.repositories.byId(thread.repository)
  if (!repository) return undefined
  const { database } = repository
  const columns = thread.isPull
    ? reader.sources.record(database, 'pull_requests', PULL_COLUMNS, thread.row)
    : reader.sources.record(database, 'issues', COLUMNS, thread.row)
  return columns && { thread, repository, columns }
}

/** Seconds since 1970 as a time; 1970 if there are none. */
const toInstant = (seconds: number | null): string => formatTime(seconds ?? 0)

/** The members that issues and pull requests share. */
function describe(rendering: Rendering, { thread, repository, columns }: ThreadRecord) {
  const [url, user, title, body, assignee, listed, labels, closed] = columns
  const { host } = repository
  const assigned = asList(listed)
  const assignees = (assigned.length > 0 ? assigned : assignee === null ? [] : [assignee]).map(
    (person) => userOf(rendering, person, host),
  )
  return {
    ...{ url: asText(url), host, title: asText(title), body: asTextOrNull(body) },
    user: userOf(rendering, user, host),
    labels: asList(labels)
      .filter((label): label is string => typeof label === 'string')
      .map((label) => toLabel(rendering, repository, label)),
    state: thread.isClosed ? 'closed' : 'open',
    isLocked: thread.locking !== null,
    ...{ assignee: assignees[0] ?? null, assignees },
    milestone: toMilestone(rendering, repository, thread.milestone),
    created_at: toInstant(thread.created),
    updated_at: toInstant(thread.updated ?? thread.created),
    closed_at: toTimeOrNull(closed),
    association: associationOf(rendering, repository, user),
  }
}

/** An issue, or a pull request as an issue. */
export function toIssue(rendering: Rendering, record: ThreadRecord): JsonObject {
  const { thread, repository } = record
  const common = describe(rendering, record)
  const api = repositoryUrl(rendering, repository)
  const url = `${api}/issues/${thread.number}`
  return {
    url,
    repository_url: api,
    labels_url: `${url}/labels{/name}`,
    comments_url: `${url}/comments`,
    events_url: `${url}/events`,
    html_url: common.url,
    id: thread.issueNumber,
    node_id: formatNodeId('Issue', thread.issueNumber),
    number: thread.number,
    title: common.title,
    user: common.user,
    labels: common.labels,
    state: common.state,
    locked: common.isLocked,
    assignee: common.assignee,
    assignees: common.assignees,
    milestone: common.milestone,
    comments: thread.comments,
    created_at: common.created_at,
    updated_at: common.updated_at,
    closed_at: common.closed_at,
    ...(thread.isPull && {
      pull_request: {
        url: `${api}/pulls/${thread.number}`,
        html_url: common.url,
        ...patchUrls(rendering, repository, thread),
      },
    }),
    body: common.body,
    active_lock_reason: reasonOfLock(rendering, thread),
  }
}

/** Where this server has the changes of a pull request. */
function patchUrls(rendering: Rendering, repository: Repository, { number }: Thread) {
  const url = `${homeUrl(rendering, repository)}/pull/${number}`
  return { diff_url: `${url}.diff`, patch_url: `${url}.patch` }
}

/** Who closed an issue or pull request last; null if it is open, or no event says so. */
export function closedBy(
  rendering: Rendering,
  { thread, repository }: ThreadRecord,
): JsonObject | null {
  const { issueEvents, sources } = rendering.reader
  const event = thread.isClosed ? issueEvents.lastOfKind(thread, 'closed') : undefined
  const record = event && sources.record(repository.database, 'issue_events', 'actor', event.row)
  return record ? userOf(rendering, record[0], repository.host) : null
}

/** The reason why a thread is locked; null if it is not locked, or has no reason. */
function reasonOfLock({ reader }: Rendering, { locking }: Thread): string | null {
  const event = locking === null ? undefined : reader.issueEvents.byId(locking)
  const database = event && reader.repositories.byId(event.repository)?.database
  if (!event || database === undefined) return null
  const extra = reader.sources.record(database, 'issue_events', '_extra', event.row)?.[0]
  return lockReason(asObject(parseJson(extra)).lock_reason)
}

/** The relation of an author to the repository. */
export function associationOf(rendering: Rendering, repository: Repository, url: unknown): string {
  const { people, permissions, sources } = rendering.reader
  const { id, login }: Person = people.byUrl(url, repository.host)
  if (id === undefined || id === 0) return 'NONE'
  return sources.remember(
    `association ${repository.id} ${id}`,
    () => {
      if (repository.owner === id) return 'OWNER'
      const owner = people.byId(repository.owner, repository.host)
      if (permissions.roleIn(owner, login)) return 'MEMBER'
      const sql = 'SELECT 1 FROM collaborators WHERE person = ? AND repository = ?'
      return sources.get(sql, id, repository.id) ? 'COLLABORATOR' : 'NONE'
    },
    () => 100,
  )
}

/** A pull request in the payload of an event. */
export const toPullRequest = (rendering: Rendering, record: ThreadRecord): JsonObject =>
  describePullRequest(rendering, record, toShortRepository)

/** A pull request as its own resource, with complete repositories, who merged it, and why it is locked. */
export function toWholePullRequest(rendering: Rendering, record: ThreadRecord): JsonObject {
  const { reader } = rendering
  const { thread, repository } = record
  const pull = describePullRequest(rendering, record, toRepository)
  const merging = pull.merged ? reader.issueEvents.lastOfKind(thread, 'merged') : undefined
  const actor =
    merging && reader.sources.record(repository.database, 'issue_events', 'actor', merging.row)
  const count = (kind: 'comment' | 'reviewComment') =>
    reader.parts.list({ kind, of: { thread }, direction: 'asc' }).length
  return {
    ...pull,
    active_lock_reason: reasonOfLock(rendering, thread),
    merged_by: actor ? userOf(rendering, actor[0], repository.host) : null,
    comments: count('comment'),
    review_comments: count('reviewComment'),
  }
}

type ToRepository = (rendering: Rendering, repository: Repository) => JsonObject

function describePullRequest(
  rendering: Rendering,
  record: ThreadRecord,
  describeRepository: ToRepository,
): JsonObject {
  const { thread, repository } = record
  const common = describe(rendering, record)
  const [merged, sha, draft, base, head, requests] = record.columns.slice(8)
  const api = repositoryUrl(rendering, repository)
  const id = thread.pullNumber ?? 0
  return {
    url: `${api}/pulls/${thread.number}`,
    id,
    node_id: formatNodeId('PullRequest', id),
    html_url: common.url,
    ...patchUrls(rendering, repository, thread),
    issue_url: `${api}/issues/${thread.number}`,
    number: thread.number,
    state: common.state,
    locked: common.isLocked,
    title: common.title,
    user: common.user,
    body: common.body,
    created_at: common.created_at,
    updated_at: common.updated_at,
    closed_at: common.closed_at,
    merged_at: toTimeOrNull(merged),
    merge_commit_sha: asTextOrNull(sha),
    assignee: common.assignee,
    assignees: common.assignees,
    requested_reviewers: asList(requests)
      .map(asObject)
      .filter(({ reviewer_type, dismissed_at }) => reviewer_type === 'User' && dismissed_at == null)
      .map(({ reviewer }) => userOf(rendering, reviewer, common.host)),
    labels: common.labels,
    milestone: common.milestone,
    draft: draft === 1,
    head: toEnd(rendering, head, describeRepository),
    base: toEnd(rendering, base, describeRepository),
    author_association: common.association,
    merged: toTimeOrNull(merged) !== null,
  }
}

/** One of the two branches of a pull request. */
function toEnd(
  rendering: Rendering,
  column: unknown,
  describeRepository: ToRepository,
): JsonObject {
  const { reader, viewer } = rendering
  const { ref, sha, user, repo } = asObject(parseJson(column))
  const repository = reader.repositories.findByUrl(repo)
  const isReadable = repository !== undefined && reader.permissions.canRead(viewer, repository)
  const owner: Person | undefined =
    typeof user === 'string' ? reader.people.byUrl(user, hostOf(user)) : undefined
  return {
    label: `${owner?.login ?? ''}:${asText(ref)}`,
    ref: asText(ref),
    sha: asText(sha),
    user: owner ? toUser(rendering, owner) : null,
    repo: isReadable ? describeRepository(rendering, repository) : null,
  } satisfies Record<string, JsonValue>
}

/** The address of a thread's page in the interface, as an issue. */
export const issueUrl = (rendering: Rendering, { thread, repository }: ThreadRecord): string =>
  `${repositoryUrl(rendering, repository)}/issues/${segment(String(thread.number))}`
