import { once } from 'node:events'
import type { Readable, Writable } from 'node:stream'
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio'
import { watchLibrary } from '../reading/watch-library.ts'
import { STATEMENT_LIMITS } from '../tasks/run-task.ts'
import { createSearchIndexes } from '../tasks/search-indexes.ts'
import type { ProcessLimits } from '../work/process-limits.ts'
import { createMcpServer } from './create-server.ts'

/** Streams of messages, and when to stop. */
export interface McpStreams {
  readonly input: Readable
  readonly output: Writable
  readonly signal?: AbortSignal | undefined
  /** The most that a statement, a search or a blame may take. Default ten seconds and 400 MiB. */
  readonly limits?: ProcessLimits
}

/**
 * Answers a client of the Model Context Protocol over streams until it closes its end, or until the signal.
 *
 * @param databases paths of databases that `loadArchive` created; they are read as one
 * @throws `ArchiveError` as `openDatabase`
 */
export async function serveMcp(
  databases: readonly string[],
  { input, output, signal, limits = STATEMENT_LIMITS }: McpStreams,
): Promise<void> {
  const watched = watchLibrary(databases)
  const indexes = createSearchIndexes(undefined)
  const stop = new AbortController()
  const answering = { library: () => watched.library, indexes, limits }
  try {
    const ended = ['end', 'close'].map((event) => once(input, event, { signal: stop.signal }))
    const stopped = signal && once(signal, 'abort', { signal: stop.signal })
    const handle = serveStdio(() => createMcpServer(answering), {
      transport: new StdioServerTransport(input, output),
    })
    if (!signal?.aborted) await Promise.race(stopped ? [...ended, stopped] : ended)
    await handle.close()
  } finally {
    stop.abort()
    indexes.close()
    await watched.close()
  }
}
