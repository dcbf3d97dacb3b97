import { anOpenDatabase, aText, checkArguments } from '../base/check-arguments.ts'
import { ArchiveError } from '../base/errors.ts'
import type { Database } from '../database/open-database.ts'
import { quoteName } from '../database/quote.ts'
import { recordTables } from '../database/rows/read-record.ts'
import { PEOPLE_TABLES } from '../records/people-tables.ts'
import { Store } from './store.ts'
import { threadsNumbered } from './threads/find-thread.ts'
import { THREAD_TABLES } from './threads/thread-facts.ts'

/** A record, identified by its table and URL. */
export interface Target {
  /** The table of the record: the name of its kind. */
  table: string
  /** URL of the record. */
  url: string
}

/**
 * Finds the record with a short name.
 *
 * @param database the database to search
 * @param named `owner/name#12`, `name#12`, `#12`, `12`, `owner/name@v1.0`, `owner/name`, a login, a URL, or the
 *   address of a thread or a part of it in a browser
 * @returns the matching records; several only in unusual archives, of each table in the order of URLs
 * @throws `record-not-found`; `record-ambiguous` if threads of several repositories match; `option-invalid`
 * @example
 * resolveTarget(database, 'ada/kettle#1') // [{ table: 'issues', url: 'https://github.com/ada/kettle/issues/1' }]
 */
export function resolveTarget(database: Database, named: string): Target[] {
  checkArguments({ database, named }, { database: anOpenDatabase, named: aText })
  const found = candidates(database, named)
  if (found.length > 0) return found
  const message = `no record matches ${JSON.stringify(named)}`
  throw new ArchiveError('record-not-found', message).about(named)
}

function candidates(database: Database, named: string): Target[] {
  if (named.includes('://')) {
    const tables = recordTables(database)
    const found = withUrl(database, tables, named)
    return found.length > 0 ? found : withAddress(database, tables, named)
  }
  const [, name, number] = /^(?:(.+)#|#?)(\d{1,15})$/.exec(named) ?? []
  if (number !== undefined) {
    const threads = name?.includes('/')
      ? threadsWith(database, 'full_name = ? COLLATE NOCASE', [name], Number(number))
      : threadsOfOne(database, named, name, Number(number))
    // A login may consist of digits.
    if (threads.length > 0 || name !== undefined) return threads
  }
  const [, repository, tag] = /^([^/]+\/[^/@]+)@(.+)$/.exec(named) ?? []
  if (repository !== undefined) {
    return where(database, 'releases', 'tag_name = ? AND full_name = ? COLLATE NOCASE', [
      tag as string,
      repository,
    ])
  }
  if (named.includes('/')) {
    return where(database, 'repositories', 'full_name = ? COLLATE NOCASE', [named])
  }
  return PEOPLE_TABLES.flatMap((table) =>
    where(database, table, 'login = ? COLLATE NOCASE', [named.replace(/^@/, '')]),
  )
}

/** Threads with a number in repositories with a name, or in all of them. Throws if several repositories match. */
function threadsOfOne(
  database: Database,
  named: string,
  name: string | undefined,
  number: number,
): Target[] {
  const threads =
    name === undefined
      ? threadsWith(database, 'full_name IS NOT NULL', [], number)
      : threadsWith(
          database,
          "substr(full_name, instr(full_name, '/') + 1) = ? COLLATE NOCASE",
          [name],
          number,
        )
  const repositories = new Set(threads.map(({ table, url }) => repositoryOf(database, table, url)))
  if (repositories.size < 2) return threads
  const meant = [...repositories].slice(0, MOST_NAMED).map((full) => `${full}#${number}`)
  const more = repositories.size > MOST_NAMED ? ', …' : ''
  const found = `${JSON.stringify(named)} matches ${meant.join(', ')}${more}`
  throw new ArchiveError('record-ambiguous', found)
}

const MOST_NAMED = 5

const repositoryOf = (database: Database, table: string, url: string): string | undefined =>
  database
    .prepare<[string], string>(`SELECT full_name FROM ${quoteName(table)} WHERE url = ?`)
    .pluck()
    .get(url)

/** Looks threads up by URL, which is indexed; by number if the repository has no record. */
function threadsWith(
  database: Database,
  condition: string,
  values: readonly string[],
  number: number,
): Target[] {
  const repositories = where(database, 'repositories', condition, values)
  const store = Store.borrow(database)
  const found = repositories.flatMap(({ url: home }) =>
    threadsNumbered(store, home, number).map(({ table, url }) => ({ table, url })),
  )
  if (found.length > 0) return found
  return Object.values(THREAD_TABLES).flatMap((table) =>
    where(database, table, `number = ? AND ${condition}`, [number, ...values]),
  )
}

const withUrl = (database: Database, tables: readonly string[], url: string): Target[] =>
  tables.flatMap((table) => where(database, table, 'url = ?', [url]))

/** The address of a page of a thread in a browser. A part of a pull request is named without the page that its URL has. */
const PAGE =
  /^([^?#]+)\/(issues|pull|discussions)\/(\d{1,15})(?:\/[^?#]*)?(?:\?[^#]*)?(?:#(?:discussion_)?(.+))?$/

/** The thread, or the part of it, that a browser shows at an address; or the repository. */
function withAddress(database: Database, tables: readonly string[], address: string): Target[] {
  const [, home, word, number, part] = PAGE.exec(address) ?? []
  if (home === undefined) {
    return where(database, 'repositories', 'url = ?', [address.replace(/(?:\.git|\/)$/, '')])
  }
  const [thread] = threadsNumbered(Store.borrow(database), home, Number(number), word)
  if (!thread) return []
  const { table, url } = thread
  if (part === undefined) return [{ table, url }]
  return ['', '/files'].flatMap((page) => withUrl(database, tables, `${url}${page}#${part}`))
}

/** The URLs of records. Of several with one name, as of two hosts, the smallest is first: a server shows that one. */
const where = (
  database: Database,
  table: string,
  condition: string,
  values: readonly (string | number)[],
): Target[] =>
  database
    .prepare<unknown[], string>(
      `SELECT url FROM ${quoteName(table)} WHERE ${condition} AND url IS NOT NULL LIMIT 100`,
    )
    .pluck()
    .all(...values)
    .toSorted()
    .map((url) => ({ table, url }))
