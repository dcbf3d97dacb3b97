import { notFound } from '../../http/http-error.ts'
import { Rendered, type RenderedElement, renderList } from '../../http/rendered.ts'
import type { ThreadList } from '../../reading/index/thread-orders.ts'
import type { IndexedRepository } from '../../reading/repositories.ts'
import type { ThreadQuery } from '../../reading/threads/list-threads.ts'
import type { Answer, Handler, RequestContext } from '../request-context.ts'
import { keptIssue } from '../resources/issue-events.ts'
import { bytesOf, wholeJson } from '../resources/kept-json.ts'
import type { Rendering } from '../resources/rendering.ts'
import { toRepository } from '../resources/repositories.ts'
import {
  findOrganization,
  findRepository,
  numberInPath,
  readerOf,
  renderingOf,
} from './find-in-path.ts'
import { ListParameters } from './list-parameters.ts'

const FILTERS = ['assigned', 'created', 'mentioned', 'subscribed', 'all'] as const
const ROLE_OF = {
  assigned: 'assignee',
  created: 'author',
  mentioned: 'mentioned',
  subscribed: 'subscribed',
} as const

/** The parameters of both lists of issues. */
function commonQuery(parameters: ListParameters): Omit<ThreadQuery, 'repositories'> {
  const state = parameters.word('state', ['open', 'closed', 'all'])
  const labels = (parameters.text('labels') ?? '').split(',').filter((label) => label !== '')
  const sort = parameters.word('sort', ['created', 'updated', 'comments'])
  const direction = parameters.word('direction', ['desc', 'asc'])
  const since = parameters.time('since')
  return {
    state,
    sort,
    direction,
    ...(labels.length > 0 && { labels }),
    ...(since !== undefined && { since }),
  }
}

/** A page of issues and pull requests; those whose records are gone are left out. */
function answerIssues(
  context: RequestContext,
  list: ThreadList,
  { hasRepository }: { hasRepository: boolean },
): Answer {
  const rendering = renderingOf(context)
  const describe = (id: number): RenderedElement[] => {
    const thread = rendering.reader.threads.byId(id)
    const repository = thread && rendering.reader.repositories.byId(thread.repository)
    const issue = repository && wholeIssue(rendering, repository, id, hasRepository)
    return issue ? [issue] : []
  }
  const items = (offset: number, limit: number) =>
    renderList(list.ids(offset, limit).flatMap(describe))
  return { status: 200, list: { total: list.total, items } }
}

/** An issue or pull request with the members that it does not have in events. Undefined if its record is gone. */
function wholeIssue(
  rendering: Rendering,
  repository: IndexedRepository,
  thread: number,
  hasRepository: boolean,
): RenderedElement | undefined {
  const kept = keptIssue(rendering, thread)
  if (!kept) return undefined
  const [issue, further] = [kept.issue, kept.further].map((json) => wholeJson(rendering, json)) as [
    string,
    string,
  ]
  const before = bytesOf(`${issue.slice(0, -1)},`)
  const after = bytesOf(further.slice(1))
  if (!hasRepository) return [before, after]
  const home = JSON.stringify(toRepository(rendering, repository))
  return [before, Buffer.from(`"repository":${home},`), after]
}

/** Issues and pull requests of a repository. */
export const repositoryIssues: Handler = {
  find: (head) => void findRepository(head),
  answer(context) {
    const repository = findRepository(context)
    const { threads } = readerOf(context)
    const parameters = new ListParameters(context.query, 'Issue')
    const common = commonQuery(parameters)
    const milestone = parameters.milestone()
    parameters.check()
    const assignee = parameters.text('assignee')
    const isAnybody = assignee === '*' || assignee === 'none'
    const list = threads.list({
      ...common,
      repositories: [repository.id],
      ...(typeof milestone === 'number' && { milestone }),
      ...(typeof milestone === 'boolean' && { hasMilestone: milestone }),
      ...(isAnybody ? { isAssigned: assignee === '*' } : { assignee }),
      author: parameters.text('creator'),
      mentioned: parameters.text('mentioned'),
    })
    return answerIssues(context, list, { hasRepository: false })
  },
}

/**
 * Issues and pull requests of the repositories that the caller takes part in.
 *
 * @param owner the place in the index of the owner of these repositories; undefined for all owners
 */
function answerForCaller(context: RequestContext, owner?: number): Answer {
  const { threads, permissions, repositories } = readerOf(context)
  const parameters = new ListParameters(context.query, 'Issue')
  const filter = parameters.word('filter', FILTERS)
  const common = commonQuery(parameters)
  parameters.check()
  const login = context.caller?.login ?? ''
  const readable = permissions
    .repositoriesOf(login, ['owner', 'collaborator', 'organization_member'])
    .filter((id) => {
      const repository = repositories.byId(id)
      if (owner !== undefined && repository?.ownerId !== owner) return false
      return repository !== undefined && permissions.canRead(context.caller, repository)
    })
  const list = threads.list({
    ...common,
    repositories: readable,
    ...(filter !== 'all' && { [ROLE_OF[filter]]: login }),
  })
  return answerIssues(context, list, { hasRepository: true })
}

/** Issues and pull requests of the repositories that the caller takes part in. */
export const userIssues: Handler = (context) => answerForCaller(context)

/** The same, of the repositories of an organization. */
export const organizationIssues: Handler = {
  find: (head) => void findOrganization(head),
  answer: (context) => answerForCaller(context, findOrganization(context).id ?? -1),
}

/** One issue or pull request. */
export const issue: Handler = {
  find: (head) => void findRepository(head),
  answer(context) {
    const repository = findRepository(context)
    const number = numberInPath(context, 'issue_number')
    const thread = readerOf(context).threads.findByNumber(repository, number, 'issues')
    const pieces = thread && wholeIssue(renderingOf(context), repository, thread.id, false)
    if (!pieces) throw notFound()
    return { status: 200, body: new Rendered(...pieces) }
  },
}
