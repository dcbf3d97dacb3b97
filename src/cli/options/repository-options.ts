import type { Database } from '../../database/open-database.ts'
import { openRepository, type Repository } from '../../git/open-repository.ts'
import type { ExitCode } from '../command/exit-codes.ts'
import type { Io } from '../command/io.ts'
import { openReadable } from '../sources/open-readable.ts'
import { sizeLimitOf } from './reading-options.ts'
import { REPOSITORY_OPTION, SOURCE_OPTION } from './shared-options.ts'

/** The options of every command that reads the objects of a repository. */
export const REPOSITORY_OPTIONS = {
  source: SOURCE_OPTION,
  repository: REPOSITORY_OPTION,
  'max-object': {
    type: 'string',
    value: '<size>',
    describe: 'Largest object to read, or off [512MiB]',
  },
} as const

/** Opens the repository that `REPOSITORY_OPTIONS` name for `work`. Returns the exit code of success. */
export async function withRepository(
  {
    source,
    repository,
    'max-object': most,
    writes,
  }: {
    source: string
    repository: string
    'max-object'?: string | undefined
    /** The work writes files, which an interrupt must not leave behind. */
    writes?: boolean
  },
  io: Io,
  work: (repository: Repository, database: Database) => Promise<unknown>,
): Promise<ExitCode> {
  const maxObject = sizeLimitOf('max-object', most)
  const database = await openReadable(source, io, { contents: 'git', writes: writes === true })
  io.keepYoungSpace?.()
  try {
    await work(openRepository(database, repository, { maxObject }), database)
    return 0
  } finally {
    database.close()
  }
}
