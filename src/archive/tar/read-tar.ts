import { type Extract, extract, type Header } from 'tar-stream'
import { ArchiveError } from '../../base/errors.ts'
import type { Bytes } from '../../base/streams.ts'
import { decodeName } from './decode-name.ts'
import { HeadCapture } from './head-capture.ts'
import type { ReadProgress } from './read-progress.ts'
import { isSparseFile, nameOfSparseFile } from './sparse-file.ts'
import { BLOCK } from './tar-header.ts'

/** An entry of the tar. Name and type are unchecked. */
export interface TarEntry {
  header: Header
  /** Whether the name is UTF-8. If not, its other bytes are replaced. */
  isUtf8: boolean
  /** Whether the content is not that of the file: it leaves out zeros, and may begin with a list of where they are. */
  isSparse: boolean
  /** The bytes of its headers, if requested and no larger than any tool writes them. */
  head?: Buffer | undefined
  content: Bytes
}

/** The longest padding between the last entry and the end, or another tar. */
const MOST_ZEROS = 64 * 2 ** 20

/** How far a tar was read. */
type TarProgress = Pick<ReadProgress, 'length' | 'endOfEntry'>

/**
 * The entries of a tar, V7, GNU, USTAR or PAX; updates `progress`. Unread content is skipped. Throws `tar-damaged`,
 * `not-an-archive` for nothing but zeros, `tar-truncated` if the end-of-archive blocks are missing, or `archive-unsupported` for a
 * sparse file with a list of its zeros between header and content.
 */
export async function* readTar(
  tar: Bytes,
  progress: TarProgress = { length: 0, endOfEntry: 0 },
  { headers = false }: { headers?: boolean | undefined } = {},
): AsyncGenerator<TarEntry> {
  // Options missing from the types of tar-stream: accept the oldest format, which has no magic, and finish each chunk
  // before the next.
  const options = { allowUnknownFormat: true, filenameEncoding: 'latin1', highWaterMark: 1 }
  const extractor = extract(options as object)
  const tail = new Tail(progress)
  const capture = new HeadCapture()
  const heads: (Buffer | undefined)[] = []
  let last = ''
  let end = 0 // of the last content, which may not have been read yet
  extractor.on('entry', ({ type, size = 0 }, stream) => {
    const { offset } = stream as unknown as { offset: number }
    end = offset + BLOCK + (type === 'directory' ? 0 : size)
    // A type that tar-stream does not know may be that of a sparse file.
    heads.push(capture.take(offset + BLOCK, end, headers || !type))
  })
  let fault: unknown // of the source, not of the tar
  const feeding = feed(tar, extractor, (chunk) => {
    tail.add(chunk)
    capture.add(chunk)
    // tar-stream would wait forever for the end of a device.
    if (progress.length - end > MOST_ZEROS) throw endless()
  })
    .catch((error: unknown) => {
      fault = error
      // The bytes before the fault can still be read.
      if (!(error instanceof ArchiveError)) extractor.destroy(error as Error)
    })
    .then(() => {
      if (end > progress.length) fault ??= truncated('in the middle of an entry')
      return fillUp(extractor, end - progress.length)
    })
  const explain = (error: unknown) => {
    if (fault) return at(last, fault)
    if (tail.isAll) return new ArchiveError('not-an-archive', 'expected a tar, found only zeros')
    return error instanceof ArchiveError ? at(last, error) : fromTarStream(error, last)
  }
  try {
    for await (const stream of extractor) {
      const { header, offset } = stream
      const { name, isUtf8 } = entryNameOf(header)
      header.name = name
      // As ls and cat name it.
      last = name.replace(/^(?:\.\/)+/, '')
      // tar-stream would wait forever for the content of a directory, which has none whatever its header says.
      if (header.type === 'directory') header.size = 0
      // tar-stream never ends an entry with a non-numeric size.
      if (typeof header.size !== 'number') {
        throw new ArchiveError('tar-damaged', 'the size of an entry is not a number', {
          entry: name,
        })
      }
      const head = heads.shift()
      const isSparse = isSparseFile(header, head)
      const start = offset + BLOCK
      const came = () => progress.length - start
      const { content, drain } = readable(stream as AsyncIterable<Uint8Array>, explain, came)
      yield { header, isUtf8, isSparse, head: headers ? head : undefined, content }
      await drain()
      progress.endOfEntry = start + Math.ceil(header.size / BLOCK) * BLOCK
    }
    await feeding
    if (fault) throw explain(fault)
    tail.check()
  } catch (error) {
    throw explain(error)
  } finally {
    extractor.destroy()
    await feeding
  }
}

