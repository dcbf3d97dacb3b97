import { once } from 'node:events'
import type { Readable, Writable } from 'node:stream'
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio'
import { ArchiveError } from '../base/errors.ts'
import { createMcpServer } from './create-server.ts'
import type { AnsweringOptions } from './open-answering.ts'

/** Streams of messages, and when to stop. */
export interface McpStreams extends AnsweringOptions {
  readonly input: Readable
  readonly output: Writable
  readonly signal?: AbortSignal | undefined
}

/** Milliseconds until databases are opened: the first message, which needs none, is answered by then. */
const FIRST_ANSWER = 50

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
  const failure = Promise.withResolvers<never>()
  let opening: ReturnType<typeof openLater> | undefined
  const answering = () => {
    if (!opening) {
      opening = openLater(databases, options)
      opening.catch(failure.reject)
    }
    return opening
  }
  const transport = new StdioServerTransport(input, output, { maxBufferSize: LONGEST_MESSAGE })
  const handle = serveStdio(() => createMcpServer(answering), { transport })
  const stop = new AbortController()
  const ends = [closeOf(transport), failure.promise]
  if (signal) ends.push(once(signal, 'abort', { signal: stop.signal }).then(() => {}))
  const timer = setTimeout(() => answering().catch(() => {}), FIRST_ANSWER)
  try {
    if (!signal?.aborted) await Promise.race(ends)
    // A wrong path is an error even if the client sent nothing.
    if (input.readableEnded) await answering()
  } finally {
    clearTimeout(timer)
    stop.abort()
    await handle.close()
    await (await opening?.catch(() => undefined))?.close()
  }
  const isOver = signal?.aborted || input.readableEnded || input.destroyed || !output.writable
  if (!isOver) {
    throw new ArchiveError('limit-message', 'the client sent a message of more than 10 MiB')
  }
}

/** Opens databases when their code is needed: what a server is and can do is told without it. */
async function openLater(databases: readonly string[], options: AnsweringOptions) {
  const { openAnswering } = await import('./open-answering.ts')
  return openAnswering(databases, options)
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
