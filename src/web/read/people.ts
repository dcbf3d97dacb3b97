import { foldCase, type Library } from './library.ts'
import type { Store } from './store.ts'

/** The record of a person, bot or organization. */
export interface FoundPerson {
  readonly store: Store
  readonly table: 'users' | 'bots' | 'organizations'
  readonly url: string
  readonly login: string
}

const urlsOf = (library: Library, login: string): string[] =>
  [...library.hosts].flatMap((host) => [`https://${host}/${login}`, `http://${host}/${login}`])

/** The record of an account, whose login is written as in its url. */
export function findPerson(library: Library, login: string): FoundPerson | undefined {
  for (const store of library.stores) {
    for (const table of ['users', 'bots', 'organizations'] as const) {
      for (const url of urlsOf(library, login)) {
        const row = store.get<{ url: string; login: string | null }>(
          `SELECT url, login FROM ${table} WHERE url = ?`,
          url,
        )
        // A login that differs from the url would lead nowhere.
        const isSame = row !== undefined && foldCase(row.login ?? '') === foldCase(login)
        if (row) return { store, table, url, login: isSame ? (row.login ?? login) : login }
      }
    }
  }
  return undefined
}

const WRITERS = [
  'issues',
  'pull_requests',
  'issue_comments',
  'pull_request_reviews',
  'pull_request_review_comments',
  'commit_comments',
  'releases',
  'discussions',
]

/** A database in which an account without a record wrote or did something. */
export function findTraces(
  library: Library,
  login: string,
): { store: Store; url: string } | undefined {
  for (const store of library.stores) {
    for (const url of urlsOf(library, login)) {
      const wrote = WRITERS.map((table) => `SELECT 1 FROM ${table} WHERE user = ?1`)
      const did = ['actor', 'subject'].map(
        (column) => `SELECT 1 FROM issue_events WHERE ${column} = ?1`,
      )
      const sql = `SELECT 1 FROM (${[...wrote, ...did].join(' UNION ALL ')}) LIMIT 1`
      if (store.get(sql.replaceAll('?1', '?'), ...[...wrote, ...did].map(() => url)))
        return { store, url }
    }
  }
  return undefined
}

/** Whether an account has a page: for strangers only owners of public repositories have. */
export function hasPersonPage(library: Library, login: string): boolean {
  const [first] = library.stores
  if (!first) return false
  return first.remember(`person page ${login}`, () => {
    if (library.repositories().some(({ owner }) => foldCase(owner) === foldCase(login))) return true
    if (library.audience !== 'all') return false
    return findPerson(library, login) !== undefined || findTraces(library, login) !== undefined
  })
}

/** A login as its record writes it. */
export function loginOf(library: Library, login: string): string {
  const find = () => findPerson(library, login)?.login ?? login
  return library.stores[0]?.remember(`login ${login}`, find) ?? login
}
