import { setImmediate } from 'node:timers/promises'
import { ArchiveError } from '../../base/errors.ts'
import type { Bytes } from '../../base/streams.ts'
import type { Io, Output } from '../command/io.ts'
import { plus, type SafeText, safe } from '../command/safe-text.ts'
import { UsageError } from '../command/usage-error.ts'
import { escapeControlsInJson } from './escape-controls.ts'

/** Text that is safe to print, or bytes as they are. */
export type Piece = SafeText | Uint8Array

const BATCH_SIZE = 64 * 1024
const READER_GONE = ['EPIPE', 'ECONNRESET', 'EOF', 'ERR_STREAM_DESTROYED']

/**
 * Writes all pieces, no faster than they are read. Returns false, and stops, if the reader has closed the pipe. Throws on any
 * other error of the stream. Does not end the stream.
 */
export async function writeAll(
  stream: Output,
  pieces: Iterable<Piece> | AsyncIterable<Piece>,
): Promise<boolean> {
  let fault: Error | undefined
  let proceed = () => {}
  const stop = (error: Error) => {
    fault ??= error
    proceed()
  }
  const onClose = () => stop(Object.assign(new Error('closed'), { code: 'ERR_STREAM_DESTROYED' }))
  stream.on('error', stop).on('close', onClose)
  try {
    for await (const batch of Symbol.iterator in pieces ? inBatches(pieces) : pieces) {
      if (fault === undefined) {
        // The callback waits until the batch is written, which is stricter than `drain`, and reports errors.
        await new Promise<void>((resolve) => {
          proceed = resolve
          stream.write(batch, (error) => (error ? stop(error) : resolve()))
        })
      }
      if (fault !== undefined) break
    }
    // After the callback a stream emits `error` on a later tick: keep listening until then.
    if (fault !== undefined) await setImmediate()
  } finally {
    stream.off('error', stop).off('close', onClose)
  }
  if (fault !== undefined && !isReaderGone(fault)) {
    throw new ArchiveError('output-failed', fault.message, { archive: 'standard output' }, fault)
  }
  return fault === undefined
}

function isReaderGone(error: Error): boolean {
  return 'code' in error && READER_GONE.includes(String(error.code))
}

/** Joins small pieces, because a system call for every row is slow. */
export function* inBatches(pieces: Iterable<Piece>): Generator<Piece> {
  let done: Uint8Array[] = []
  let text = safe``
  let size = 0
  const takeBatch = (): Piece => {
    const batch = done.length === 0 ? text : Buffer.concat([...done, Buffer.from(text)])
    done = []
    text = safe``
    size = 0
    return batch
  }
  let fault: { error: unknown } | undefined
  try {
    for (const piece of pieces) {
      size += piece.length
      if (typeof piece === 'string') {
        text = plus(text, piece)
      } else {
        if (text !== '') done.push(Buffer.from(text))
        done.push(piece)
        text = safe``
      }
      if (size >= BATCH_SIZE) yield takeBatch()
    }
  } catch (error) {
    fault = { error }
  }
  // Write the pieces before an error first.
  if (size > 0) yield takeBatch()
  if (fault) throw fault.error
}

/** Each text as a line. */
export async function* asLines(texts: AsyncIterable<SafeText>): AsyncGenerator<SafeText> {
  for await (const text of texts) yield safe`${text}\n`
}

/** Writes to a stream such as standard output. Returns false if its reader closed it early. */
export async function writeToStream(stream: Output, bytes: Bytes): Promise<boolean> {
  if (stream.isTTY) {
    const hint = 'Name a file with -o, or write to a pipe.'
    throw new UsageError('an archive cannot be written to a terminal', hint)
  }
  return writeAll(stream, bytes)
}

/** Writes a value as JSON, or text for people. */
export async function writeResult(
  json: boolean | undefined,
  value: unknown,
  text: SafeText,
  { stdout }: Io,
): Promise<void> {
  const shown = json ? escapeControlsInJson(JSON.stringify(value)) : text
  if (shown !== '') await writeAll(stdout, [safe`${shown}\n`])
}
