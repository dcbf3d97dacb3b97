import { anOpenDatabase, aText, checkArguments } from '../check-arguments.ts'
import type { Database } from '../database/open-database.ts'
import { ArchiveError } from '../errors.ts'

/** A Git repository of the archives, as the view git_repositories tells of it. */
export interface GitRepository {
  /** owner/name; .wiki at the end for a wiki. */
  repository: string
  url: string | null
  is_wiki: 0 | 1
  /** `missing` if a record names Git data that are not there. */
  state: 'present' | 'empty' | 'missing'
  default_branch: string | null
  /** The ref that HEAD names. */
  head: string | null
  head_oid: string | null
  refs: number
  branches: number
  tags: number
  /** Bytes. */
  size: number
  files: number
  packs: number
  objects: number
  loose_objects: number
}

/** Every Git repository, code and wikis, in the order of their names. */
export function listRepositories(database: Database): GitRepository[] {
  checkArguments({ database }, { database: anOpenDatabase })
  const sql = 'SELECT * FROM git_repositories ORDER BY repository'
  return database.prepare<[], GitRepository>(sql).all()
}

/**
 * The name of the repository that is meant: as typed, or the one that differs in case alone. Throws
 * `repository-not-found`.
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
  const exact = named('repository = ?')
  const [found, another] = exact.length > 0 ? exact : named('repository = ? COLLATE NOCASE')
  if (found !== undefined && another === undefined) return found
  const message =
    found === undefined
      ? `there are no Git data of ${JSON.stringify(name)}`
      : `several repositories are named ${JSON.stringify(name)}, but for the case of letters`
  throw new ArchiveError('repository-not-found', message)
}
