import { formatNodeId } from '../../interface/node-id.ts'
import { hostOf } from '../../reading/names.ts'
import type { Person } from '../../reading/people/people.ts'
import type { IndexedRepository } from '../../reading/repositories.ts'
import { requestedReviewers } from '../../reading/threads/thread-facts.ts'
import { toTimeOrNull } from '../../reading/times.ts'
import { asObject, asText, asTextOrNull, parseJson } from '../../reading/values.ts'
import type { JsonObject, JsonValue } from '../../records/json/json.ts'
import { toUser, userOf } from './people.ts'
import type { Rendering } from './rendering.ts'
import { repositoryUrl, toRepository, toShortRepository } from './repositories.ts'
import { describeThread, patchUrls, type ThreadRecord } from './threads.ts'

/** A pull request in the payload of an event. */
export const toPullRequest = (rendering: Rendering, record: ThreadRecord): JsonObject =>
  describePullRequest(rendering, record, toShortRepository)

/** A pull request as its own resource, with complete repositories, who merged it, and why it is locked. */
export function toWholePullRequest(rendering: Rendering, record: ThreadRecord): JsonObject {
  const { reader } = rendering
  const { thread, repository } = record
  const pull = describePullRequest(rendering, record, toRepository)
  const { mergingEvent, mergedBy, lockReason } = record.facts
  const count = (kind: 'comment' | 'reviewComment') =>
    reader.parts.list({ kind, of: { thread }, direction: 'asc' }).length
  return {
    ...pull,
    active_lock_reason: lockReason,
    merged_by: mergingEvent === null ? null : userOf(rendering, mergedBy, repository.host),
    comments: count('comment'),
    review_comments: count('reviewComment'),
  }
}

type ToRepository = (rendering: Rendering, repository: IndexedRepository) => JsonObject

function describePullRequest(
  rendering: Rendering,
  record: ThreadRecord,
  describeRepository: ToRepository,
): JsonObject {
  const { thread, repository } = record
  const common = describeThread(rendering, record)
  const [sha, base, head] = record.columns.slice(5)
  const { mergedAt, isDraft } = record.facts
  const requested = requestedReviewers(repository.store, common.url)
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
    merged_at: toTimeOrNull(mergedAt),
    merge_commit_sha: asTextOrNull(sha),
    assignee: common.assignee,
    assignees: common.assignees,
    requested_reviewers: requested.map((person) => userOf(rendering, person, common.host)),
    labels: common.labels,
    milestone: common.milestone,
    draft: isDraft,
    head: toEnd(rendering, head, describeRepository),
    base: toEnd(rendering, base, describeRepository),
    author_association: common.association,
    merged: mergedAt !== null,
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
