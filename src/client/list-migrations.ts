import { checkArguments, integerFrom } from '../base/check-arguments.ts'
import { isObject } from '../records/json/json.ts'
import { ClientError } from './client-error.ts'
import type { ClientOptions } from './client-options.ts'
import { fullNameOf, type Migration, parseMigration } from './migration.ts'
import { openSession, type Session } from './open-session.ts'

/** The id of a migration. */
export const anId = integerFrom(0, Number.MAX_SAFE_INTEGER)

/**
 * Lists migrations, the newest first. Pages are requested as they are read.
 *
 * @param options the server, and as whom to talk to it
 * @returns the migrations
 * @throws `server-…`, `credentials-refused`, `otp-required`, `sso-required`, `rate-limited`, `preview-refused`,
 *   `request-refused`, `interrupted` or `option-invalid`
 * @example
 * for await (const { id, state } of listMigrations({ server: 'github', token })) states.set(id, state)
 */
export function listMigrations(options: ClientOptions): AsyncGenerator<Migration> {
  return migrationsOf(openSession(options, {}))
}

/** The migrations of a session, the newest first. */
export async function* migrationsOf(session: Session): AsyncGenerator<Migration> {
  // A migration has all of its repositories, with all of their members: pages are small.
  const pages = session.list('listUserMigrations', { query: { per_page: '10' } })
  for await (const found of pages) yield parseMigration(found)
}

/**
 * Asks for one migration.
 *
 * @param id its id
 * @param options the server, and as whom to talk to it
 * @returns the migration
 * @throws `migration-not-found`, and the codes of `listMigrations`
 * @example
 * const { state } = await getMigration(12, { server: 'github', token })
 */
export async function getMigration(id: number, options: ClientOptions): Promise<Migration> {
  checkArguments({ id }, { id: anId })
  return findMigration(openSession(options, {}), id)
}

/** The migration of a session with an id. */
export async function findMigration(session: Session, id: number): Promise<Migration> {
  const call = { parameters: { migration_id: id } }
  const { body } = await session.call('getUserMigration', call).catch(orNotFound(id))
  return parseMigration(body)
}

/** Names the migration in the error of a 404. */
export const orNotFound = (id: number) => (error: unknown) => {
  throw isNotFound(error)
    ? new ClientError('migration-not-found', `the server has no migration ${id} for this account`)
    : error
}

export const isNotFound = (error: unknown): boolean =>
  error instanceof ClientError && error.status === 404

/**
 * Lists the repositories of a migration as owner/name.
 *
 * @param id its id
 * @param options the server, and as whom to talk to it
 * @returns the names
 * @throws the codes of `getMigration`
 * @example
 * const names = await listMigrationRepositories(12, { server: 'github', token })
 */
export async function listMigrationRepositories(
  id: number,
  options: ClientOptions,
): Promise<string[]> {
  checkArguments({ id }, { id: anId })
  const session = openSession(options, {})
  const names: string[] = []
  try {
    const call = { parameters: { migration_id: id }, query: { per_page: '100' } }
    for await (const found of session.list('listUserMigrationRepositories', call)) {
      names.push(...[fullNameOf(found) ?? []].flat())
    }
    return names
  } catch (error) {
    if (!isNotFound(error)) throw error
    // Older servers have no such list; the migration itself names them.
    return (await findMigration(session, id)).repositories
  }
}

/**
 * Lists the repositories that the caller owns, or that the organization of the session owns and the caller administers, as
 * owner/name.
 *
 * @param options the server, and as whom to talk to it
 * @returns the names
 * @throws the codes of `listMigrations`
 * @example
 * const names = await listOwnRepositories({ server: 'github', token })
 */
export async function listOwnRepositories(options: ClientOptions): Promise<string[]> {
  const session = openSession(options, {})
  const { organization } = options
  const owner = organization ?? (await loginOf(session))
  const names: string[] = []
  const affiliation = organization === undefined ? 'owner' : 'owner,organization_member'
  const query = { per_page: '100', affiliation }
  for await (const found of session.list('userRepositories', { query })) {
    const name = fullNameOf(found)
    const mayExport = isObject(found) && isObject(found.permissions) && found.permissions.admin
    const isOwn = name?.split('/')[0]?.toLowerCase() === owner.toLowerCase()
    if (name !== undefined && isOwn && mayExport === true) names.push(name)
  }
  return names
}

async function loginOf(session: Session): Promise<string> {
  const { body } = await session.call('currentUser')
  if (isObject(body) && typeof body.login === 'string') return body.login
  throw new ClientError('server-failed', 'the server described the caller without a login')
}
