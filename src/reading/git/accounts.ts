import type { Database } from '../../database/open-database.ts'
import { parseNoreply } from '../../git/parse/parse-person.ts'

/** Who has the e-mail address of an author or committer: the url of a record, or the login that the address itself has. */
export type Account = { readonly url: string } | { readonly login: string }

/** Addresses that are kept. */
const MOST = 100_000

const SELECT = `SELECT e.value ->> 'address' AS email, u.url
  FROM users AS u, json_each(CASE WHEN json_valid(u.emails) THEN u.emails END) AS e
  WHERE u.url IS NOT NULL AND e.type = 'object' ORDER BY u.rowid LIMIT ${MOST}`

const books = new WeakMap<Database, ReadonlyMap<string, string>>()

/** The urls of people by their addresses, in lower case. Of two people with one address the first has it. */
function bookOf(database: Database): ReadonlyMap<string, string> {
  const known = books.get(database)
  if (known) return known
  const book = new Map<string, string>()
  // Rows that are read as arrays may hold anything.
  for (const [email, url] of database.prepare<[], [unknown, unknown]>(SELECT).raw().iterate()) {
    if (typeof email !== 'string' || email === '' || typeof url !== 'string') continue
    const key = email.toLowerCase()
    if (!book.has(key)) book.set(key, url)
  }
  books.set(database, book)
  return book
}

/**
 * The account of an author or committer; undefined if the archive does not tell.
 *
 * @param host whose noreply addresses count: those of other hosts name other people
 */
export function accountOfEmail(
  database: Database,
  host: string,
  email: string,
): Account | undefined {
  const url = bookOf(database).get(email.toLowerCase())
  if (url !== undefined) return { url }
  const noreply = parseNoreply(email)
  return noreply?.host.toLowerCase() === host.toLowerCase() ? { login: noreply.login } : undefined
}
