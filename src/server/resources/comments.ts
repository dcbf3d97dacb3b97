import type { JsonObject } from '../../records/json/json.ts'
import { formatNodeId } from '../../rest/node-id.ts'
import type { Repository } from '../catalog/repositories.ts'
import {
  asIntegerOrNull,
  asList,
  asObject,
  asText,
  asTextOrNull,
  type Row,
} from '../catalog/sources.ts'
import { toTime, toTimeOrNull } from '../catalog/times.ts'
import { segment, userOf } from './people.ts'
import type { Rendering } from './rendering.ts'
import { repositoryUrl } from './repositories.ts'
import { associationOf } from './threads.ts'

/** A record of a repository, by its rowid and the number that it has. */
export interface Numbered {
  readonly repository: Repository
  readonly row: number
  readonly number: number
}

const read = (
  { reader }: Rendering,
  { repository, row }: Numbered,
  table: string,
  columns: string,
): Row | undefined => reader.sources.record(repository.database, table, columns, row)

const COMMENT = 'url, user, body, created_at'

/** The first members of all comments. */
function describe(
  rendering: Rendering,
  { repository, number }: Numbered,
  type: 'IssueComment' | 'PullRequestReviewComment' | 'CommitComment',
  path: string,
  [url, user, body, created]: Row,
): JsonObject {
  const created_at = toTime(created)
  return {
    url: `${repositoryUrl(rendering, repository)}/${path}/${number}`,
    html_url: asText(url),
    id: number,
    node_id: formatNodeId(type, number),
    user: userOf(rendering, user, repository.host),
    created_at,
    updated_at: created_at,
    author_association: associationOf(rendering, repository, user),
    body: asText(body),
  }
}

/** A comment on an issue or pull request. */
export function toIssueComment(
  rendering: Rendering,
  comment: Numbered,
  issueUrl: string,
): JsonObject | undefined {
  const row = read(rendering, comment, 'issue_comments', COMMENT)
  return (
    row && {
      ...describe(rendering, comment, 'IssueComment', 'issues/comments', row),
      issue_url: issueUrl,
    }
  )
}

const IN_DIFF = `diff_hunk, path, position, original_position, commit_id, original_commit_id,
  pull_request_review, in_reply_to`

/** A comment in the diff of a pull request. */
export function toReviewComment(
  rendering: Rendering,
  comment: Numbered,
  pullUrl: string,
): JsonObject | undefined {
  const row = read(rendering, comment, 'pull_request_review_comments', `${COMMENT}, ${IN_DIFF}`)
  if (!row) return undefined
  const [hunk, path, position, originalPosition, commit, originalCommit, review, reply] =
    row.slice(4)
  const { people } = rendering.reader
  return {
    ...describe(rendering, comment, 'PullRequestReviewComment', 'pulls/comments', row),
    pull_request_review_id:
      typeof review === 'string' ? people.numberOf('PullRequestReview', review) : null,
    diff_hunk: asText(hunk),
    path: asText(path),
    position: asIntegerOrNull(position),
    original_position: asIntegerOrNull(originalPosition),
    commit_id: asText(commit),
    original_commit_id: asText(originalCommit),
    pull_request_url: pullUrl,
    ...(typeof reply === 'string' && {
      in_reply_to_id: people.numberOf('PullRequestReviewComment', reply),
    }),
  }
}

const LINES = 'side, start_side, line, start_line, original_line, original_start_line, subject_type'

