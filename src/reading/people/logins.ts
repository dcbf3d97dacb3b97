/** Logins of people: that of the record, or else the end of the URL. */

import { HAS_OTHER_LOGIN, loginOf } from '../../database/schema/facts/people.ts'
import { loginOf as endOf } from '../names.ts'
import type { Store } from '../store.ts'

/** SQL for the login of whom the column `user` of a row `o` names. */
export const USER_LOGIN = loginOf('o.user', 'o.user_login')

const LOGIN = `SELECT ${loginOf('o.url', 'NULL')} AS login FROM (SELECT ? AS url) AS o`

const LOGINS = `SELECT url, ${loginOf('o.url', 'NULL')} AS login FROM (SELECT value AS url FROM json_each(?)) AS o`

/** The login of the person with a URL; null without one. */
export const loginAt = (store: Store, url: string | null): string | null =>
  url === null ? null : (store.get<{ login: string | null }>(LOGIN, url)?.login ?? endOf(url))

/** The logins of people with URLs. */
export function loginsAt(store: Store, urls: readonly string[]): string[] {
  const logins = loginsByUrl(store, urls)
  return urls.flatMap((url) => logins.get(url) ?? [])
}

/** The login of each person by URL. */
export function loginsByUrl(
  store: Store,
  urls: readonly string[],
): ReadonlyMap<string, string | null> {
  if (urls.length === 0) return new Map()
  const found = store.all<{ url: string; login: string | null }>(
    LOGINS,
    JSON.stringify([...new Set(urls)]),
  )
  return new Map(found.map(({ url, login }) => [url, login ?? endOf(url)]))
}

/**
 * Makes the temporary table `other_logins`, unless there is one: the people whose record has another login than the end of their
 * URL, by login in lower case. They are few.
 */
export function keepOtherLogins({ database }: Store): void {
  database.exec(`CREATE TEMP TABLE IF NOT EXISTS other_logins AS
    SELECT lower(login) AS login, url FROM people
    WHERE ${HAS_OTHER_LOGIN}`)
  database.exec(
    'CREATE INDEX IF NOT EXISTS temp.other_logins_by_login ON other_logins (login, url)',
  )
}

const OTHERS = 'SELECT url FROM temp.other_logins WHERE login = ? ORDER BY url'

/** The URLs of people whose record has this login, and whose URL has another one. */
export function urlsOfOtherLogin(store: Store, login: string): string[] {
  store.once(keepOtherLogins)
  return store.all<{ url: string }>(OTHERS, login.toLowerCase()).map(({ url }) => url)
}

/**
 * Whom the index has by a login in lower case: of several, one with a record, of these that of the first database, and of one
 * database that with the smallest URL.
 */
export const HAS_LOGIN = 'lower(login) = ? ORDER BY database IS NULL, database, url LIMIT 1'
