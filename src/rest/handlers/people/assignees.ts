import { notFound } from '../../../http/http-error.ts'
import { GHOST } from '../../../reading/index/index-schema.ts'
import { foldCase } from '../../../reading/names.ts'
import type { Person } from '../../../reading/people/people.ts'
import { seesPrivate } from '../../../reading/people/viewer.ts'
import { Memo } from '../../../reading/remembered.ts'
import type { IndexedRepository } from '../../../reading/repositories.ts'
import type { Handler, RequestContext } from '../../request-context.ts'
import { toUser } from '../../resources/people.ts'
import { inRepository, readerOf, renderingOf } from '../find-in-path.ts'

/**
 * People who can be assigned, by login: those who are, which everybody sees who reads the repository; for callers who may push,
 * also others who may.
 */
function assigneesOf(context: RequestContext, repository: IndexedRepository): readonly Person[] {
  const { caller } = context
  const { people, permissions, library, threads } = readerOf(context)
  const permission = seesPrivate(caller) && permissions.permissionOf(caller, repository)
  const isWriter = permission === 'push' || permission === 'admin'
  return library.remember(ASSIGNEES, `${repository.id} ${isWriter}`, () => {
    const ids = [...threads.assignees(repository), ...(isWriter ? writersOf() : [])]
    return [...new Set(ids)]
      .filter((id) => id !== GHOST.id)
      .map((id) => people.byId(id, repository.host))
      .sort((a, b) => (foldCase(a.login) < foldCase(b.login) ? -1 : 1))
  })

  function writersOf(): number[] {
    return permissions.peopleOf(repository).filter((id) => {
      const own = permissions.ownPermissionOf(people.byId(id, repository.host), repository)
      return own === 'push' || own === 'admin'
    })
  }
}

const ASSIGNEES = new Memo<readonly Person[]>(({ length }) => 300 * length)

export const assignees: Handler = inRepository((context, repository) => {
  const found = assigneesOf(context, repository)
  const rendering = renderingOf(context)
  const items = (offset: number, limit: number) =>
    found.slice(offset, offset + limit).map((person) => toUser(rendering, person))
  return { status: 200, list: { total: found.length, items } }
})

export const isAssignee: Handler = inRepository((context, repository) => {
  const login = foldCase(context.params.username ?? '')
  if (!assigneesOf(context, repository).some((each) => foldCase(each.login) === login)) {
    throw notFound()
  }
  return { status: 204 }
})
