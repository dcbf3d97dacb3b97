import { utcTimeOf } from '../../database/schema/facts/values.ts'
import { formatNodeId } from '../../interface/node-id.ts'
import type { IndexedRepository } from '../../reading/repositories.ts'
import type { Row } from '../../reading/store.ts'
import { readLines } from '../../reading/threads/lines.ts'
import { orEpoch } from '../../reading/times.ts'
import { asIntegerOrNull, asText, asTextOrNull } from '../../reading/values.ts'
import type { JsonObject } from '../../records/json/json.ts'
import { PLACE_IN_DIFF } from '../../records/rest-members.ts'
import { userOf } from './people.ts'
import type { Rendering } from './rendering.ts'
import { repositoryUrl } from './repositories.ts'
import { associationOf } from './threads.ts'

/** A record of a repository, by its rowid and the number that it has. */
export interface Numbered {
  readonly repository: IndexedRepository
  readonly row: number
  readonly number: number
}

const read = (
  { reader }: Rendering,
  { repository, row }: Numbered,
  table: string,
  columns: string,
): Row | undefined => reader.library.store(repository.database).record(table, columns, row)

const COMMENT = `url, user, body, ${utcTimeOf('created_at')}`

/** The first members of all comments. */
function describe(
  rendering: Rendering,
  { repository, number }: Numbered,
  type: 'IssueComment' | 'PullRequestReviewComment' | 'CommitComment',
  path: string,
  [url, user, body, created]: Row,
): JsonObject {
  const created_at = orEpoch(created)
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

const IN_DIFF = [
  'pull_request_review',
  'in_reply_to',
  ...PLACE_IN_DIFF.map(([member]) => member),
].join(', ')

/** The members of a place in a diff. */
const placeOf = (row: readonly unknown[]): JsonObject =>
  Object.fromEntries(
    PLACE_IN_DIFF.map(([, name, value], i) => [
      name,
      value === 'integer?' ? asIntegerOrNull(row[i]) : asText(row[i]),
    ]),
  )

/** A comment in the diff of a pull request. */
export function toReviewComment(
  rendering: Rendering,
  comment: Numbered,
  pullUrl: string,
): JsonObject | undefined {
  const row = read(rendering, comment, 'pull_request_review_comments', `${COMMENT}, ${IN_DIFF}`)
  if (!row) return undefined
  const [review, reply, ...place] = row.slice(4)
  const { people } = rendering.reader
  return {
    ...describe(rendering, comment, 'PullRequestReviewComment', 'pulls/comments', row),
    pull_request_review_id:
      typeof review === 'string' ? people.numberOf('PullRequestReview', review) : null,
    ...placeOf(place),
    pull_request_url: pullUrl,
    ...(typeof reply === 'string' && {
      in_reply_to_id: people.numberOf('PullRequestReviewComment', reply),
    }),
  }
}

/** The lines that a review comment is about. */
export function linesOf({ repository, row }: Numbered): JsonObject {
  const { line, originalLine, startLine, originalStartLine, ...rest } = readLines(
    repository.store,
    row,
  )
  return {
    line,
    original_line: originalLine,
    start_line: startLine,
    original_start_line: originalStartLine,
    side: rest.side,
    start_side: rest.startSide,
    subject_type: rest.isFile ? 'file' : 'line',
  }
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
  const columns = `url, user, body, state_name, ${utcTimeOf('(coalesce(submitted_at, created_at))')}, head_sha`
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
    submitted_at: orEpoch(submitted),
    commit_id: asText(commit),
  }
}
