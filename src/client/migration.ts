import { isObject, type JsonObject, type JsonValue } from '../records/json/json.ts'
import { ClientError } from './client-error.ts'

/** The states of a migration, in their order; one of the last two is the end. */
export const MIGRATION_STATES = ['pending', 'exporting', 'exported', 'failed'] as const

/** The state of a migration: `pending`, `exporting`, and at the end `exported` or `failed`. */
export type MigrationState = (typeof MIGRATION_STATES)[number]

/** An export of repositories, as a server describes it. */
export interface Migration {
  /** Identifies it on its server. Newer migrations have larger ids. */
  id: number
  /** Identifies it in the names of its archive. */
  guid: string
  /** How far it is. */
  state: MigrationState
  /** The repositories as owner/name. */
  repositories: string[]
  /** Whether it locked its repositories. */
  lock_repositories: boolean
  /** Whether it leaves out attachments. */
  exclude_attachments: boolean
  /** When it was started, by the clock of the server. */
  created_at: string
  /** When its state last changed, by the clock of the server. */
  updated_at: string
  /** The server says that there is an archive; older servers do not say. */
  has_archive?: true
}

/**
 * Reads a migration. A server is trusted no more than an archive.
 *
 * @throws `server-failed` for anything else, and for a state that is unknown
 */
export function parseMigration(value: JsonValue | undefined): Migration {
  const broken = (member: string) =>
    new ClientError('server-failed', `the server described a migration without ${member}`)
  if (!isObject(value)) throw broken('members')
  const { id, guid, state } = value
  if (!Number.isSafeInteger(id) || Number(id) < 0) throw broken('an id')
  if (typeof guid !== 'string' || !/^[\w-]{1,64}$/.test(guid)) throw broken('a guid')
  const known = MIGRATION_STATES.find((one) => one === state)
  if (known === undefined) {
    const seen = typeof state === 'string' ? JSON.stringify(state.slice(0, 40)) : 'none'
    throw new ClientError('server-failed', `migration ${id}: expected a known state, found ${seen}`)
  }
  return {
    id: Number(id),
    guid,
    state: known,
    repositories: repositoriesIn(value.repositories),
    lock_repositories: value.lock_repositories === true,
    exclude_attachments: value.exclude_attachments === true,
    created_at: textIn(value, 'created_at'),
    updated_at: textIn(value, 'updated_at'),
    ...(typeof value.archive_url === 'string' && { has_archive: true as const }),
  }
}

/** The full names in a list of repositories, without invalid ones. */
const repositoriesIn = (list: JsonValue | undefined): string[] =>
  (Array.isArray(list) ? list : []).flatMap((one) => fullNameOf(one) ?? [])

/** The owner/name of a repository object. */
export function fullNameOf(repository: JsonValue): string | undefined {
  const name = isObject(repository) ? repository.full_name : undefined
  return typeof name === 'string' && /^[^/]+\/[^/]+$/.test(name) ? name : undefined
}

function textIn(value: JsonObject, name: string): string {
  const text = value[name]
  return typeof text === 'string' ? text.slice(0, 40) : ''
}

/** The error for a migration that failed, with its id, guid and repositories. */
export function failureOf({ id, guid, repositories }: Migration): ClientError {
  const [first = 'none', ...others] = repositories
  const more = others.length > 0 ? ` and ${others.length} more` : ''
  const message = `migration ${id} (${guid}) of ${first}${more} failed on the server`
  return new ClientError('migration-failed', message, { value: String(repositories.length) })
}

/** The error for an archive that the server no longer has. */
export const archiveGone = (id: number): ClientError =>
  new ClientError('archive-gone', `the server has no archive of migration ${id}`)
