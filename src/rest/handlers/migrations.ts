import type { Caller } from '../../http/access/caller.ts'
import { HttpError, invalid, notFound } from '../../http/http-error.ts'
import { foldCase } from '../../reading/names.ts'
import type { IndexedRepository } from '../../reading/repositories.ts'
import type { JsonObject } from '../../records/json/json.ts'
import type { Answer, Handler, RequestContext, RequestHead } from '../request-context.ts'
import { toMigration } from '../resources/migrations.ts'
import { toRepository } from '../resources/repositories.ts'
import { requireAuthorization } from '../single-sign-on.ts'
import { type Migration, type MigrationOwner, MOST_PENDING } from '../state/migrations.ts'
import { findOrganization, numberInPath, readerOf, renderingOf } from './find-in-path.ts'
import { EXCLUDABLE, parseMigration } from './parse-migration.ts'
import { redirectToSigned } from './signed-address.ts'

/** Whose migrations a path is about: the caller's, or those of an organization that the caller administers. */
interface Subject {
  readonly caller: Caller
  readonly of: MigrationOwner
  /** The login before a bare name of a repository. */
  readonly login: string
  readonly organization: string | undefined
}

type Answerer = (context: RequestContext, subject: Subject) => Answer | Promise<Answer>

/** The same answer for the migrations of the caller and for those of an organization. */
const ofCaller =
  (answer: Answerer): Handler =>
  (context) => {
    const caller = callerOf(context)
    const { login } = caller
    return answer(context, { caller, of: { owner: login }, login, organization: undefined })
  }

const ofOrganization = (answer: Answerer): Handler => ({
  find: (head) => void findSubject(head),
  answer: (context) => answer(context, findSubject(context)),
})

function findSubject(head: RequestHead): Subject {
  const caller = callerOf(head)
  const { id, login } = findOrganization(head)
  if (readerOf(head).permissions.roleIn({ id, login }, caller.login) !== 'admin') throw notFound()
  return { caller, of: { organization: login }, login, organization: login }
}

function callerOf({ caller }: RequestHead): Caller {
  if (!caller) throw notFound()
  return caller
}

function findMigration(context: RequestHead, { of }: Subject): Migration {
  const id = numberInPath(context, 'migration_id')
  const found = context.server.state.migrations.find(id, of)
  if (!found) throw notFound()
  return found
}

const start: Answerer = (context, { caller, login, organization }) => {
  const { server, body } = context
  const { repositories: known, permissions } = readerOf(context)
  const { repositories, options, isShort, faults } = parseMigration(body, {
    login,
    organizations: () => administeredBy(context, caller, organization !== undefined),
    find(name) {
      requireAuthorization(context, name.split('/')[0] as string)
      const found = known.findByName(name)
      return found && permissions.permissionOf(caller, found) === 'admin' ? found : undefined
    },
  })
  if (faults.length > 0) throw invalid(faults)
  const { state } = server
  const names = repositories.map(({ fullName }) => fullName)
  const owner = caller.login
  const started = state.migrations.start({ owner, organization, repositories: names, options })
  if (!started) {
    throw new HttpError(403, `At most ${MOST_PENDING} migrations of an account can be pending`)
  }
  state.wake()
  const described = describe(context, started, isShort)
  return { status: 201, body: described, headers: { Location: described.url as string } }
}

const list: Answerer = (context, { of }) => {
  const { migrations } = context.server.state
  const isShort = wantsShort(context)
  return {
    status: 200,
    list: {
      total: migrations.count(of),
      items: (offset, limit) =>
        migrations.list(of, { offset, limit }).map((one) => describe(context, one, isShort)),
    },
  }
}

const get: Answerer = (context, subject) => ({
  status: 200,
  body: describe(context, findMigration(context, subject), wantsShort(context)),
})

