import { once } from 'node:events'
import type { Readable, Writable } from 'node:stream'
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio'
import { createMcpServer } from './create-server.ts'
import { type AnsweringOptions, openAnswering } from './open-answering.ts'

/** Streams of messages, and when to stop. */
export interface McpStreams extends AnsweringOptions {
  readonly input: Readable
  readonly output: Writable
  readonly signal?: AbortSignal | undefined
}

/**
 * Answers a client of the Model Context Protocol over streams until it closes its end, or until the signal.
 *
 * @param databases paths of databases that `loadArchive` created; they are read as one
 * @throws `ArchiveError` as `openDatabase`
 */
export async function serveMcp(
  databases: readonly string[],
  { input, output, signal, ...options }: McpStreams,
): Promise<void> {
  const answering = openAnswering(databases, options)
  const stop = new AbortController()
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
    await answering.close()
  }
}
