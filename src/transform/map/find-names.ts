import type { Database } from '../../database/open-database.ts'
import { quoteName } from '../../database/quote.ts'
import { orderOf } from '../../database/record-files/place-records.ts'
import { ArchiveError } from '../../errors.ts'
import { kindNamed } from '../../records/kinds/kind-of-record.ts'
import type { IdentityMap, Renaming } from './identity-map.ts'

/** The tables of people. */
export const PEOPLE = ['users', 'bots', 'organizations']

/** The names that a database has. */
export interface Names {
  /** Logins of people and organizations, with or without a record. */
  people: readonly string[]
  /** owner/name. */
  repositories: readonly string[]
  /** Hosts of people and repositories. */
  hosts: ReadonlySet<string>
}

export const findNames = (database: Database): Names => ({
  people: peopleOf(database),
  repositories: repositoriesOf(database),
  hosts: hostsOf(database),
})

/** The first column of a query. */
export const texts = (database: Database, sql: string): string[] =>
  database.prepare<[], string>(sql).pluck().all()

/** The logins in a table of people. */
export const loginsIn = (database: Database, table: string): string[] =>
  texts(database, `SELECT login FROM ${table} WHERE typeof(login) = 'text'`)

/** The logins of all people that have a record, or whom a record refers to. */
function peopleOf(database: Database): string[] {
  const selects = orderOf(database).tables.flatMap((table) =>
    Object.entries(kindNamed(table)?.columns ?? {})
      .filter(([, column]) => column.refersTo?.includes('users'))
      .map(
        ([member]) =>
          `SELECT DISTINCT ${quoteName(member)} AS url FROM ${quoteName(table)} WHERE ${quoteName(member)} LIKE 'http%://%/%'`,
      ),
  )
  const urls = selects.length === 0 ? [] : texts(database, selects.join(' UNION '))
  const named = urls.flatMap((url) => /^https?:\/\/[^/]+\/([^/?#]+)$/.exec(url)?.[1] ?? [])
  const found = new Map<string, string>()
  for (const login of [...PEOPLE.flatMap((table) => loginsIn(database, table)), ...named]) {
    if (!found.has(login.toLowerCase())) found.set(login.toLowerCase(), login)
  }
  return [...found.values()].sort()
}

const repositoriesOf = (database: Database): string[] =>
  texts(database, `SELECT full_name FROM repositories WHERE full_name LIKE '_%/_%'`)

/** The hosts of people and repositories. */
function hostsOf(database: Database): Set<string> {
  const urls = ['users', 'organizations', 'bots', 'repositories'].flatMap((table) =>
    texts(
      database,
      `SELECT DISTINCT substr(url, 1, instr(substr(url, 9), '/') + 8) FROM ${table} WHERE url LIKE 'http%'`,
    ),
  )
  const referring = texts(
    database,
    `SELECT DISTINCT substr(repository, 1, instr(substr(repository, 9), '/') + 8) FROM issues WHERE repository LIKE 'http%'`,
  )
  return new Set(
    [...urls, ...referring].flatMap(
      (url) => /^https?:\/\/([^/]+)/.exec(url)?.[1]?.toLowerCase() ?? [],
    ),
  )
}

/** The map with old names as the records have them: the inverse map writes those. */
export function spelledAsRecords(map: IdentityMap, { people, repositories }: Names): IdentityMap {
  const spelled = (names: readonly string[]) => {
    const known = new Map(names.map((name) => [name.toLowerCase(), name]))
    return (each: Renaming) => ({ ...each, old: known.get(each.old.toLowerCase()) ?? each.old })
  }
  return {
    hosts: map.hosts,
    logins: map.logins.map(spelled(people)),
    repositories: map.repositories.map(spelled(repositories)),
  }
}

/** Refuses a new name that something has already that keeps it. */
export function refuseTaken(map: IdentityMap, there: Names): void {
  const names = {
    hosts: [...there.hosts].flatMap((host) => [`https://${host}`, `http://${host}`]),
    logins: there.people,
    repositories: there.repositories,
  }
  for (const kind of ['hosts', 'logins', 'repositories'] as const) {
    const leaving = new Set(map[kind].map((each) => each.old.toLowerCase().replace(/\/$/, '')))
    const staying = new Set(
      names[kind].map((name) => name.toLowerCase()).filter((name) => !leaving.has(name)),
    )
    for (const each of map[kind]) {
      if (!staying.has(each.new.toLowerCase().replace(/\/$/, ''))) continue
      const message = `${JSON.stringify(each.new)} is there already and keeps its name`
      throw new ArchiveError('map-invalid', message, { entry: each.place })
    }
  }
}
