import { keepIndex } from '../reading/index/keep-index.ts'
import { watchLibrary } from '../reading/watch-library.ts'
import { STATEMENT_LIMITS } from '../tasks/run-task.ts'
import { createSearchIndexes } from '../tasks/search-indexes.ts'
import type { ProcessLimits } from '../work/process-limits.ts'
import type { Answering } from './create-server.ts'

/** How the databases of a server are read. */
export interface AnsweringOptions {
  /** The most that a statement, a search or a blame may take. Default ten seconds and 400 MiB. */
  readonly limits?: ProcessLimits
  /** The folder in which `marc serve` keeps its indexes: those that fit are read, and nothing is written there. */
  readonly indexes?: string | undefined
}

/**
 * Opens databases, which are read as one, for servers of the Model Context Protocol.
 *
 * @throws `ArchiveError` as `openDatabase`
 */
export function openAnswering(
  databases: readonly string[],
  { limits = STATEMENT_LIMITS, indexes: folder }: AnsweringOptions,
): Answering & { close(): Promise<void> } {
  const index =
    folder === undefined ? undefined : keepIndex({ folder, readOnly: true, smallUpTo: 0 })
  const watched = watchLibrary(databases, { index })
  const indexes = createSearchIndexes(undefined, { found: folder })
  return {
    library: () => watched.library,
    indexes,
    limits,
    async close() {
      indexes.close()
      await watched.close()
    },
  }
}
