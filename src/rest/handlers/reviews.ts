import { notFound } from '../../http/http-error.ts'
import type { IndexedRepository } from '../../reading/repositories.ts'
import type { Part } from '../../reading/threads/parts.ts'
import { asText } from '../../reading/values.ts'
import type { JsonObject } from '../../records/json/json.ts'
import type { Answer, Handler, RequestContext } from '../request-context.ts'
import { linesOf, toReview, toReviewComment } from '../resources/comments.ts'
import type { Rendering } from '../resources/rendering.ts'
import { repositoryUrl } from '../resources/repositories.ts'
import { partParameters } from './comments.ts'
import { inRepository, numberInPath, readerOf, renderingOf } from './find-in-path.ts'
import { findPull } from './pulls.ts'

type Describe = (
  rendering: Rendering,
  repository: IndexedRepository,
  part: Part,
  pullUrl: string,
) => JsonObject | undefined

/** Reviews of the interface say their state in capitals, those in events do not. */
const describeReview: Describe = (rendering, repository, part, pullUrl) => {
  const review = toReview(rendering, { repository, ...part }, pullUrl)
  return review && { ...review, state: asText(review.state).toUpperCase() }
}

/** A review comment with its lines, which those in events lack. */
const describeComment: Describe = (rendering, repository, part, pullUrl) => {
  const comment = toReviewComment(rendering, { repository, ...part }, pullUrl)
  return comment && { ...comment, ...linesOf({ repository, ...part }) }
}

/** What somebody wrote in a pull request; undefined if its record is gone. */
function describePart(
  rendering: Rendering,
  repository: IndexedRepository,
  part: Part | undefined,
  describe: Describe,
): JsonObject | undefined {
  const thread = part && rendering.reader.threads.byId(part.thread)
  if (!thread) return undefined
  const pullUrl = `${repositoryUrl(rendering, repository)}/pulls/${thread.number}`
  return describe(rendering, repository, part, pullUrl)
}

/** A page of what people wrote in pull requests; those whose records are gone are left out. */
function answerParts(
  context: RequestContext,
  repository: IndexedRepository,
  ids: Float64Array,
  describe: Describe,
): Answer {
  const rendering = renderingOf(context)
  const { parts } = rendering.reader
  const items = (offset: number, limit: number) =>
    [...ids.subarray(offset, offset + limit)].flatMap(
      (id) => describePart(rendering, repository, parts.byId(id), describe) ?? [],
    )
  return { status: 200, list: { total: ids.length, items } }
}

/** Reviews of a pull request that were handed in, the oldest first. */
export const pullReviews: Handler = inRepository((context, repository) => {
  const of = { thread: findPull(context, repository) }
  const ids = readerOf(context).parts.list({ kind: 'review', of, direction: 'asc' })
  return answerParts(context, repository, ids, describeReview)
})

/** The comments that were handed in with a review. */
export const reviewComments: Handler = inRepository((context, repository) => {
  const { parts, people, library } = readerOf(context)
  const thread = findPull(context, repository)
  const number = numberInPath(context, 'review_id')
  const review = parts.findByNumber('review', repository, number)
  if (review?.thread !== thread.id) throw notFound()
  const of = { thread }
  const ids = parts.list({ kind: 'reviewComment', of, direction: 'asc' }).filter((id) => {
    const row = parts.byId(id)?.row ?? 0
    const table = 'pull_request_review_comments'
    const url = library.store(repository.database).record(table, 'pull_request_review', row)?.[0]
    return typeof url === 'string' && people.numberOf('PullRequestReview', url) === number
  })
  return answerParts(context, repository, ids, describeComment)
})

/** Review comments of a pull request. */
export const pullComments: Handler = inRepository((context, repository) => {
  const of = { thread: findPull(context, repository) }
  const { since, direction } = partParameters(context, 'PullRequestReviewComment')
  const ids = readerOf(context).parts.list({ kind: 'reviewComment', of, direction, since })
  return answerParts(context, repository, ids, describeComment)
})

/** Review comments of a repository. */
export const repositoryReviewComments: Handler = inRepository((context, repository) => {
  const { since, direction } = partParameters(context, 'PullRequestReviewComment')
  const of = { repository }
  const ids = readerOf(context).parts.list({ kind: 'reviewComment', of, direction, since })
  return answerParts(context, repository, ids, describeComment)
})

export const reviewComment: Handler = inRepository((context, repository) => {
  const number = numberInPath(context, 'comment_id')
  const part = readerOf(context).parts.findByNumber('reviewComment', repository, number)
  const comment = describePart(renderingOf(context), repository, part, describeComment)
  if (!comment) throw notFound()
  return { status: 200, body: comment }
})
