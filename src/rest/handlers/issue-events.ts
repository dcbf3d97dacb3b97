import { HttpError, notFound } from '../../http/http-error.ts'
import { Rendered, renderList } from '../../http/rendered.ts'
import type { IndexedRepository } from '../../reading/repositories.ts'
import type { IssueEvent } from '../../reading/threads/issue-events.ts'
import type { Answer, Handler, RequestContext } from '../request-context.ts'
import { previewsOf, toIssueEvent } from '../resources/issue-events.ts'
import { findRepository, findThread, numberInPath, readerOf, renderingOf } from './find-in-path.ts'

const toHandler = (
  answer: (context: RequestContext, repository: IndexedRepository) => Answer,
): Handler => ({
  find: (head) => void findRepository(head),
  answer(context) {
    const repository = findRepository(context)
    refuseDisabled(context, repository)
    return answer(context, repository)
  },
})

/** A repository without issues still has events if it has pull requests. */
function refuseDisabled(
  context: RequestContext,
  { database, row, pullRequests }: IndexedRepository,
): void {
  const { library } = readerOf(context)
  const hasIssues = library.store(database).record('repositories', 'has_issues', row)?.[0]
  if (hasIssues === 0 && pullRequests === 0) {
    throw new HttpError(410, 'Issues are disabled for this repo')
  }
}

/** A page of events; those whose records are gone are left out. */
function renderEvents(
  context: RequestContext,
  events: readonly IssueEvent[],
  hasIssue: boolean,
): Rendered {
  const rendering = renderingOf(context)
  const previews = previewsOf(context.media, false)
  return renderList(
    events.flatMap((event) => {
      const pieces = toIssueEvent(rendering, event, previews, hasIssue)
      return pieces ? [pieces] : []
    }),
  )
}

export const repositoryIssueEvents: Handler = toHandler((context, repository) => ({
  status: 200,
  list: {
    total: repository.events,
    items: (offset, limit) =>
      renderEvents(
        context,
        readerOf(context).issueEvents.ofRepository(repository, offset, limit),
        true,
      ),
  },
}))

export const threadIssueEvents: Handler = toHandler((context, repository) => {
  const { issueEvents } = readerOf(context)
  const thread = findThread(context, repository, 'issue_number')
  return {
    status: 200,
    list: {
      total: thread.events,
      items: (offset, limit) =>
        renderEvents(context, issueEvents.ofThread(thread, offset, limit), false),
    },
  }
})

export const issueEvent: Handler = toHandler((context, repository) => {
  const number = numberInPath(context, 'event_id')
  const event = readerOf(context).issueEvents.findByNumber(repository, number)
  const previews = previewsOf(context.media, true)
  const pieces = event && toIssueEvent(renderingOf(context), event, previews, true)
  if (!pieces) throw notFound()
  return { status: 200, body: new Rendered(...pieces) }
})
