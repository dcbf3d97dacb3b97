import { ArchiveError } from '../../base/errors.ts'
import type { Database } from '../../database/open-database.ts'
import { quoteName } from '../../database/quote.ts'
import { orderOf } from '../../database/record-files/place-records.ts'
import { referencesOf } from '../../database/rows/references.ts'
import { kindNamed } from '../../records/kinds/kind-of-record.ts'
import { PEOPLE_TABLES } from '../../records/people-tables.ts'
import type { IdentityMap, Renaming } from './identity-map.ts'

/** The names that a database has. */
export interface Names {
  /** Logins of people and organizations, with or without a record. */
  people: readonly string[]
  /** owner/name. */
  repositories: readonly string[]
  /** Hosts of people and repositories. */
  hosts: ReadonlySet<string>
}

/** Finds the names; with `inLists` also those of people that only lists and objects name, which takes longer. */
export const findNames = (database: Database, { inLists = false } = {}): Names => ({
  people: peopleOf(database, inLists),
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
function peopleOf(database: Database, inLists: boolean): string[] {
  const selects = orderOf(database).tables.flatMap((table) => {
    const kind = kindNamed(table)
    const references = kind ? referencesOf(kind) : []
    return references
      .filter(({ member, url, tables }) => {
        const isPlain = url === `o.${quoteName(member)}`
        return tables.includes('users') && (isPlain || inLists)
      })
      .map(
        ({ member, from, url }) =>
          `SELECT DISTINCT ${url} AS url FROM ${quoteName(table)} AS o${from}
           WHERE ${from === '' ? '' : `o.${quoteName(member)} <> '[]' AND`} ${url} LIKE 'http%://%/%'`,
      )
  })
  const urls = selects.length === 0 ? [] : texts(database, selects.join(' UNION '))
  const named = urls.flatMap((url) => /^https?:\/\/[^/]+\/([^/?#]+)$/.exec(url)?.[1] ?? [])
  const found = new Map<string, string>()
  for (const login of [...PEOPLE_TABLES.flatMap((table) => loginsIn(database, table)), ...named]) {
    if (!found.has(login.toLowerCase())) found.set(login.toLowerCase(), login)
  }
  return [...found.values()].sort()
}

const repositoriesOf = (database: Database): string[] =>
  texts(database, `SELECT full_name FROM repositories WHERE full_name LIKE '_%/_%'`)

/** The hosts of people and repositories, in lower case: `forge.example`. */
export const hostsOf = (database: Database): Set<string> =>
  new Set(originsOf(database).flatMap((url) => /^https?:\/\/(.+)$/.exec(url)?.[1] ?? []))

/** The hosts of people and repositories with their scheme, in lower case: `https://forge.example`. */
export function originsOf(database: Database): string[] {
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
  const found = [...urls, ...referring].flatMap(
    (url) => /^https?:\/\/[^/]+/.exec(url)?.[0].toLowerCase() ?? [],
  )
  return [...new Set(found)]
}

/**
 * The map with old names spelled as in the records: the inverse map writes those. So are new logins of people who keep
 * them.
 */
export function spelledAsRecords(map: IdentityMap, { people, repositories }: Names): IdentityMap {
  const spelled = (names: readonly string[], renamings: readonly Renaming[]) => {
    const known = new Map<string, string>()
    for (const name of names) known.set(name.toLowerCase(), name)
    return renamings.map((each) => {
      const old = known.get(each.old.toLowerCase()) ?? each.old
      return renamed(each, { old, new: each.new === each.old ? old : each.new })
    })
  }
  const staying = stayingPeople(map, people)
  return {
    hosts: map.hosts,
    logins: spelled(people, map.logins).map((each) =>
      renamed(each, { old: each.old, new: staying.get(each.new.toLowerCase()) ?? each.new }),
    ),
    repositories: spelled(repositories, map.repositories),
  }
}

/** A renaming with these names; the same object if it has them, as almost all of many do. */
const renamed = (each: Renaming, names: Pick<Renaming, 'old' | 'new'>): Renaming =>
  each.old === names.old && each.new === names.new ? each : { ...each, ...names }

/** The logins that no line renames, by their lower case. */
export function stayingPeople(
  { logins }: IdentityMap,
  people: readonly string[],
): ReadonlyMap<string, string> {
  const leaving = new Set<string>()
  for (const { old } of logins) leaving.add(old.toLowerCase())
  const staying = new Map<string, string>()
  for (const login of people) {
    if (!leaving.has(login.toLowerCase())) staying.set(login.toLowerCase(), login)
  }
  return staying
}

/** Refuses a new name that something has already that keeps it; with `merge`, people may have one name. */
export function refuseTaken(map: IdentityMap, there: Names, { merge = false } = {}): void {
  const names = {
    hosts: [...there.hosts].flatMap((host) => [`https://${host}`, `http://${host}`]),
    logins: there.people,
    repositories: there.repositories,
  }
  const kinds = ['hosts', ...(merge ? [] : (['logins'] as const)), 'repositories'] as const
  for (const kind of kinds) {
    const leaving = new Set<string>()
    for (const { old } of map[kind]) leaving.add(old.toLowerCase().replace(/\/$/, ''))
    const staying = new Set<string>()
    for (const name of names[kind]) {
      if (!leaving.has(name.toLowerCase())) staying.add(name.toLowerCase())
    }
    for (const each of map[kind]) {
      if (!staying.has(each.new.toLowerCase().replace(/\/$/, ''))) continue
      const message = `${JSON.stringify(each.new)} is there already and keeps its name`
      throw new ArchiveError('map-collision', message, { entry: each.place })
    }
  }
}

/** Refuses new names of owners by which two repositories would be one. */
export function refuseSameRepositories(
  { repositories }: Names,
  mapRepository: (name: string) => string,
): void {
  const known = new Map<string, string>()
  for (const old of new Set(repositories.map((name) => name.toLowerCase()))) {
    const now = mapRepository(old)
    const other = known.get(now.toLowerCase())
    if (other !== undefined) {
      throw new ArchiveError('map-collision', `${other} and ${old} would both be ${now}`)
    }
    known.set(now.toLowerCase(), old)
  }
}
