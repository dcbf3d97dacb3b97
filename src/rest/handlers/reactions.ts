import { notFound } from '../../http/http-error.ts'
import type { IndexedRepository } from '../../reading/repositories.ts'
import type { PartKind } from '../../reading/threads/parts.ts'
import { asText } from '../../reading/values.ts'
import type { Answer, Handler, RequestContext } from '../request-context.ts'
import { REACTIONS, toReactions } from '../resources/reactions.ts'
import { findThread, inRepository, numberInPath, readerOf, renderingOf } from './find-in-path.ts'
import { ListParameters } from './list-parameters.ts'

/** Where a record with reactions is. */
interface Subject {
  readonly table: string
  readonly row: number
}

function answerReactions(
  context: RequestContext,
  repository: IndexedRepository,
  { table, row }: Subject,
): Answer {
  const parameters = new ListParameters(context.query, 'Reaction')
  const content = parameters.word('content', ['', ...REACTIONS])
  parameters.check()
  const { library } = readerOf(context)
  const record = library.store(repository.database).record(table, 'url, reactions', row)
  if (!record) throw notFound()
  const [url, column] = record
  const all = toReactions(renderingOf(context), repository, asText(url), column)
  const reactions = content === '' ? all : all.filter((each) => each.content === content)
  const items = (offset: number, limit: number) => reactions.slice(offset, offset + limit)
  return { status: 200, list: { total: reactions.length, items } }
}

/** Reactions to an issue or pull request. */
export const issueReactions: Handler = inRepository((context, repository) => {
  const { isPull, row } = findThread(context, repository, 'issue_number')
  return answerReactions(context, repository, { table: isPull ? 'pull_requests' : 'issues', row })
})

const reactionsTo = (kind: PartKind, table: string): Handler =>
  inRepository((context, repository) => {
    const number = numberInPath(context, 'comment_id')
    const part = readerOf(context).parts.findByNumber(kind, repository, number)
    if (!part) throw notFound()
    return answerReactions(context, repository, { table, row: part.row })
  })

export const issueCommentReactions = reactionsTo('comment', 'issue_comments')
export const reviewCommentReactions = reactionsTo('reviewComment', 'pull_request_review_comments')
export const commitCommentReactions = reactionsTo('commitComment', 'commit_comments')
