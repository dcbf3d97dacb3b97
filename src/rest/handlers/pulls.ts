import { notFound } from '../../http/http-error.ts'
import type { IndexedRepository } from '../../reading/repositories.ts'
import type { IndexedThread } from '../../reading/threads/indexed-threads.ts'
import { asText } from '../../reading/values.ts'
import type { Handler, RequestHead } from '../request-context.ts'
import { readThread, toWholePullRequest } from '../resources/threads.ts'
import { findThread, inRepository, renderingOf } from './find-in-path.ts'
import { ListParameters } from './list-parameters.ts'

/** The pull requests of a repository, open ones unless others are asked for. */
export const repositoryPulls: Handler = inRepository((context, repository) => {
  const parameters = new ListParameters(context.query, 'PullRequest')
  const state = parameters.word('state', ['open', 'closed', 'all'])
  const sort = parameters.word('sort', ['created', 'updated', 'popularity'])
  const asked = parameters.word('direction', ['', 'asc', 'desc'])
  const head = parameters.text('head')
  const base = parameters.text('base')
  parameters.check()
  const rendering = renderingOf(context)
  const { reader } = rendering
  const list = reader.threads.list({
    repositories: [repository.id],
    state,
    kind: 'pulls',
    sort: sort === 'popularity' ? 'comments' : sort,
    direction: asked || (sort === 'created' ? 'desc' : 'asc'),
  })
  const describe = (id: number) => {
    const thread = reader.threads.byId(id)
    const record = thread && readThread(rendering, thread)
    return record ? [toWholePullRequest(rendering, record)] : []
  }
  if (head === undefined && base === undefined) {
    const items = (offset: number, limit: number) => list.ids(offset, limit).flatMap(describe)
    return { status: 200, list: { total: list.total, items } }
  }
  const wanted = list.ids(0, list.total).filter((id) => hasEnds(reader.threads.byId(id)))
  const items = (offset: number, limit: number) =>
    wanted.slice(offset, offset + limit).flatMap(describe)
  return { status: 200, list: { total: wanted.length, items } }

  /** Whether a pull request has the head and base branches that are asked for. */
  function hasEnds(thread: IndexedThread | undefined): boolean {
    const columns = "base ->> 'ref', head ->> 'ref', head ->> 'user'"
    const row =
      thread &&
      reader.library.store(repository.database).record('pull_requests', columns, thread.row)
    const owner = reader.people.byUrl(row?.[2], repository.host).login
    return (
      (base === undefined || row?.[0] === base) &&
      (head === undefined || `${owner}:${asText(row?.[1])}` === head)
    )
  }
})

/** The pull request in the path. */
export function findPull(head: RequestHead, repository: IndexedRepository): IndexedThread {
  const thread = findThread(head, repository, 'pull_number')
  if (!thread.isPull) throw notFound()
  return thread
}

export const pull: Handler = inRepository((context, repository) => {
  const rendering = renderingOf(context)
  const record = readThread(rendering, findPull(context, repository))
  if (!record) throw notFound()
  return { status: 200, body: toWholePullRequest(rendering, record) }
})

/** People who were asked for a review and have not given it. Archives have no requests to teams. */
export const requestedReviewers: Handler = inRepository((context, repository) => {
  const rendering = renderingOf(context)
  const record = readThread(rendering, findPull(context, repository))
  if (!record) throw notFound()
  const { requested_reviewers } = toWholePullRequest(rendering, record)
  return { status: 200, body: { users: requested_reviewers ?? [], teams: [] } }
})
