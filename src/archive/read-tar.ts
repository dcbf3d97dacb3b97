import { once } from 'node:events'
import { extract, type Header } from 'tar-stream'
import { ArchiveError } from '../errors.ts'
import type { Bytes } from '../streams.ts'

/** An entry as the tar has it, its name and type unchecked. */
export interface TarEntry {
  header: Header
  content: Bytes
}

/**
 * The entries of a tar, GNU, USTAR or PAX. Content that is left unread is skipped.
 * Throws `tar-damaged`, or `tar-truncated` where the end-of-archive blocks are missing.
 */
export async function* readTar(tar: Bytes): AsyncGenerator<TarEntry> {
  const extractor = extract()
  const tail = new Tail()
  const feeding = feed(tar, extractor, tail)
  feeding.catch(() => {}) // it also reaches us through the extractor
  let last = ''
  try {
    for await (const stream of extractor) {
      const { header, offset } = stream
      last = header.name
      const { content, drain } = readable(stream as AsyncIterable<Uint8Array>)
      yield { header, content }
      await drain()
      const size = header.type === 'directory' ? 0 : header.size
      tail.endOfEntry = offset + 512 + Math.ceil(size / 512) * 512
    }
    await feeding
    tail.check()
  } catch (error) {
    throw fromTarStream(error, last)
  } finally {
    extractor.destroy()
  }
}

async function feed(tar: Bytes, extractor: ReturnType<typeof extract>, tail: Tail): Promise<void> {
  try {
    for await (const chunk of tar) {
      if (extractor.destroyed) return
      tail.add(chunk)
      if (!extractor.write(chunk)) await once(extractor, 'drain')
    }
    extractor.end(null)
  } catch (error) {
    extractor.destroy(error as Error)
    throw error
  }
}

/** Content whose reader may stop halfway without destroying the whole extraction. */
function readable(stream: AsyncIterable<Uint8Array>) {
  const iterator = stream[Symbol.asyncIterator]()
  const content: Bytes = { [Symbol.asyncIterator]: () => ({ next: () => iterator.next() }) }
  const drain = async () => {
    while (!(await iterator.next()).done);
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

function fromTarStream(error: unknown, entry: string): unknown {
  if (error instanceof ArchiveError) return entry ? error.at({ entry }) : error
  const { message, code } = error as NodeJS.ErrnoException
  if (code !== undefined) return error
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
