/** What the records of people say, by login or URL, and who has one. */

import { textOf, utcTimeOf } from '../../database/schema/facts/values.ts'
import type { Library } from '../library.ts'
import { foldCase } from '../names.ts'
import { type Page, pageOfStores, type Range } from '../page-of-stores.ts'
import { Memo, type Store } from '../store.ts'
import { HAS_LOGIN, urlsOfOtherLogin } from './logins.ts'

/** What the record of a person says. */
export interface Profile {
  readonly url: string
  readonly kind: 'user' | 'bot' | 'organization'
  readonly login: string
  readonly name: string | null
  /** Of an organization, its description. */
  readonly bio: string | null
  readonly company: string | null
  readonly website: string | null
  readonly location: string | null
  /** In UTC; null if it is not a time. */
  readonly createdAt: string | null
}

/** A person whose record a database has. */
export interface FoundProfile {
  readonly store: Store
  readonly profile: Profile
  /** The login in addresses of pages: that of the record; of one without, the end of the URL. */
  readonly login: string
}

/** Columns of `people`: what is no text is nothing. */
const LISTED = `coalesce(${textOf('login')}, '') AS login, ${textOf('name')} AS name, kind`

const PROFILE = `SELECT url, ${LISTED}, ${textOf('bio')} AS bio, ${textOf('company')} AS company, ${textOf('website')} AS website,
  ${textOf('location')} AS location, ${utcTimeOf('created_at')} AS createdAt FROM people WHERE url = ?`

/** The profile of the person with a URL; undefined without a record. */
export const readProfile = (store: Store, url: string): Profile | undefined =>
  store.get<Profile>(PROFILE, url)

const urlsOf = (library: Library, login: string): string[] =>
  [...library.hosts].flatMap((host) => [`https://${host}/${login}`, `http://${host}/${login}`])

/**
 * The record of an account: by its login, or else by the end of its url, which is written as it is there. Without an index
 * upper and lower case are the same only in logins that differ from the ends of urls.
 */
export function findProfile(library: Library, login: string): FoundProfile | undefined {
  const indexed = findIndexed(library, login)
  if (indexed) return indexed
  for (const store of library.stores) {
    const find = (urls: readonly string[]) => urls.flatMap((url) => readProfile(store, url) ?? [])
    const atEnd = find(urlsOf(library, login))
    const isMeant = (profile: Profile) => foldCase(profile.login || login) === foldCase(login)
    const profile = atEnd.find(isMeant) ?? find(urlsOfOtherLogin(store, login))[0] ?? atEnd[0]
    if (profile) return { store, profile, login: profile.login || login }
  }
  return undefined
}

function findIndexed({ index, stores }: Library, login: string): FoundProfile | undefined {
  const [url, database] =
    index?.row(`SELECT url, database FROM people WHERE ${HAS_LOGIN}`, foldCase(login)) ?? []
  const store = stores[database === null ? -1 : Number(database)]
  const profile = store && readProfile(store, String(url))
  return profile && { store, profile, login: profile.login || login }
}

/** A person in a list. */
export type ListedPerson = Pick<Profile, 'login' | 'name' | 'kind'>

const PEOPLE = `SELECT ${LISTED} FROM people ORDER BY lower(login), url LIMIT ? OFFSET ?`

/** Everybody who has a record, by login, one database after another. */
export const listPeople = ({ stores }: Library, range: Range): Page<ListedPerson> =>
  pageOfStores(stores, { count: 'SELECT count(*) FROM people', select: PEOPLE }, range)

export const countPeople = (store: Store): number => store.count('SELECT count(*) FROM people')

/** A member of an organization or team. */
export interface Member {
  readonly url: string
  readonly login: string
  /** admin or member; in a team, maintainer or member. */
  readonly role: string
}

const MEMBER = 'SELECT user AS url, user_login AS login, role FROM members'

/** The members of an organization by its URL, without those of its teams alone, in the order of their URLs. */
export const membersOf = (store: Store, organization: string): Member[] =>
  store.all<Member>(`${MEMBER} WHERE organization = ? AND team IS NULL ORDER BY user`, organization)

/** The members of a team by its URL, in the order of their URLs. */
export const membersOfTeam = (store: Store, team: string): Member[] =>
  store.all<Member>(`${MEMBER} WHERE team = ? ORDER BY user`, team)

const WRITERS = [
  'issues',
  'pull_requests',
  'issue_comments',
  'pull_request_reviews',
  'pull_request_review_comments',
  'commit_comments',
  'releases',
  'discussions',
  'discussion_comments',
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
  return first.remember(PAGES, login, () => {
    if (library.repositories().some(({ owner }) => foldCase(owner) === foldCase(login))) return true
    if (library.audience !== 'all') return false
    return findProfile(library, login) !== undefined || findTraces(library, login) !== undefined
  })
}

const PAGES = new Memo<boolean>()

/** A login as its record writes it. */
export function loginOf(library: Library, login: string): string {
  const find = () => findProfile(library, login)?.login ?? login
  return library.stores[0]?.remember(LOGINS, login, find) ?? login
}

const LOGINS = new Memo<string>()
