import { once } from 'node:events'
import type { Readable, Writable } from 'node:stream'
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio'
import { ArchiveError } from '../base/errors.ts'
import { createMcpServer } from './create-server.ts'
import { type AnsweringOptions, openAnswering } from './open-answering.ts'

/** Streams of messages, and when to stop. */
export interface McpStreams extends AnsweringOptions {
  readonly input: Readable
  readonly output: Writable
  readonly signal?: AbortSignal | undefined
}

/** Bytes that a message may have. */
const LONGEST_MESSAGE = 10 * 1024 * 1024

/**
 * Answers a client of the Model Context Protocol over streams until it closes its end, or until the signal.
 *
 * @param databases paths of databases that `loadArchive` created; they are read as one
 * @throws `limit-message` for a message of more than 10 MiB, after which no other one can be told apart, and `ArchiveError` as
 * `openDatabase`
 */
export async function serveMcp(
  databases: readonly string[],
  { input, output, signal, ...options }: McpStreams,
): Promise<void> {
  const answering = openAnswering(databases, options)
  const stop = new AbortController()
  try {
    const stopped = signal && once(signal, 'abort', { signal: stop.signal })
    const transport = new StdioServerTransport(input, output, { maxBufferSize: LONGEST_MESSAGE })
    const handle = serveStdio(() => createMcpServer(answering), { transport })
    const closed = closeOf(transport)
    if (!signal?.aborted) await Promise.race(stopped ? [closed, stopped] : [closed])
    await handle.close()
    const isOver = signal?.aborted || input.readableEnded || input.destroyed || !output.writable
    if (!isOver) {
      throw new ArchiveError('limit-message', 'the client sent a message of more than 10 MiB')
    }
  } finally {
    stop.abort()
    await answering.close()
  }
}

/** Resolves when the transport ends, by itself or because its streams did. */
function closeOf(transport: StdioServerTransport): Promise<void> {
  const { onclose } = transport
  return new Promise((resolve) => {
    transport.onclose = () => {
      onclose?.()
      resolve()
    }
  })
}
