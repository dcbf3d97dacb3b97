import type { Database } from '../database/open-database.ts'
import { openRepository, type Repository } from '../git/open-repository.ts'
import type { ExitCode } from './exit-codes.ts'
import type { Io } from './io.ts'
import { openReadable } from './open-readable.ts'
import { UsageError } from './usage-error.ts'

/** What every command that reads the objects of a repository is given. */
export const REPOSITORY_OPTIONS = {
  archive: {
    type: 'string',
    demandOption: true,
    describe: 'An archive, which is loaded once into a cache, or a database',
  },
  repository: {
    type: 'string',
    demandOption: true,
    describe: 'owner/name; .wiki at the end for a wiki',
  },
  'max-object': {
    type: 'string',
    value: '<bytes>',
    describe: 'Largest object to read, or off [536870912]',
  },
} as const

/** Opens what `REPOSITORY_OPTIONS` name for `work`, and answers with the exit code of success. */
export async function withRepository(
  {
    archive,
    repository,
    'max-object': most,
  }: { archive: string; repository: string; 'max-object'?: string | undefined },
  io: Io,
  work: (repository: Repository, database: Database) => Promise<unknown>,
): Promise<ExitCode> {
  if (most !== undefined && !/^(off|\d+)$/.test(most)) {
    throw new UsageError(`--max-object takes a number or off, not ${JSON.stringify(most)}`)
  }
  const maxObject = most === 'off' ? Number.POSITIVE_INFINITY : Number(most)
  const database = await openReadable(archive, io, { contents: 'git' })
  try {
    const limits = most === undefined ? {} : { maxObject }
    await work(openRepository(database, repository, limits), database)
    return 0
  } finally {
    database.close()
  }
}
