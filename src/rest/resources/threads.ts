import { formatNodeId } from '../../interface/node-id.ts'
import { readLabel } from '../../reading/labels.ts'
import { Memo } from '../../reading/remembered.ts'
import type { IndexedRepository } from '../../reading/repositories.ts'
import type { Row } from '../../reading/store.ts'
import type { IndexedThread } from '../../reading/threads/indexed-threads.ts'
import { readThreadFacts, type ThreadFacts } from '../../reading/threads/thread-facts.ts'
import { formatSeconds, toTimeOrNull } from '../../reading/times.ts'
import { asList, asText, asTextOrNull } from '../../reading/values.ts'
import type { JsonObject, JsonValue } from '../../records/json/json.ts'
import { toLabel, toMilestone } from './labels.ts'
import { segment, userOf } from './people.ts'
import type { Rendering } from './rendering.ts'
import { homeUrl, repositoryUrl } from './repositories.ts'

const COLUMNS = 'url, user, title, body, labels'
const PULL_COLUMNS = `${COLUMNS}, merge_commit_sha, base, head`

/** An issue or pull request, its repository, and its record. */
export interface ThreadRecord {
  readonly thread: IndexedThread
  readonly repository: IndexedRepository
  readonly columns: Row
  /** What follows from its record and others. */
  readonly facts: ThreadFacts
}

/** Reads the record of an issue or pull request. */
export function readThread({ reader }: Rendering, thread: IndexedThread): ThreadRecord | undefined {
  const repository = reader.repositories.byId(thread.repository)
  if (!repository) return undefined
  const { store } = repository
  const columns = thread.isPull
    ? store.record('pull_requests', PULL_COLUMNS, thread.row)
    : store.record('issues', COLUMNS, thread.row)
  const kind = thread.isPull ? 'pull_request' : 'issue'
  const facts = columns && readThreadFacts(store, kind, asText(columns[0]))
  return facts && { thread, repository, columns, facts }
}

/** The labels of an issue or pull request that the repository has. */
export const labelsOfThread = (
  rendering: Rendering,
  { repository, columns }: ThreadRecord,
): JsonValue[] =>
  asList(columns[4])
    .flatMap((url) => (typeof url === 'string' ? readLabel(repository, url) : undefined) ?? [])
    .map((label) => toLabel(rendering, repository, label))

/** Seconds since 1970 as a time; 1970 if there are none. */
const toInstant = (seconds: number | null): string => formatSeconds(seconds ?? 0)

/** The members that issues and pull requests share. */
export function describeThread(rendering: Rendering, record: ThreadRecord) {
  const { thread, repository, columns, facts } = record
  const [url, user, title, body] = columns
  const { host } = repository
  const assignees = facts.assignees.map((person) => userOf(rendering, person, host))
  return {
    url: asText(url),
    host,
    title: asText(title),
    body: asTextOrNull(body),
    user: userOf(rendering, user, host),
    labels: labelsOfThread(rendering, record),
    // What is merged is closed.
    state: facts.state === 'open' ? 'open' : 'closed',
    isLocked: facts.isLocked,
    assignee: assignees[0] ?? null,
    assignees,
    milestone: toMilestone(rendering, repository, thread.milestone),
    created_at: toInstant(thread.created),
    updated_at: toInstant(thread.updated ?? thread.created),
    closed_at: toTimeOrNull(facts.closedAt),
    association: associationOf(rendering, repository, user),
  }
}

/** An issue, or a pull request as an issue. */
export function toIssue(rendering: Rendering, record: ThreadRecord): JsonObject {
  const { thread, repository } = record
  const common = describeThread(rendering, record)
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
    active_lock_reason: record.facts.lockReason,
  }
}

/** Where this server has the changes of a pull request. */
export function patchUrls(
  rendering: Rendering,
  repository: IndexedRepository,
  { number }: IndexedThread,
) {
  const url = `${homeUrl(rendering, repository)}/pull/${number}`
  return { diff_url: `${url}.diff`, patch_url: `${url}.patch` }
}

/** Who closed an issue or pull request last; null if it is open, or no event says so. */
export function closedBy(rendering: Rendering, { repository, facts }: ThreadRecord): JsonValue {
  const { closingEvent, closedBy } = facts
  return closingEvent === null ? null : userOf(rendering, closedBy, repository.host)
}

/** The relation of an author to the repository. */
export function associationOf(
  rendering: Rendering,
  repository: IndexedRepository,
  url: unknown,
): string {
  const { people, permissions, library } = rendering.reader
  const person = people.byUrl(url, repository.host)
  const { id } = person
  if (id === undefined || id === 0) return 'NONE'
  return library.remember(ASSOCIATIONS, `${repository.id} ${id}`, () => {
    if (repository.ownerId === id) return 'OWNER'
    const owner = people.byId(repository.ownerId, repository.host)
    if (permissions.roleIn(owner, person)) return 'MEMBER'
    return permissions.isCollaborator(id, repository) ? 'COLLABORATOR' : 'NONE'
  })
}

const ASSOCIATIONS = new Memo<string>(() => 100)

/** The address of a thread's page in the interface, as an issue. */
export const issueUrl = (rendering: Rendering, { thread, repository }: ThreadRecord): string =>
  `${repositoryUrl(rendering, repository)}/issues/${segment(String(thread.number))}`
