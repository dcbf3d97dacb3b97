import { anOpenDatabase, aText, checkArguments } from '../base/check-arguments.ts'
import { ArchiveError } from '../base/errors.ts'
import type { Database } from '../database/open-database.ts'

/** A row of the view `git_repositories`. */
export interface GitRepository {
  /** owner/name; .wiki at the end for a wiki. */
  repository: string
  /** URL of the record of the repository; null if there is none. */
  url: string | null
  /** 1 for a wiki. */
  is_wiki: 0 | 1
  /** `missing` if a record names a repository whose Git data are not in the archive. */
  state: 'present' | 'empty' | 'missing'
  /** The default branch, as the record of the repository says. */
  default_branch: string | null
  /** The ref that HEAD points to. */
  head: string | null
  /** The commit that HEAD leads to. */
  head_oid: string | null
  /** Number of refs except HEAD. */
  refs: number
  /** Number of branches. */
  branches: number
  /** Number of tags. */
  tags: number
  /** Bytes of all its files. */
  size: number
  /** Number of files with Git data. */
  files: number
  /** Number of packs. */
  packs: number
  /** Number of packed and loose objects, duplicates included. */
  objects: number
  /** Number of loose objects. */
  loose_objects: number
}

/**
 * Lists all Git repositories, wikis included, sorted by name.
 *
 * @param database the database to read
 * @returns one row per repository
 * @throws `option-invalid`
 * @example
 * listRepositories(database).map(({ repository }) => repository) // ['ada/kettle', 'ada/kettle.wiki']
 */
export function listRepositories(database: Database): GitRepository[] {
  checkArguments({ database }, { database: anOpenDatabase })
  const sql = 'SELECT * FROM git_repositories ORDER BY repository'
  return database.prepare<[], GitRepository>(sql).all()
}

/**
 * Finds the stored name of a repository. Case is ignored if no name matches exactly, and the owner may be left out if only
 * one repository has the name.
 *
 * @param database the database to search
 * @param name `owner/name` or `name`; a wiki ends in `.wiki`
 * @returns the name as stored
 * @throws `repository-not-found`; `record-ambiguous` if several match; `option-invalid`
 * @example
 * findRepository(database, 'Ada/Kettle') // 'ada/kettle'
 */
export function findRepository(database: Database, name: string): string {
  checkArguments({ database, name }, { database: anOpenDatabase, name: aText })
  const named = (as: string) =>
    database
      .prepare<[string], string>(
        `SELECT DISTINCT repository FROM files WHERE repository IS NOT NULL AND ${as} LIMIT 2`,
      )
      .pluck()
      .all(name)
  const isShort = !name.includes('/')
  const ways = [
    'repository = ?',
    'repository = ? COLLATE NOCASE',
    ...(isShort ? ["substr(repository, instr(repository, '/') + 1) = ? COLLATE NOCASE"] : []),
  ]
  let matches: string[] = []
  for (const way of ways) if (matches.length === 0) matches = named(way)
  const [found, another] = matches
  if (found !== undefined && another === undefined) return found
  const message =
    found === undefined
      ? `the archive has no Git data of ${JSON.stringify(name)}`
      : `several repositories are named ${JSON.stringify(name)}${isShort ? `, such as ${found} and ${another}` : ', differing only in case'}`
  const code = found === undefined ? 'repository-not-found' : 'record-ambiguous'
  throw new ArchiveError(code, message).about(name)
}

const MOST_NAMED = 20

/**
 * The name of the only repository; its wiki does not count. Throws `repository-not-found`, or `record-ambiguous` with the names
 * if there are several.
 */
export function onlyRepository(database: Database): string {
  const names = listRepositories(database)
    .filter(({ state, is_wiki }) => state !== 'missing' && is_wiki === 0)
    .map(({ repository }) => repository)
  const [only, ...others] = names
  if (only !== undefined && others.length === 0) return only
  if (only === undefined) {
    throw new ArchiveError('repository-not-found', 'the archive has no Git data')
  }
  const more = names.length - MOST_NAMED
  const list = names.slice(0, MOST_NAMED).join(', ') + (more > 0 ? ` and ${more} more` : '')
  const message = `the archive has ${names.length} repositories, name one: ${list}`
  throw new ArchiveError('record-ambiguous', message)
}
