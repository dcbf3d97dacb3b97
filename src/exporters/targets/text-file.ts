import { createHash } from 'node:crypto'
import { open } from 'node:fs/promises'
import { createGzip } from 'node:zlib'
import { attempt } from '../../files/attempt.ts'
import type { FileSummary } from '../dataset/manifest.ts'
import type { TableFile } from './folder-partition.ts'

export interface TextFile extends TableFile {
  /** Adds a row, with its line break. */
  add(line: string): void
}

/** Bytes of a buffer at first. */
const SMALLEST = 16 * 1024
/** Bytes that a unit of a string's length may take in UTF-8. */
const WIDEST = 3

/**
 * Creates a file of lines, compressed as one gzip member if asked. `head` is not counted as a row. Throws `output-full`
 * or `output-refused`.
 */
export function createTextFile(
  path: string,
  { gzip, head = '' }: { gzip: boolean; head?: string },
): TextFile {
  const hash = createHash('sha256')
  let bytes = 0
  let rows = 0
  // As strings, the lines would live long enough to fill the space of old objects with garbage.
  let waiting = Buffer.allocUnsafeSlow(SMALLEST)
  let buffered = 0
  const append = (text: string) => {
    const most = text.length < SMALLEST ? text.length * WIDEST : Buffer.byteLength(text)
    if (buffered + most > waiting.length) {
      const larger = Buffer.allocUnsafeSlow(Math.max(waiting.length * 2, buffered + most))
      waiting.copy(larger, 0, 0, buffered)
      waiting = larger
    }
    buffered += waiting.write(text, buffered)
  }
  append(head)
  const opening = attempt(path, open(path, 'wx', 0o666))
  // The next write throws it.
  opening.catch(() => {})
  const compress = gzip ? createGzip() : undefined
  const write = async (piece: Buffer) => {
    hash.update(piece)
    bytes += piece.length
    const file = await opening
    for (let at = 0; at < piece.length; ) {
      at += (await attempt(path, file.write(piece, at))).bytesWritten
    }
  }
  const compressed = compress && drain(compress, write)
  compressed?.catch(() => {})
  const flush = async () => {
    const piece = waiting.subarray(0, buffered)
    buffered = 0
    if (!compress) return write(piece)
    await new Promise<void>((resolve, reject) => {
      compress.write(piece, (error) => (error ? reject(error) : resolve()))
    })
  }
  return {
    add(line) {
      append(line)
      rows++
    },
    get buffered() {
      return buffered
    },
    flush,
    async finish(): Promise<FileSummary> {
      await flush()
      compress?.end()
      await compressed
      const file = await opening
      await attempt(path, file.sync())
      await file.close()
      return { rows, bytes, sha256: hash.digest('hex') }
    },
    async abandon() {
      compress?.destroy()
      // A file that is still being opened would be made after its removal.
      await opening.then((file) => file.close()).catch(() => {})
    },
  }
}

async function drain(
  pieces: AsyncIterable<Buffer>,
  write: (piece: Buffer) => Promise<void>,
): Promise<void> {
  for await (const piece of pieces) await write(piece)
}
