import { type Extract, extract, type Header } from 'tar-stream'
import { ArchiveError } from '../errors.ts'
import type { Bytes } from '../streams.ts'
import { decodeName } from './decode-name.ts'

/** An entry as the tar has it, its name and type unchecked. */
export interface TarEntry {
  header: Header
  /** Whether the name is as it was written: bytes that are not UTF-8 were put into other words. */
  isUtf8: boolean
  content: Bytes
}

/**
 * The entries of a tar, V7, GNU, USTAR or PAX. Content that is left unread is skipped.
 * Throws `tar-damaged`, or `tar-truncated` where the end-of-archive blocks are missing.
 */
export async function* readTar(tar: Bytes): AsyncGenerator<TarEntry> {
  // An option that tar-stream's types do not know: takes the oldest form, which has no magic word.
  const extractor = extract({ allowUnknownFormat: true, filenameEncoding: 'latin1' } as object)
  const tail = new Tail()
  let last = ''
  let fault: unknown // of the source, not of the tar
  const feeding = feed(tar, extractor, tail).catch((error: unknown) => {
    fault = error
    extractor.destroy(error as Error)
  })
  const explain = (error: unknown) =>
    error === fault || error instanceof ArchiveError ? at(last, error) : fromTarStream(error, last)
  try {
    for await (const stream of extractor) {
      const { header, offset } = stream
      const { name, isUtf8 } = nameOf(header)
      header.name = name
      last = name
      // A directory has no content whatever it says, but tar-stream would wait for it for ever.
      if (header.type === 'directory') header.size = 0
      const { content, drain } = readable(stream as AsyncIterable<Uint8Array>, explain)
      yield { header, isUtf8, content }
      await drain()
      tail.endOfEntry = offset + 512 + Math.ceil(header.size / 512) * 512
    }
    await feeding
    tail.check()
  } catch (error) {
    throw explain(error)
  } finally {
    extractor.destroy()
    await feeding
  }
}

/** A name from a PAX header is text already. */
const nameOf = ({ name, pax }: Header) =>
  (pax as Record<string, string> | null)?.path
    ? { name, isUtf8: !name.includes('\ufffd') }
    : decodeName(name)

async function feed(tar: Bytes, extractor: Extract, tail: Tail): Promise<void> {
  for await (const chunk of tar) {
    if (extractor.destroyed) return
    tail.add(chunk)
    if (!extractor.write(chunk)) await drained(extractor)
  }
  extractor.end(null)
}

/** Waits until more can be written, or nothing will be read any more. */
function drained(extractor: Extract): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      extractor.off('drain', done).off('close', done)
      resolve()
    }
    extractor.on('drain', done).on('close', done)
  })
}

/** Content whose reader may stop halfway without destroying the whole extraction. */
function readable(stream: AsyncIterable<Uint8Array>, explain: (error: unknown) => unknown) {
  const iterator = stream[Symbol.asyncIterator]()
  const next = () =>
    iterator.next().catch((error: unknown) => {
      throw explain(error)
    })
  const content: Bytes = { [Symbol.asyncIterator]: () => ({ next }) }
  const drain = async () => {
    while (!(await next()).done);
  }
  return { content, drain }
}

/** Watches for the two blocks of zeros that end a tar, which tar-stream does not insist on. */
class Tail {
  endOfEntry = 0
  #length = 0
  #zeros = 0

  add(chunk: Uint8Array): void {
    this.#length += chunk.length
    let zeros = 0
    while (zeros < chunk.length && chunk[chunk.length - 1 - zeros] === 0) zeros++
    this.#zeros = zeros === chunk.length ? this.#zeros + zeros : zeros
  }

  check(): void {
    const blocks = (this.#length - this.endOfEntry) / 512
    if (blocks < 2) {
      throw new ArchiveError('tar-truncated', 'the archive ends without its two closing blocks')
    }
    if (this.#zeros < this.#length - this.endOfEntry) {
      throw new ArchiveError('tar-damaged', 'something else follows the last entry')
    }
  }
}

const at = (entry: string, error: unknown): unknown =>
  error instanceof ArchiveError && entry !== '' ? error.at({ entry }) : error

function fromTarStream(error: unknown, entry: string): ArchiveError {
  const { message } = error as Error
  const place = entry ? { entry } : {}
  if (message === 'Unexpected end of data') {
    return new ArchiveError(
      'tar-truncated',
      'the archive ends in the middle of an entry',
      place,
      error,
    )
  }
  if (message === 'Header exceeds max size') {
    return new ArchiveError(
      'limit-header',
      'an extended header is too large to be honest',
      place,
      error,
    )
  }
  return new ArchiveError('tar-damaged', `what follows is no tar header: ${message}`, place, error)
}
