import { notFound } from '../../../http/http-error.ts'
import { foldCase } from '../../../reading/names.ts'
import type { Person } from '../../../reading/people/people.ts'
import { teamByNumber } from '../../../reading/people/teams.ts'
import type { Answer, Handler, RequestContext, RequestHead } from '../../request-context.ts'
import { toListedOrganization, toUser } from '../../resources/people.ts'
import { toTeam } from '../../resources/teams.ts'
import { requireAuthorization } from '../../single-sign-on.ts'
import {
  findOrganization,
  findPerson,
  numberInPath,
  readerOf,
  renderingOf,
} from '../find-in-path.ts'
import { ListParameters } from '../list-parameters.ts'

/** Whether the caller may know who belongs to an organization: its members may. */
const knowsMembers = (head: RequestHead, organization: Person): boolean =>
  readerOf(head).permissions.seesMembersOf(head.caller, organization)

const byLogin = (a: Person, b: Person): number => (foldCase(a.login) < foldCase(b.login) ? -1 : 1)

/** A page of people or organizations, by login. */
function answerPeople(
  context: RequestContext,
  found: readonly Person[],
  describe: typeof toUser,
): Answer {
  const rendering = renderingOf(context)
  const sorted = found.toSorted(byLogin)
  const items = (offset: number, limit: number) =>
    sorted.slice(offset, offset + limit).map((each) => describe(rendering, each))
  return { status: 200, list: { total: sorted.length, items } }
}

/** The organizations that the caller belongs to. */
export const userOrganizations: Handler = (context) => {
  const { people, permissions } = readerOf(context)
  const ids = permissions.organizationsOf(context.caller?.login ?? '')
  const found = ids.map((id) => people.byId(id, ''))
  return answerPeople(context, found, toListedOrganization)
}

/** Of the organizations of a person, those to which the caller belongs too: archives do not tell which are public. */
export const organizationsOfUser: Handler = {
  find: (head) => void findPerson(head),
  answer(context) {
    const { people, permissions } = readerOf(context)
    const found = permissions
      .organizationsOf(findPerson(context).login)
      .map((id) => people.byId(id, ''))
      .filter((organization) => knowsMembers(context, organization))
    return answerPeople(context, found, toListedOrganization)
  },
}

const ROLES = ['all', 'admin', 'member'] as const

/** The members of an organization; nobody for those who do not belong to it. */
export const members: Handler = {
  find: (head) => void findOrganization(head),
  answer(context) {
    const organization = findOrganization(context)
    const { people, permissions } = readerOf(context)
    const parameters = new ListParameters(context.query, 'Member')
    const role = parameters.word('role', ROLES)
    parameters.check()
    const found = knowsMembers(context, organization) ? permissions.membersOf(organization) : []
    const wanted = found
      .map((id) => people.byId(id, ''))
      .filter((each) => role === 'all' || permissions.roleIn(organization, each) === role)
    return answerPeople(context, wanted, toUser)
  },
}

export const isMember: Handler = {
  find: (head) => void findOrganization(head),
  answer(context) {
    const organization = findOrganization(context)
    const { permissions } = readerOf(context)
    const role = permissions.roleIn(organization, context.params.username ?? '')
    if (role === undefined || !knowsMembers(context, organization)) throw notFound()
    return { status: 204 }
  },
}

/** The team with the number in the path. A secret one is for its members, and for owners of the organization. */
function findVisibleTeam(head: RequestHead) {
  const { library, people, permissions } = readerOf(head)
  const team = teamByNumber(library, numberInPath(head, 'team_id'))
  const organization = team && people.byUrl(team.organization, '')
  if (!team || organization?.kind !== 'Organization') throw notFound()
  requireAuthorization(head, organization.login)
  const { caller } = head
  if (!caller || !knowsMembers(head, organization)) throw notFound()
  const isInside =
    permissions.roleIn(organization, caller.login) === 'admin' ||
    permissions.isInTeam(caller.login, team.url)
  if (team.isSecret && !isInside) throw notFound()
  return team
}

export const team: Handler = {
  find: (head) => void findVisibleTeam(head),
  answer(context) {
    const { store, url } = findVisibleTeam(context)
    return { status: 200, body: toTeam(renderingOf(context), store, url) }
  },
}
