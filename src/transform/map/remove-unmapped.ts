import { ArchiveError } from '../../base/errors.ts'
import type { Database } from '../../database/open-database.ts'
import { quoteName } from '../../database/quote.ts'
import { loginsIn } from './find-names.ts'
import type { Lookup } from './identity-map.ts'
import { editPersonReferences, withoutPeople } from './person-references.ts'

const TABLES = ['users', 'bots'] as const

/**
 * Removes the records of all people without a new name, makes references to them null, and takes what is theirs out of lists.
 * Owners of repositories cannot go: throws `map-incomplete`. Organizations stay, and so do mentions in texts. Returns how many
 * records and references that were, by kind and member.
 */
export function removeUnmapped(
  database: Database,
  { logins, newLogins, kept }: Lookup,
  { hosts, organizations }: { hosts: ReadonlySet<string>; organizations: ReadonlySet<string> },
): Record<string, number> {
  const isMapped = (login: string) => [logins, newLogins, kept].some((names) => names.has(login))
  const known = new Set(TABLES.flatMap((table) => loginsIn(database, table)).map(lower))
  const allOwners = database
    .prepare<[], string>(`SELECT DISTINCT owner FROM repositories WHERE typeof(owner) = 'text'`)
    .pluck()
    .all()
  // An owner without a record may be an organization.
  const stays = new Set([...organizations, ...allOwners.map(loginOf).filter((l) => !known.has(l))])
  const isGone = (url: string): boolean => {
    const [, host = '', name = ''] = /^https?:\/\/([^/]+)\/([^/?#]+)$/.exec(url) ?? []
    const login = name.toLowerCase()
    return name !== '' && hosts.has(host.toLowerCase()) && !isMapped(login) && !stays.has(login)
  }
  const owners = allOwners.filter(isGone)
  if (owners.length > 0) {
    const shown = owners.slice(0, 20).map((url) => url.slice(url.lastIndexOf('/') + 1))
    const message = `owners of repositories need a new name: ${shown.join(', ')}`
    throw new ArchiveError('map-incomplete', message)
  }
  const removed: Record<string, number> = {}
  for (const table of TABLES) {
    const gone = loginsIn(database, table).filter((login) => !isMapped(lower(login)))
    const remove = database.prepare(`DELETE FROM ${quoteName(table)} WHERE login = ?`)
    for (const login of gone) {
      removed[table] = (removed[table] ?? 0) + remove.run(login).changes
    }
  }
  return { ...removed, ...editPersonReferences(database, withoutPeople(isGone)) }
}

const loginOf = (url: string) => url.slice(url.lastIndexOf('/') + 1).toLowerCase()
const lower = (login: string) => login.toLowerCase()
