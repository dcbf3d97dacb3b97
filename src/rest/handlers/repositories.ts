import { type FieldFault, HttpError, invalid, notFound } from '../../http/http-error.ts'
import type { Affiliation } from '../../reading/people/permissions.ts'
import type { IndexedRepository, RepositoryFilter } from '../../reading/repositories.ts'
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
const VISIBILITIES = ['all', 'public', 'private'] as const

/** The repositories in which the caller has more permission than the public, by name. */
export const userRepositories: Handler = (context) => {
  const { query, caller } = context
  const { permissions } = readerOf(context)
  const asked = query.get('affiliation')?.split(',') ?? AFFILIATIONS
  const visibility = VISIBILITIES.find((name) => name === (query.get('visibility') ?? 'all'))
  const faults: FieldFault[] = []
  const refuse = (field: string) => faults.push({ resource: 'Repository', field, code: 'invalid' })
  const affiliations = AFFILIATIONS.filter((name) => asked.includes(name))
  if (new Set(asked).size !== affiliations.length) refuse('affiliation')
  if (visibility === undefined) refuse('visibility')
  if (visibility === undefined || faults.length > 0) throw invalid(faults)
  const found = permissions.repositoriesOf(caller?.login ?? '', affiliations)
  return answerRepositories(context, { ids: found, visibility })
}

/** A page of the repositories that the caller may read, of those that a filter lists. */
function answerRepositories(context: RequestContext, filter: RepositoryFilter): Answer {
  const rendering = renderingOf(context)
  const { permissions, repositories } = rendering.reader
  const ids = repositories.list(filter)
  const readable = ids.flatMap((id) => {
    const each = repositories.byId(id)
    return each && permissions.canRead(context.caller, each) ? [each] : []
  })
  const items = (offset: number, limit: number) =>
    readable.slice(offset, offset + limit).map((each) => toRepository(rendering, each))
  return { status: 200, list: { total: readable.length, items } }
}

const SORTS = ['full_name', 'created', 'updated', 'pushed'] as const
const TYPES = ['all', 'owner', 'member', 'public', 'private', 'forks', 'sources'] as const

/** The order that a request asks for: by name, or the newest first. */
function orderOf(parameters: ListParameters, usual: (typeof SORTS)[number]) {
  const sort = parameters.word('sort', ['', ...SORTS])
  const asked = parameters.word('direction', ['', 'asc', 'desc'])
  const by = sort === '' ? usual : sort
  const order = by === 'full_name' ? 'name' : by
  return { order, direction: asked === '' ? (order === 'name' ? 'asc' : 'desc') : asked } as const
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
    return answerRepositories(context, { ids: found, ...order })
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
    const visibility = type === 'public' || type === 'private' ? type : 'all'
    const filter = type === 'forks' ? { ids: [] } : { owner: id }
    return answerRepositories(context, { ...filter, visibility, ...order })
  },
}

/** A request to merge branches, which is refused like every write to an archive. */
export const mergeBranches: Handler = inRepository(() => {
  throw new HttpError(403, 'This server serves archives, which do not change')
})
