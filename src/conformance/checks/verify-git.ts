import { ArchiveError } from '../../base/errors.ts'
import { sqliteError } from '../../database/connection.ts'
import type { Database } from '../../database/open-database.ts'
import { listRepositories } from '../../git/list-repositories.ts'
import { gitPath } from '../../git/objects/repository-files.ts'
import {
  CONTENT_FAULTS,
  GIT_FAULTS,
  type GitFaultCode,
  type VerifyOptions,
  verifyRepository,
} from '../../git/verify/verify-repository.ts'

/** Which Git data was verified. */
export interface VerifiedGit {
  /** Number of repositories whose objects were all read. */
  repositories: number
  /** Number of objects that could be read. */
  objects: number
  /** Bytes of their packs. */
  bytes: number
  /** Why the objects of other repositories were not read; null if there are no others. */
  unverified: string | null
}

/** The faults that `GIT_FAULTS_WITH` selects. There may be one for each object. */
const FAULTS_TABLE = `CREATE TEMP TABLE IF NOT EXISTS git_faults (code TEXT, entry TEXT, message TEXT);
  DELETE FROM temp.git_faults`

/** The faults of this code that `verifyGit` found, as a SELECT of faults. */
export const GIT_FAULTS_WITH = `SELECT NULL AS kind, NULL AS url, entry, NULL AS record, message
  FROM temp.git_faults WHERE code = ?`

const isGitFault = (code: string): code is GitFaultCode => Object.hasOwn(GIT_FAULTS, code)

/**
 * Verifies the repositories of a database as far as the checks with these codes need, and keeps the faults in a temporary
 * table.
 */
export async function verifyGit(
  database: Database,
  codes: readonly string[],
  progress: VerifyOptions['progress'],
): Promise<VerifiedGit> {
  const wanted = codes.filter(isGitFault)
  const contents = CONTENT_FAULTS.some((code) => wanted.includes(code))
  database.exec(FAULTS_TABLE)
  const insert = database.prepare('INSERT INTO temp.git_faults VALUES (?, ?, ?)')
  const verified: VerifiedGit = { repositories: 0, objects: 0, bytes: 0, unverified: null }
  const hasGit = database.prepare("SELECT 1 FROM files WHERE role = 'git' LIMIT 1").get()
  if (hasGit && !contents) verified.unverified = 'it was skipped'
  if (!hasGit || wanted.length === 0) return verified
  for (const { repository, state } of listRepositories(database)) {
    if (state === 'missing') continue
    try {
      const { bytes: bytesBefore, objects: objectsBefore } = verified
      const options: VerifyOptions = {
        contents,
        progress(done) {
          verified.bytes = bytesBefore + done.bytes
          verified.objects = objectsBefore + done.objects
          progress?.({ bytes: verified.bytes, objects: verified.objects })
        },
      }
      let isWhole = contents
      for await (const { code, entry, message } of verifyRepository(
        database,
        repository,
        options,
      )) {
        insert.run(code, entry ?? gitPath(repository), message)
        if (code !== 'git-unsupported') continue
        isWhole = false
        verified.unverified ??= UNSUPPORTED
      }
      if (isWhole) verified.repositories++
    } catch (error) {
      const isAboutRows = error instanceof ArchiveError && !sqliteError(error)
      const why = isAboutRows ? UNVERIFIED[error.code] : undefined
      if (why === undefined) throw error
      verified.unverified ??= why
    }
  }
  return verified
}

const UNSUPPORTED = 'a repository has an unsupported format'

const UNVERIFIED: Readonly<Partial<Record<string, string>>> = {
  'git-unsupported': UNSUPPORTED,
  'content-missing': 'its contents were not loaded',
  'database-damaged': 'a row about it is not valid',
}
