import { ArchiveError, throwIfInterrupted } from '../base/errors.ts'
import { type Bytes, concat } from '../base/streams.ts'
import { openScratchFile } from './scratch-file.ts'

/** Bytes that come once, of which those that were read can be read again. */
export interface KeptStream {
  /** The bytes from the first one on, those that were read before and the others. With `keep` the others are kept, too. */
  read(how?: { keep: boolean }): AsyncGenerator<Uint8Array>
  /** The path of a temporary file with all bytes. */
  path(): Promise<string>
  /** Removes what was kept, and closes the source. */
  close(): Promise<void>
}

/** Bytes held in memory, and read at a time. */
const CHUNK_SIZE = 2 ** 20

/**
 * Keeps what is read of a stream: up to 1 MiB in memory, more in a temporary file. An error of the stream comes again whenever
 * reading gets there.
 *
 * @param most bytes to keep; above that reading throws `limit-extracted`
 * @throws `interrupted`, `output-full` or `output-refused`
 */
export function keepStream(bytes: Bytes, most: number, signal?: AbortSignal): KeptStream {
  const source = bytes[Symbol.asyncIterator]()
  const file = openScratchFile()
  let held: Uint8Array[] = []
  let size = 0
  let failure: { error: unknown } | undefined

  const next = async () => {
    if (failure) throw failure.error
    try {
      return await source.next()
    } catch (error) {
      failure = { error }
      throw error
    }
  }
  const writeHeld = () => {
    file.append(concat(held))
    held = []
  }
  const keep = (piece: Uint8Array) => {
    held.push(Buffer.from(piece))
    size += piece.length
    if (size - file.size > CHUNK_SIZE) writeHeld()
    if (size <= most) return
    const message = `more than ${most} bytes, which are kept in a temporary file to be read twice`
    throw new ArchiveError('limit-extracted', message).over({ allowed: most, found: size })
  }
  return {
    async *read({ keep: isKept } = { keep: false }) {
      yield* file.pieces(CHUNK_SIZE)
      yield* [...held]
      for (;;) {
        const { done, value } = await next()
        if (done) return
        if (isKept) keep(value)
        yield value
      }
    },
    async path() {
      for (;;) {
        writeHeld()
        throwIfInterrupted(signal)
        const { done, value } = await next()
        if (done) return file.path as string
        keep(value)
      }
    },
    async close() {
      file.close()
      await source.return?.()
    },
  }
}