/** The lines that a review comment is about: those of its thread, or else the last line of its diff hunk. */
export function linesOf({ reader }: Rendering, { repository, row }: Numbered): JsonObject {
  const { database } = repository
  const table = 'pull_request_review_comments'
  const columns = 'pull_request_review_thread, diff_hunk, position, original_position, subject_type'
  const [url, hunk, position, originalPosition, own] =
    reader.sources.record(database, table, columns, row) ?? []
  const thread =
    typeof url === 'string'
      ? reader.sources.find(
          database,
          `SELECT ${LINES} FROM pull_request_review_threads WHERE url = ?`,
          url,
        )
      : undefined
  const last = lastLine(asText(hunk))
  const [side, startSide, line, startLine, originalLine, originalStart, subject] = thread ?? [
    ...[last?.side, null, position === originalPosition ? last?.line : null, null, last?.line],
  ]
  const type = asText(own) || asText(subject)
  return {
    line: asIntegerOrNull(line),
    original_line: asIntegerOrNull(originalLine),
    start_line: asIntegerOrNull(startLine),
    original_start_line: asIntegerOrNull(originalStart),
    side: toSide(asText(side)),
    start_side: typeof startSide === 'string' ? toSide(startSide) : null,
    subject_type: type === 'file' ? 'file' : 'line',
  }
}

const toSide = (side: string) => (side.toUpperCase() === 'LEFT' ? 'LEFT' : 'RIGHT')

/** The last line of a piece of a diff, with its number in the file of its side. */
function lastLine(hunk: string): { side: 'LEFT' | 'RIGHT'; line: number } | undefined {
  const [head = '', ...lines] = hunk.split('\n').filter((line) => !line.startsWith('\\'))
  const [, old, now] = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@/.exec(head) ?? []
  const last = lines.at(-1)
  if (old === undefined || now === undefined || last === undefined) return undefined
  const [side, start, other] = last.startsWith('-')
    ? (['LEFT', old, '+'] as const)
    : (['RIGHT', now, '-'] as const)
  const before = lines.slice(0, -1).filter((line) => !line.startsWith(other)).length
  return { side, line: Number(start) + before }
}

/** A comment on a commit. */
export function toCommitComment(rendering: Rendering, comment: Numbered): JsonObject | undefined {
  const row = read(rendering, comment, 'commit_comments', `${COMMENT}, path, position, commit_id`)
  if (!row) return undefined
  const [path, position, commit] = row.slice(4)
  return {
    ...describe(rendering, comment, 'CommitComment', 'comments', row),
    path: asTextOrNull(path),
    position: asIntegerOrNull(position),
    line: null,
    commit_id: asText(commit),
  }
}

/** A review of a pull request. */
export function toReview(
  rendering: Rendering,
  review: Numbered,
  pullUrl: string,
): JsonObject | undefined {
  const columns = 'url, user, body, state_name, submitted_at, head_sha'
  const row = read(rendering, review, 'pull_request_reviews', columns)
  if (!row) return undefined
  const [url, user, body, state, submitted, commit] = row
  const { repository, number } = review
  return {
    id: number,
    node_id: formatNodeId('PullRequestReview', number),
    user: userOf(rendering, user, repository.host),
    body: asText(body),
    state: asText(state),
    html_url: asText(url),
    pull_request_url: pullUrl,
    author_association: associationOf(rendering, repository, user),
    submitted_at: toTime(submitted),
    commit_id: asText(commit),
  }
}

const RELEASE = `url, user, tag_name, target_commitish, name, state, prerelease, created_at,
  published_at, body, release_assets`

/** A release that is published. */
export function toRelease(rendering: Rendering, release: Numbered): JsonObject | undefined {
  const row = read(rendering, release, 'releases', RELEASE)
  if (!row) return undefined
  const [recordUrl, user, tag, target, name, state, prerelease, created, published, body, assets] =
    row
  const { repository, number } = release
  return {
    url: `${repositoryUrl(rendering, repository)}/releases/${segment(String(number))}`,
    html_url: asText(recordUrl),
    id: number,
    node_id: formatNodeId('Release', number),
    tag_name: asText(tag),
    target_commitish: asText(target),
    name: asText(name),
    draft: state !== 'published',
    prerelease: prerelease === 1,
    created_at: toTime(created),
    published_at: toTimeOrNull(published),
    author: userOf(rendering, user, repository.host),
    assets: asList(assets)
      .map(asObject)
      .map(({ asset_name, asset_content_type, created_at }) => ({
        name: asText(asset_name),
        content_type: asText(asset_content_type),
        created_at: toTime(created_at),
      })),
    body: asText(body),
  }
}
