import { notFound } from '../../../http/http-error.ts'
import { LEVELS } from '../../../reading/index/index-schema.ts'
import { foldCase } from '../../../reading/names.ts'
import type { Person } from '../../../reading/people/people.ts'
import type { Permission } from '../../../reading/people/permissions.ts'
import type { IndexedRepository } from '../../../reading/repositories.ts'
import type { JsonObject } from '../../../records/json/json.ts'
import type { Answer, Handler, RequestContext } from '../../request-context.ts'
import { userMembers } from '../../resources/people.ts'
import type { Rendering } from '../../resources/rendering.ts'
import { toTeam } from '../../resources/teams.ts'
import { inRepository, readerOf, renderingOf } from '../find-in-path.ts'

/** A handler for callers who may push: only they may know who has access. */
const forWriters = (
  answer: (context: RequestContext, repository: IndexedRepository) => Answer,
): Handler =>
  inRepository((context, repository) => {
    const { permissions } = readerOf(context)
    const permission = permissions.permissionOf(context.caller, repository)
    if (permission !== 'push' && permission !== 'admin') throw notFound()
    return answer(context, repository)
  })

/** The words of the host for a permission. */
const ROLES = { admin: 'admin', push: 'write', pull: 'read' } as const

/** A person with access to a repository. */
function toCollaborator(
  rendering: Rendering,
  person: Person,
  permission: Permission | undefined,
): JsonObject {
  const level = permission === undefined ? 0 : LEVELS[permission]
  return {
    ...userMembers(rendering, person),
    permissions: {
      admin: level >= LEVELS.admin,
      maintain: level >= LEVELS.admin,
      push: level >= LEVELS.push,
      triage: level >= LEVELS.push,
      pull: level >= LEVELS.pull,
    },
    role_name: permission === undefined ? 'none' : ROLES[permission],
  }
}

/** People with access to a repository, by login. */
export const collaborators: Handler = forWriters((context, repository) => {
  const rendering = renderingOf(context)
  const { people, permissions } = rendering.reader
  const found = permissions
    .peopleOf(repository)
    .map((id) => people.byId(id, repository.host))
    .sort((a, b) => (foldCase(a.login) < foldCase(b.login) ? -1 : 1))
  const items = (offset: number, limit: number) =>
    found
      .slice(offset, offset + limit)
      .map((person) =>
        toCollaborator(rendering, person, permissions.ownPermissionOf(person, repository)),
      )
  return { status: 200, list: { total: found.length, items } }
})

/** The person in the path, with their own permission, without that of the public. */
function findCollaborator(context: RequestContext, repository: IndexedRepository) {
  const { people, permissions } = readerOf(context)
  const person = people.findByLogin(context.params.username ?? '')
  if (!person) throw notFound()
  return { person, permission: permissions.ownPermissionOf(person.login, repository) }
}

export const isCollaborator: Handler = forWriters((context, repository) => {
  if (!findCollaborator(context, repository).permission) throw notFound()
  return { status: 204 }
})

export const collaboratorPermission: Handler = forWriters((context, repository) => {
  const { person, permission } = findCollaborator(context, repository)
  const granted = permission ?? (repository.isPrivate ? undefined : 'pull')
  const user = toCollaborator(renderingOf(context), person, granted)
  const word = user.role_name ?? 'none'
  return { status: 200, body: { permission: word, user, role_name: word } }
})

/** Teams with access to a repository, by their urls. */
export const repositoryTeams: Handler = forWriters((context, repository) => {
  const rendering = renderingOf(context)
  const found = rendering.reader.permissions.teamsOf(repository)
  const items = (offset: number, limit: number) =>
    found.slice(offset, offset + limit).map(({ team, permission }) => ({
      ...toTeam(rendering, repository.store, team),
      permission,
    }))
  return { status: 200, list: { total: found.length, items } }
})
