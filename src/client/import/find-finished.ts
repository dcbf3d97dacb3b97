import { compareTexts } from '../../base/text.ts'
import type { Database } from '../../database/open-database.ts'
import { isObject } from '../../records/json/json.ts'
import { ClientError } from '../client-error.ts'
import { isNotFound } from '../list-migrations.ts'
import type { Session } from '../open-session.ts'
import type { Organization, RepositoryMigration } from './importer.ts'

/** What is about to be imported: an archive in a database, from an address, to a name of an organization. */
interface Wanted {
  session: Session
  organization: Organization
  sources: { database: Database }
}

/**
 * The import that made the repository of a name; undefined if there is no such repository. It is one of the same address, and began after
 * the archive was made. That is no proof that it took this archive.
 *
 * @param earlier the imports to that name
 * @throws `name-taken` if the repository has another origin, or the server does not know which
 */
export async function findFinished(
  { session, organization, sources: { database } }: Wanted,
  { name, source }: { name: string; source: URL },
  earlier: readonly RepositoryMigration[],
): Promise<RepositoryMigration | undefined> {
  if (!(await isThere(session, organization, name))) return undefined
  const last = earlier
    .filter(({ state }) => state === 'SUCCEEDED')
    .toSorted((a, b) => compareTexts(a.createdAt, b.createdAt))
    .at(-1)
  if (last?.sourceUrl !== source.href) throw nameTaken(organization, name)
  const made = database
    .prepare<[], string | null>('SELECT max(exported_at) FROM archives')
    .pluck()
    .get()
  if (Date.parse(last.createdAt) < Date.parse(made ?? '')) {
    throw nameTaken(
      organization,
      name,
      ', imported from the same address before this archive was made',
    )
  }
  return last
}

/** The error for a repository that is there, and what is known of it. */
export const nameTaken = ({ login }: Organization, name: string, more = ''): ClientError =>
  new ClientError('name-taken', `there is a repository ${login}/${name}${more}`, { value: name })

async function isThere(session: Session, { login }: Organization, name: string): Promise<boolean> {
  const parameters = { owner: login, repo: name }
  try {
    const { body } = await session.call('repository', { parameters })
    const found = isObject(body) ? String(body.full_name) : ''
    // The server leads from old names of repositories to new ones.
    return found.toLowerCase() === `${login}/${name}`.toLowerCase()
  } catch (error) {
    if (isNotFound(error)) return false
    throw error
  }
}
