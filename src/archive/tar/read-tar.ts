import { type Extract, extract, type Header } from 'tar-stream'
import { ArchiveError } from '../../errors.ts'
import type { Bytes } from '../../streams.ts'
import type { ReadProgress } from '../read-until-damaged.ts'
import { decodeName } from './decode-name.ts'
import { HeadCapture } from './head-capture.ts'
import { BLOCK } from './tar-header.ts'

/** An entry as the tar has it, its name and type unchecked. */
export interface TarEntry {
  header: Header
  /** Whether the name is as it was written: bytes that are not UTF-8 were put into other words. */
  isUtf8: boolean
  /** The blocks of its headers to the byte, if they are asked for and no larger than any tool makes them. */
  head?: Buffer | undefined
  content: Bytes
}

/** Bytes between the last entry and the end, or another tar: tapes were filled up, but not with so many. */
const MOST_ZEROS = 64 * 2 ** 20

/** How far a tar could be read. */
type TarProgress = Pick<ReadProgress, 'length' | 'endOfEntry'>

/**
 * The entries of a tar, V7, GNU, USTAR or PAX, and `progress` meanwhile. Content that is left unread is skipped.
 * Throws `tar-damaged`, or `tar-truncated` where the end-of-archive blocks are missing.
 */
export async function* readTar(
  tar: Bytes,
  progress: TarProgress = { length: 0, endOfEntry: 0 },
  { headers = false }: { headers?: boolean | undefined } = {},
): AsyncGenerator<TarEntry> {
  // Options that tar-stream's types do not know: it takes the oldest form, which has no magic word, and is done with
  // a chunk before it takes the next.
  const options = { allowUnknownFormat: true, filenameEncoding: 'latin1', highWaterMark: 1 }
  const extractor = extract(options as object)
  const tail = new Tail(progress)
  const capture = headers ? new HeadCapture() : undefined
  const heads: (Buffer | undefined)[] = []
  let last = ''
  let end = 0 // of the content of the last entry, which may be still to come
  extractor.on('entry', ({ type, size = 0 }, stream) => {
    const { offset } = stream as unknown as { offset: number }
    end = offset + BLOCK + (type === 'directory' ? 0 : size)
    if (capture) heads.push(capture.take(offset + BLOCK, end))
  })
  let fault: unknown // of the source, not of the tar
  const feeding = feed(tar, extractor, (chunk) => {
    tail.add(chunk)
    capture?.add(chunk)
    // Whoever waits for the end of a device waits for ever.
    if (progress.length - end > MOST_ZEROS) throw endless()
  })
    .catch((error: unknown) => {
      fault = error
      // What came before the fault is still to be read.
      if (!(error instanceof ArchiveError)) extractor.destroy(error as Error)
    })
    .then(() => {
      if (end > progress.length) fault ??= truncated('in the middle of an entry')
      return fillUp(extractor, end - progress.length)
    })
  const explain = (error: unknown) => {
    if (fault) return at(last, fault)
    return error instanceof ArchiveError ? at(last, error) : fromTarStream(error, last)
  }
  try {
    for await (const stream of extractor) {
      const { header, offset } = stream
      const { name, isUtf8 } = nameOf(header)
      header.name = name
      last = name
      // A directory has no content whatever it says, but tar-stream would wait for it for ever.
      if (header.type === 'directory') header.size = 0
      // Nor does it ever end an entry whose size is no number.
      if (typeof header.size !== 'number') {
        throw new ArchiveError('tar-damaged', 'the size of an entry is no number', { entry: name })
      }
      const start = offset + BLOCK
      const came = () => progress.length - start
      const { content, drain } = readable(stream as AsyncIterable<Uint8Array>, explain, came)
      yield { header, isUtf8, head: heads.shift(), content }
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

/** A name from a PAX header is text already. */
const nameOf = ({ name, pax }: Header) =>
  (pax as Record<string, string> | null)?.path
    ? { name, isUtf8: !name.includes('\ufffd') }
    : decodeName(name)

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

/** Ends the tar, after zeros in place of the bytes that are missing in its last entry: its reader comes to an end. */
async function fillUp(extractor: Extract, missing: number): Promise<void> {
  const zeros = Buffer.alloc(Math.min(Math.max(0, missing), 64 * 1024))
  for (let fed = 0; fed < missing && !extractor.destroyed; fed += zeros.length) {
    if (!extractor.write(zeros)) await drained(extractor)
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

/**
 * Content whose reader may stop halfway without destroying the whole extraction. Of its bytes so many `came`, the
 * others only stand in for those that did not.
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

/** Watches for the two blocks of zeros that end a tar, which tar-stream does not insist on. */
class Tail {
  readonly #progress: TarProgress
  #zeros = 0

  constructor(progress: TarProgress) {
    this.#progress = progress
  }

  add(chunk: Uint8Array): void {
    this.#progress.length += chunk.length
    let zeros = 0
    while (zeros < chunk.length && chunk[chunk.length - 1 - zeros] === 0) zeros++
    this.#zeros = zeros === chunk.length ? this.#zeros + zeros : zeros
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
      'an extended header is too large to be honest',
      place,
      error,
    )
  }
  return new ArchiveError('tar-damaged', `what follows is no tar header: ${message}`, place, error)
}
