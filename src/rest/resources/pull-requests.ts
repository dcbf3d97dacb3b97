import { isUnreadable } from '../../git/open-git.ts'
import { formatNodeId } from '../../interface/node-id.ts'
import { type ChangeCounts, countChanges, pullRangeOf } from '../../reading/git/pull-requests.ts'
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
    ...addressesOf(repositoryUrl(rendering, repository), pull),
  }
}

/** A pull request alone: how much it changes as well, and whether it could be merged, which no archive tells. */
export async function toSinglePullRequest(
  rendering: Rendering,
  record: ThreadRecord,
): Promise<JsonObject> {
  const pull = toWholePullRequest(rendering, record)
  const counts = await changesOf(record)
  return {
    ...pull,
    mergeable: null,
    rebaseable: null,
    mergeable_state: 'unknown',
    // People choose it for branches of other repositories, and no archive tells what they chose.
    maintainer_can_modify: isFromHere(record) ? false : null,
    commits: counts?.commits ?? null,
    additions: counts?.inserted ?? null,
    deletions: counts?.deleted ?? null,
    changed_files: counts?.files ?? null,
  }
}

/** Whether the head of a pull request is a branch of its own repository. */
const isFromHere = ({ repository, columns }: ThreadRecord): boolean =>
  asObject(parseJson(columns.at(-1))).repo === repository.url

/** How much a pull request changes; undefined if its commits are not in the archive, or cannot be read. */
async function changesOf({ repository, columns }: ThreadRecord): Promise<ChangeCounts | undefined> {
  try {
    const range = pullRangeOf(repository.store.database, asText(columns[0]))
    return range && (await countChanges(range))
  } catch (error) {
    if (isUnreadable(error)) return undefined
    throw error
  }
}

/** Where there is more about a pull request: as members, and again in one object, since clients read either. */
function addressesOf(api: string, { url, html_url, issue_url, head }: JsonObject): JsonObject {
  const addresses = {
    comments: `${issue_url}/comments`,
    review_comments: `${url}/comments`,
    review_comment: `${api}/pulls/comments{/number}`,
    commits: `${url}/commits`,
    statuses: `${api}/statuses/${asText(asObject(head).sha) || '{sha}'}`,
  }
  const members = Object.entries(addresses).map(([name, address]) => [`${name}_url`, address])
  const links = { self: url, html: html_url, issue: issue_url, ...addresses }
  const linked = Object.entries(links).map(([name, href]) => [name, { href }])
  return { ...Object.fromEntries(members), _links: Object.fromEntries(linked) }
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