const getArchive: Answerer = (context, subject) => {
  const { guid, archive } = findMigration(context, subject)
  if (!archive) throw notFound()
  return redirectToSigned(context, `/_archives/${guid}.tar.gz`, { purpose: 'archive', name: guid })
}

const deleteArchive: Answerer = (context, subject) => {
  const migration = findMigration(context, subject)
  if (!context.server.state.deleteArchive(migration)) throw notFound()
  return { status: 204 }
}

const unlock: Answerer = (context, subject) => {
  const migration = findMigration(context, subject)
  const name = nameInPath(context, subject, migration)
  if (!context.server.state.migrations.unlock(migration.id, name)) throw notFound()
  return { status: 204 }
}

/**
 * The repository of a migration that a path names: `owner/name`, or a bare name; if several have it, the caller's own.
 */
function nameInPath(
  { params }: RequestHead,
  { login }: Subject,
  { repositories }: Migration,
): string {
  const asked = foldCase(params.repo_name ?? '')
  const isAsked = (name: string) =>
    foldCase(asked.includes('/') ? name : (name.split('/')[1] as string)) === asked
  const found = repositories.filter(isAsked)
  const own = found.filter((name) => foldCase(name) === `${foldCase(login)}/${asked}`)
  const name = found.length > 1 ? own[0] : found[0]
  if (name === undefined) throw notFound()
  return name
}

const listRepositories: Answerer = (context, subject) => {
  const repositories = servedOf(context, findMigration(context, subject))
  const rendering = renderingOf(context)
  return {
    status: 200,
    list: {
      total: repositories.length,
      items: (offset, limit) =>
        repositories.slice(offset, offset + limit).map((one) => toRepository(rendering, one)),
    },
  }
}

/** The repositories of a migration that are still served, and that the caller may read. */
function servedOf(context: RequestHead, { repositories }: Migration): IndexedRepository[] {
  const { repositories: known, permissions } = readerOf(context)
  return repositories
    .map((name) => known.findByName(name))
    .filter((found) => found !== undefined)
    .filter((found) => permissions.canRead(context.caller, found))
}

/** Whether a request wants the answer without repositories: `exclude=repositories`, however its client writes lists. */
const wantsShort = ({ query }: RequestHead): boolean =>
  ['exclude', 'exclude[]']
    .flatMap((name) => query.getAll(name))
    .some((value) => value.split(',').includes(EXCLUDABLE))

/** @param isShort without the repositories, which may be many */
const describe = (context: RequestHead, migration: Migration, isShort: boolean): JsonObject =>
  toMigration(renderingOf(context), migration, isShort ? undefined : servedOf(context, migration))

/** Logins of the organizations whose metadata the caller may have: that of the path, or all that the caller administers. */
function administeredBy(context: RequestHead, caller: Caller, isOfPath: boolean): string[] {
  const { people, permissions } = readerOf(context)
  const all = isOfPath
    ? [findOrganization(context)]
    : permissions.organizationsOf(caller.login).map((id) => people.byId(id, ''))
  return all
    .filter((each) => permissions.seesMembersOf(caller, each))
    .filter((each) => permissions.roleIn(each, caller.login) === 'admin')
    .map(({ login }) => login)
}

export const startUserMigration = ofCaller(start)
export const listUserMigrations = ofCaller(list)
export const getUserMigration = ofCaller(get)
export const getUserArchive = ofCaller(getArchive)
export const deleteUserArchive = ofCaller(deleteArchive)
export const unlockUserRepository = ofCaller(unlock)
export const listUserMigrationRepositories = ofCaller(listRepositories)
export const startOrgMigration = ofOrganization(start)
export const listOrgMigrations = ofOrganization(list)
export const getOrgMigration = ofOrganization(get)
export const getOrgArchive = ofOrganization(getArchive)
export const deleteOrgArchive = ofOrganization(deleteArchive)
export const unlockOrgRepository = ofOrganization(unlock)
export const listOrgMigrationRepositories = ofOrganization(listRepositories)
