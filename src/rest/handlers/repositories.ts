import { type FieldFault, HttpError, invalid, notFound } from '../../http/http-error.ts'
import type { Affiliation } from '../../reading/people/permissions.ts'
import type { IndexedRepository } from '../../reading/repositories.ts'
import type { Answer, Handler, RequestContext, RequestHead } from '../request-context.ts'
import { toRepository } from '../resources/repositories.ts'
import { requireAuthorization } from '../single-sign-on.ts'
import {
  findOrganization,
  findPerson,
  findRepository,
  inRepository,
  numberInPath,
  readerOf,
  renderingOf,
} from './find-in-path.ts'
import { ListParameters } from './list-parameters.ts'

export const repository: Handler = {
  find: (head) => void findRepository(head),
  answer: (context) => ({
    status: 200,
    body: toRepository(renderingOf(context), findRepository(context)),
  }),
}

/** The repository with the number in the path. Single sign-on is asked for as if the path named its owner. */
function findById(head: RequestHead): IndexedRepository {
  const { people, permissions, repositories } = readerOf(head)
  const found = repositories.findByNumber(numberInPath(head, 'repository_id'))
  if (!found) throw notFound()
  requireAuthorization(head, people.byId(found.ownerId, found.host).login)
  if (!permissions.canRead(head.caller, found)) throw notFound()
  return found
}

export const repositoryById: Handler = {
  find: (head) => void findById(head),
  answer: (context) => ({
    status: 200,
    body: toRepository(renderingOf(context), findById(context)),
  }),
}

/** The topics of a repository. */
export const topics: Handler = inRepository((context, repository) => ({
  status: 200,
  body: { names: toRepository(renderingOf(context), repository).topics ?? [] },
}))

const AFFILIATIONS: readonly Affiliation[] = ['owner', 'collaborator', 'organization_member']
const VISIBILITIES = ['all', 'public', 'private']

/** The repositories in which the caller has more permission than the public, by name. */
export const userRepositories: Handler = (context) => {
  const { query, caller } = context
  const { permissions } = readerOf(context)
  const asked = query.get('affiliation')?.split(',') ?? AFFILIATIONS
  const visibility = query.get('visibility') ?? 'all'
  const faults: FieldFault[] = []
  const refuse = (field: string) => faults.push({ resource: 'Repository', field, code: 'invalid' })
  const affiliations = AFFILIATIONS.filter((name) => asked.includes(name))
  if (new Set(asked).size !== affiliations.length) refuse('affiliation')
  if (!VISIBILITIES.includes(visibility)) refuse('visibility')
  if (faults.length > 0) throw invalid(faults)
  const found = permissions.repositoriesOf(caller?.login ?? '', affiliations)
  return answerRepositories(context, found, { visibility, order: 'name' })
}

/** A page of the repositories in this list that the caller may read. */
function answerRepositories(
  context: RequestContext,
  found: readonly number[],
  { visibility, order }: { visibility: string; order: string },
): Answer {
  const rendering = renderingOf(context)
  const { permissions, repositories, library } = rendering.reader
  const isWanted = { all: '1', public: 'NOT private', private: 'private' }[visibility] ?? '0'
  const ids = library.index.numbers(
    `SELECT id FROM repositories WHERE id IN (SELECT value FROM json_each(?))
      AND ${isWanted} ORDER BY ${order}, name`,
    JSON.stringify(found),
  )
  const readable = ids.flatMap((id) => {
    const each = repositories.byId(id)
    return each && permissions.canRead(context.caller, each) ? [each] : []
  })
  const items = (offset: number, limit: number) =>
    readable.slice(offset, offset + limit).map((each) => toRepository(rendering, each))
  return { status: 200, list: { total: readable.length, items } }
}

/** The orders of lists of repositories. */
const ORDERS = {
  full_name: 'name',
  created: 'created',
  updated: 'coalesce(updated, created)',
  pushed: 'pushed',
} as const
const TYPES = ['all', 'owner', 'member', 'public', 'private', 'forks', 'sources'] as const

/** The order that a request asks for: by name, or the newest first. */
function orderOf(parameters: ListParameters, usual: keyof typeof ORDERS): string {
  const names = Object.keys(ORDERS) as (keyof typeof ORDERS)[]
  const sort = parameters.word('sort', ['', ...names])
  const asked = parameters.word('direction', ['', 'asc', 'desc'])
  const by = sort === '' ? usual : sort
  return `${ORDERS[by]} ${asked === '' ? (by === 'full_name' ? 'asc' : 'desc') : asked}`
}

/** The repositories of a person: their own, or those in which they are a member. */
export const repositoriesOfUser: Handler = {
  find: (head) => void findPerson(head),
  answer(context) {
    const { login } = findPerson(context)
    const parameters = new ListParameters(context.query, 'Repository')
    const type = parameters.word('type', ['owner', 'all', 'member'])
    const order = orderOf(parameters, 'full_name')
    parameters.check()
    const affiliations = AFFILIATIONS.filter(
      (name) => type === 'all' || (type === 'owner') === (name === 'owner'),
    )
    const found = readerOf(context).permissions.repositoriesOf(login, affiliations)
    return answerRepositories(context, found, { visibility: 'all', order })
  },
}

/** The repositories of an organization, the newest first. Archives have no data about forks. */
export const repositoriesOfOrganization: Handler = {
  find: (head) => void findOrganization(head),
  answer(context) {
    const { id } = findOrganization(context)
    const parameters = new ListParameters(context.query, 'Repository')
    const type = parameters.word('type', TYPES)
    const order = orderOf(parameters, 'created')
    parameters.check()
    const { library } = readerOf(context)
    const owned = library.index.numbers('SELECT id FROM repositories WHERE owner = ?', id ?? -1)
    const visibility = type === 'public' || type === 'private' ? type : 'all'
    return answerRepositories(context, type === 'forks' ? [] : owned, { visibility, order })
  },
}

/** A request to merge branches, which is refused like every write to an archive. */
export const mergeBranches: Handler = inRepository(() => {
  throw new HttpError(403, 'This server serves archives, which do not change')
})
