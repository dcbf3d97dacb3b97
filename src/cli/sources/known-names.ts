import { ArchiveError, type ErrorCode } from '../../base/errors.ts'
import type { Database } from '../../database/open-database.ts'
import type { Names } from '../../query/saved-parameters.ts'
import {
  checkThread,
  type NameSource,
  type NameType,
  namesIn,
  resolveName,
} from '../../reading/databases/resolve-name.ts'
import { UsageError } from '../command/usage-error.ts'
import { remedyFor } from '../remedies.ts'

/** Advice on names that no record has, where the usual one is about something else. */
const ADVICE: Partial<Record<ErrorCode, string>> = {
  'repository-not-found':
    'List them with: marc query <database> "select full_name from repositories"',
  'record-not-found':
    'List them with: marc query <database> "select full_name, number, title from threads"',
  'record-ambiguous': 'Name one with its owner.',
}

/** The names in a source, for the command line: one that it does not have is wrong usage. */
export const knownNames = (source: NameSource): Names => ({
  resolve: (type, text) => resolveName(source, type, text).catch(refuse),
  checkThread: (repository, number) => checkThread(source, repository, number).catch(refuse),
})

/** The name as a database has it. Throws `UsageError` for one that it does not have, with the closest one. */
export const knownName = (database: Database, type: NameType, text: string): Promise<string> =>
  knownNames(namesIn(database)).resolve(type, text)

function refuse(error: unknown): never {
  if (!(error instanceof ArchiveError) || !/-not-found$|^record-ambiguous$/.test(error.code)) {
    throw error
  }
  const advice = error.meant === undefined ? ADVICE[error.code] : undefined
  throw new UsageError(error.message, advice ?? remedyFor(error))
}
