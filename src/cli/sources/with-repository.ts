import type { Database } from '../../database/open-database.ts'
import { findRepository, onlyRepository } from '../../git/list-repositories.ts'
import { openRepository, type Repository } from '../../git/open-repository.ts'
import type { ExitCode } from '../command/exit-codes.ts'
import type { Io } from '../command/io.ts'
import { sizeLimitOf } from '../options/reading-options.ts'
import { openReadable } from './open-readable.ts'

/** The name of a repository, and the words that follow it on the command line. */
interface NamedRepository {
  name: string
  words: readonly (string | undefined)[]
}

/**
 * Finds the repository that the first word names. If there is only one, the word may be left out: then it is the first of
 * those that follow. Throws `repository-not-found` or `record-ambiguous`.
 */
export async function nameRepository(
  database: Database,
  named: string | undefined,
  words: readonly (string | undefined)[] = [],
): Promise<NamedRepository> {
  if (named === undefined) return { name: onlyRepository(database), words }
  try {
    return { name: findRepository(database, named), words }
  } catch (error) {
    // Nothing was left out, or this is the name of a repository that does not exist.
    if (words.length === 0 || words.at(-1) !== undefined || named.includes('/')) throw error
    try {
      return { name: onlyRepository(database), words: [named, ...words.slice(0, -1)] }
    } catch (several) {
      // Only an error needs what knows all kinds of names.
      const { nearestRepository } = await import('../../reading/databases/resolve-name.ts')
      // A word like the name of a repository was meant as one.
      throw nearestRepository(database, named) === undefined ? several : error
    }
  }
}

/** Opens the repository that `REPOSITORY_OPTIONS` name for `work`. Returns the exit code of success. */
export async function withRepository(
  {
    source,
    repository,
    'max-object': most,
    writes,
    words,
  }: {
    source: string
    repository?: string | undefined
    'max-object'?: string | undefined
    /** The work writes files, which an interrupt must not leave behind. */
    writes?: boolean
    /** Arguments after the repository that may be left out. */
    words?: readonly (string | undefined)[]
  },
  io: Io,
  work: (
    repository: Repository,
    database: Database,
    words: readonly (string | undefined)[],
  ) => Promise<unknown>,
): Promise<ExitCode> {
  const maxObject = sizeLimitOf('max-object', most)
  const database = await openReadable(source, io, { contents: 'git', writes: writes === true })
  io.keepYoungSpace?.()
  try {
    const named = await nameRepository(database, repository, words)
    await work(openRepository(database, named.name, { maxObject }), database, named.words)
    return 0
  } finally {
    database.close()
  }
}
