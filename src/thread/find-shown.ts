import { anOpenDatabase, aText, checkArguments } from '../check-arguments.ts'
import type { Database } from '../database/open-database.ts'
import { quoteName } from '../database/quote.ts'
import { recordTables } from '../database/read-record.ts'
import { ArchiveError } from '../errors.ts'

/** A record by its table and url. */
export interface Shown {
  table: string
  url: string
}

const THREADS = { issues: 'issues', pull_requests: 'pull', discussions: 'discussions' } as const

/**
 * The records that a person means by `owner/name#12`, `owner/name@v1.0`, `owner/name`, a login or a url: one
 * in all but odd archives. Throws `record-not-found`.
 */
export function findShown(database: Database, named: string): Shown[] {
  checkArguments({ database, named }, { database: anOpenDatabase, named: aText })
  const found = candidates(database, named)
  if (found.length > 0) return found
  const message = `no record is meant by ${JSON.stringify(named)}`
  throw new ArchiveError('record-not-found', message)
}

function candidates(database: Database, named: string): Shown[] {
  if (named.includes('://')) return withUrl(database, recordTables(database), named)
  const [, name = '', number] = /^(.+)#(\d{1,15})$/.exec(named) ?? []
  if (number !== undefined) return threadsWith(database, name, Number(number))
  const [, repository, tag] = /^([^/]+\/[^/@]+)@(.+)$/.exec(named) ?? []
  if (repository !== undefined) {
    return where(database, 'releases', 'tag_name = ? AND full_name = ? COLLATE NOCASE', [
      ...[tag as string, repository],
    ])
  }
  if (named.includes('/')) {
    return where(database, 'repositories', 'full_name = ? COLLATE NOCASE', [named])
  }
  return ['users', 'bots', 'organizations'].flatMap((table) =>
    where(database, table, 'login = ? COLLATE NOCASE', [named.replace(/^@/, '')]),
  )
}

/** By way of the urls, which have an index; without a record of the repository, number by number. */
function threadsWith(database: Database, name: string, number: number): Shown[] {
  const repositories = where(database, 'repositories', 'full_name = ? COLLATE NOCASE', [name])
  const found = repositories.flatMap(({ url }) =>
    Object.entries(THREADS).flatMap(([table, part]) =>
      withUrl(database, [table], `${url}/${part}/${number}`),
    ),
  )
  if (found.length > 0) return found
  return Object.keys(THREADS).flatMap((table) =>
    where(database, table, 'number = ? AND full_name = ? COLLATE NOCASE', [number, name]),
  )
}

const withUrl = (database: Database, tables: readonly string[], url: string): Shown[] =>
  tables.flatMap((table) => where(database, table, 'url = ?', [url]))

const where = (
  database: Database,
  table: string,
  condition: string,
  values: readonly (string | number)[],
): Shown[] =>
  database
    .prepare<unknown[], string>(
      `SELECT url FROM ${quoteName(table)} WHERE ${condition} AND url IS NOT NULL LIMIT 100`,
    )
    .pluck()
    .all(...values)
    .map((url) => ({ table, url }))
