import { requireAuthorization } from '../access/single-sign-on.ts'
import type { Affiliation } from '../catalog/permissions.ts'
import type { Repository } from '../catalog/repositories.ts'
import { type FieldFault, invalid, notFound } from '../http/http-error.ts'
import type { Handler, RequestHead } from '../request-context.ts'
import { toRepository } from '../resources/repositories.ts'
import {
  findRepository,
  inRepository,
  numberInPath,
  readerOf,
  renderingOf,
} from './find-in-path.ts'

export const repository: Handler = {
  find: (head) => void findRepository(head),
  answer: (context) => ({
    status: 200,
    body: toRepository(renderingOf(context), findRepository(context)),
  }),
}

/** The repository with the number in the path. Single sign-on is asked for as if the path named its owner. */
function findById(head: RequestHead): Repository {
  const { people, permissions, repositories } = readerOf(head)
  const found = repositories.findByNumber(numberInPath(head, 'repository_id'))
  if (!found) throw notFound()
  requireAuthorization(head, people.byId(found.owner, found.host).login)
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

/** The repositories that the caller has a permission in other than that of everybody, by name. */
export const userRepositories: Handler = (context) => {
  const { query, caller } = context
  const { permissions, repositories, sources } = readerOf(context)
  const asked = query.get('affiliation')?.split(',') ?? AFFILIATIONS
  const visibility = query.get('visibility') ?? 'all'
  const faults: FieldFault[] = []
  const refuse = (field: string) => faults.push({ resource: 'Repository', field, code: 'invalid' })
  const affiliations = AFFILIATIONS.filter((name) => asked.includes(name))
  if (new Set(asked).size !== affiliations.length) refuse('affiliation')
  if (!VISIBILITIES.includes(visibility)) refuse('visibility')
  if (faults.length > 0) throw invalid(faults)
  const found = permissions.repositoriesOf(caller?.login ?? '', affiliations)
  const isWanted = {
    all: '1',
    public: 'NOT private',
    private: 'private',
  }[visibility]
  const ids = sources.numbers(
    `SELECT id FROM repositories WHERE id IN (SELECT value FROM json_each(?))
      AND ${isWanted ?? '0'} ORDER BY name`,
    JSON.stringify(found),
  )
  const rendering = renderingOf(context)
  const readable = ids.flatMap((id) => {
    const each = repositories.byId(id)
    return each && permissions.canRead(caller, each) ? [each] : []
  })
  const items = (offset: number, limit: number) =>
    readable.slice(offset, offset + limit).map((each) => toRepository(rendering, each))
  return { status: 200, list: { total: readable.length, items } }
}