/** A name from a PAX header is already decoded. */
function entryNameOf(header: Header): { name: string; isUtf8: boolean } {
  const path = (header.pax as Record<string, string> | null)?.path && header.name
  const name = nameOfSparseFile(header) ?? path
  return name ? { name, isUtf8: !name.includes('\ufffd') } : decodeName(header.name)
}

async function feed(
  tar: Bytes,
  extractor: Extract,
  watch: (chunk: Uint8Array) => void,
): Promise<void> {
  for await (const chunk of tar) {
    if (extractor.destroyed) return
    watch(chunk)
    if (!extractor.write(chunk)) await drained(extractor)
  }
}

/** Ends the tar after padding its last entry with zeros, so that its reader ends as well. */
async function fillUp(extractor: Extract, missing: number): Promise<void> {
  const zeros = Buffer.alloc(Math.min(Math.max(0, missing), 64 * 1024))
  for (let fed = 0; fed < missing && !extractor.destroyed; fed += zeros.length) {
    if (!extractor.write(zeros)) await drained(extractor)
  }
  extractor.end(null)
}

/** Waits until the stream accepts more, or is closed. */
function drained(extractor: Extract): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      extractor.off('drain', done).off('close', done)
      resolve()
    }
    extractor.on('drain', done).on('close', done)
  })
}

/**
 * Content whose reader may stop early without destroying the whole extraction. Only `came()` bytes are real; the rest is
 * padding.
 */
function readable(
  stream: AsyncIterable<Uint8Array>,
  explain: (error: unknown) => unknown,
  came: () => number,
) {
  const iterator = stream[Symbol.asyncIterator]()
  let given = 0
  const next = async (): Promise<IteratorResult<Uint8Array>> => {
    const result = await iterator.next().catch((error: unknown) => {
      throw explain(error)
    })
    if (result.done) return result
    const value = result.value.subarray(0, Math.max(0, came() - given))
    given += value.length
    if (value.length === 0) throw explain(undefined)
    return { done: false, value }
  }
  const content: Bytes = { [Symbol.asyncIterator]: () => ({ next }) }
  const drain = async () => {
    while (!(await next()).done);
  }
  return { content, drain }
}

const ZEROS = Buffer.alloc(4096)

/** Requires the two blocks of zeros at the end of a tar, because tar-stream does not. */
class Tail {
  readonly #progress: TarProgress
  #zeros = 0

  constructor(progress: TarProgress) {
    this.#progress = progress
  }

  add(chunk: Uint8Array): void {
    this.#progress.length += chunk.length
    let end = chunk.length
    // Many at once: contents may be of zeros, too.
    while (end >= ZEROS.length && ZEROS.equals(chunk.subarray(end - ZEROS.length, end))) {
      end -= ZEROS.length
    }
    while (end > 0 && chunk[end - 1] === 0) end--
    this.#zeros = end === 0 ? this.#zeros + chunk.length : chunk.length - end
  }

  /** Whether there was nothing but zeros. */
  get isAll(): boolean {
    return this.#zeros > 0 && this.#zeros === this.#progress.length
  }

  check(): void {
    const rest = this.#progress.length - this.#progress.endOfEntry
    const blocks = rest / BLOCK
    if (blocks < 2) {
      throw truncated('without its two closing blocks')
    }
    if (this.#zeros < rest) {
      throw new ArchiveError('tar-damaged', 'something else follows the last entry')
    }
  }
}

const at = (entry: string, error: unknown): unknown =>
  error instanceof ArchiveError && entry !== '' ? error.at({ entry }) : error

const truncated = (how: string, cause?: unknown) =>
  new ArchiveError('tar-truncated', `the archive ends ${how}`, {}, cause)

const endless = () =>
  new ArchiveError(
    'tar-damaged',
    `more than ${MOST_ZEROS} bytes without an entry follow the last one`,
  )

function fromTarStream(error: unknown, entry: string): ArchiveError {
  const { message } = error as Error
  const place = entry ? { entry } : {}
  if (message === 'Unexpected end of data') {
    return truncated('in the middle of an entry', error).at(place)
  }
  if (message === 'Header exceeds max size') {
    return new ArchiveError(
      'limit-header',
      'an extended header is larger than any tool writes',
      place,
      error,
    )
  }
  const expected = entry ? 'expected the header of the next entry' : 'expected a tar header'
  return new ArchiveError('tar-damaged', `${expected}, found something else`, place, error)
}
