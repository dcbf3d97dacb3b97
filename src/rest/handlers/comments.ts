import { notFound } from '../../http/http-error.ts'
import type { IndexedRepository } from '../../reading/repositories.ts'
import type { Part } from '../../reading/threads/parts.ts'
import type { Answer, Handler, RequestContext } from '../request-context.ts'
import { toCommitComment, toIssueComment } from '../resources/comments.ts'
import type { Rendering } from '../resources/rendering.ts'
import { repositoryUrl } from '../resources/repositories.ts'
import { findThread, inRepository, numberInPath, readerOf, renderingOf } from './find-in-path.ts'
import { ListParameters } from './list-parameters.ts'

const describe = (
  rendering: Rendering,
  repository: IndexedRepository,
  { thread, row, number }: Part,
) => {
  const home = rendering.reader.threads.byId(thread)
  const issueUrl = `${repositoryUrl(rendering, repository)}/issues/${home?.number ?? 0}`
  return toIssueComment(rendering, { repository, row, number }, issueUrl)
}

/** A page of comments; those whose records are gone are left out. */
function answerComments(
  context: RequestContext,
  repository: IndexedRepository,
  ids: Float64Array,
): Answer {
  const rendering = renderingOf(context)
  const items = (offset: number, limit: number) =>
    [...ids.subarray(offset, offset + limit)].flatMap((id) => {
      const part = rendering.reader.parts.byId(id)
      return (part && describe(rendering, repository, part)) ?? []
    })
  return { status: 200, list: { total: ids.length, items } }
}

/** Comments on the issues and pull requests of a repository. */
export const repositoryComments: Handler = inRepository((context, repository) => {
  const { since, direction } = partParameters(context, 'IssueComment')
  const of = { repository }
  const ids = readerOf(context).parts.list({ kind: 'comment', of, direction, since })
  return answerComments(context, repository, ids)
})

/** Comments on an issue or pull request, the oldest first. */
export const threadComments: Handler = inRepository((context, repository) => {
  const thread = findThread(context, repository, 'issue_number')
  const parameters = new ListParameters(context.query, 'IssueComment')
  const since = parameters.time('since')
  parameters.check()
  const of = { thread }
  const ids = readerOf(context).parts.list({ kind: 'comment', of, direction: 'asc', since })
  return answerComments(context, repository, ids)
})

export const issueComment: Handler = inRepository((context, repository) => {
  const number = numberInPath(context, 'comment_id')
  const part = readerOf(context).parts.findByNumber('comment', repository, number)
  const comment = part && describe(renderingOf(context), repository, part)
  if (!comment) throw notFound()
  return { status: 200, body: comment }
})

/** A page of comments on commits; those whose records are gone are left out. */
export function answerCommitComments(
  context: RequestContext,
  repository: IndexedRepository,
  ids: readonly number[] | Float64Array,
): Answer {
  const rendering = renderingOf(context)
  const items = (offset: number, limit: number) =>
    [...ids.slice(offset, offset + limit)].flatMap((id) => {
      const part = rendering.reader.parts.byId(id)
      return (part && toCommitComment(rendering, { repository, ...part })) ?? []
    })
  return { status: 200, list: { total: ids.length, items } }
}

/** Comments on the commits of a repository, the oldest first. */
export const repositoryCommitComments: Handler = inRepository((context, repository) => {
  const of = { repository }
  const ids = readerOf(context).parts.list({ kind: 'commitComment', of, direction: 'asc' })
  return answerCommitComments(context, repository, ids)
})

export const commitComment: Handler = inRepository((context, repository) => {
  const number = numberInPath(context, 'comment_id')
  const part = readerOf(context).parts.findByNumber('commitComment', repository, number)
  const comment = part && toCommitComment(renderingOf(context), { repository, ...part })
  if (!comment) throw notFound()
  return { status: 200, body: comment }
})

/**
 * The parameters of lists of all comments of a repository. Comments do not change once they are written, so both
 * orders are the same. Without an order the direction is ignored.
 */
export function partParameters(
  { query }: RequestContext,
  resource: string,
): { since: number | undefined; direction: 'asc' | 'desc' } {
  const parameters = new ListParameters(query, resource)
  const sort = parameters.word('sort', ['', 'created', 'updated'])
  const asked = parameters.word('direction', ['desc', 'asc'])
  const since = parameters.time('since')
  parameters.check()
  return { since, direction: sort === '' ? 'asc' : asked }
}
