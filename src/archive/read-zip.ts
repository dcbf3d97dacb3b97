import { closeSync, openSync, readSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { setImmediate as turn } from 'node:timers/promises'
import { crc32, inflateRawSync } from 'node:zlib'
import { type Entry, fromRandomAccessReaderPromise, RandomAccessReader, type ZipFile } from 'yauzl'
import { ArchiveError, systemReason, throwIfInterrupted } from '../base/errors.ts'
import { resolveLimits } from '../base/limits.ts'
import { asBytes } from '../base/streams.ts'
import type { ArchiveEntry, ReadOptions } from './entry.ts'
import { normalizePath } from './normalize-path.ts'
import { fromFileSystem } from './read-file-stream.ts'

/** Decompressed bytes up to which the ratio is not looked at, as in gzip data. */
export const ALLOWANCE = 64 * 2 ** 20

/** Bytes of a member beside its name and content: its header, and its line in the directory. */
const HEADERS = 30 + 46

/**
 * Streams the members of a zip file in the order of its directory. Normalizes paths. Links and devices are skipped and
 * reported (`entry-type`). The sizes in the directory are believed only as far as they agree with each other, the file and
 * the content.
 *
 * @throws `archive-unreadable`, `archive-unsupported`, `zip-damaged`, `path-hostile`, `limit-…` or `interrupted`
 */
export async function* readZip(path: string, options: ReadOptions): AsyncGenerator<ArchiveEntry> {
  const limits = resolveLimits(options.limits)
  const { size } = await stat(path).catch((error: unknown) => {
    throw fromFileSystem(error, path)
  })
  const { zip, file } = await openZip(path, size)
  try {
    let entries = 0
    let stored = 0
    let expanded = 0
    for await (const entry of membersOf(zip)) {
      throwIfInterrupted(options.signal)
      if (entries % LOOKED_AT === 0) await turn()
      if (++entries > limits.entries) {
        const limit = { allowed: limits.entries, found: entries }
        throw new ArchiveError('limit-entries', `more than ${limits.entries} entries`).over(limit)
      }
      const isDirectory = entry.fileName.endsWith('/')
      const inner = normalizePath(entry.fileName, isDirectory, limits)
      if (inner === '') continue
      const place = { entry: inner }
      const mode = entry.externalFileAttributes >>> 16
      if (!isDirectory && (mode & TYPE) !== 0 && (mode & TYPE) !== FILE) {
        const message = 'neither a file nor a directory; it was skipped'
        options.report?.({ code: 'entry-type', place, message })
        continue
      }
      if (entry.isEncrypted() || !entry.canDecodeFileData()) {
        const what = entry.isEncrypted() ? 'encrypted' : 'compressed in another way than by deflate'
        throw new ArchiveError('archive-unsupported', `this file of the zip is ${what}`, place)
      }
      // Members that share their bytes are together larger than the file.
      stored += entry.compressedSize + HEADERS
      if (stored > size) throw damaged('its members overlap, or it ends too early', place)
      expanded += entry.uncompressedSize
      if (expanded > limits.extracted) {
        const message = `entries of more than ${limits.extracted} bytes in all`
        const limit = { allowed: limits.extracted, found: expanded }
        throw new ArchiveError('limit-extracted', message, place).over(limit)
      }
      const ratio = Math.ceil(expanded / stored)
      if (expanded > ALLOWANCE && ratio > limits.expansion) {
        const message = `${expanded} bytes from ${stored}; at most ${limits.expansion} for each are read`
        const limit = { allowed: limits.expansion, found: ratio }
        throw new ArchiveError('limit-expansion', message, place).over(limit)
      }
      yield {
        path: inner,
        size: isDirectory ? 0 : entry.uncompressedSize,
        modifiedAt: entry.getLastModDate({ timezone: 'UTC', forceDosFormat: true }),
        mode: mode & 0o777 || (isDirectory ? 0o755 : 0o644),
        content: isDirectory ? asBytes([]) : contentOf({ zip, file }, entry, inner),
      }
    }
  } finally {
    zip.close()
    closeSync(file)
  }
}

/** Members that are looked at before signals are. */
const LOOKED_AT = 500

/** The type of a file in its mode, and that of an ordinary one. */
const [TYPE, FILE] = [0o170000, 0o100000]

/** A zip file, and its descriptor. */
interface OpenedZip {
  zip: ZipFile
  file: number
}

async function openZip(path: string, size: number): Promise<OpenedZip> {
  let file: number | undefined
  try {
    file = openSync(path, 'r')
    const reader = new FileReader(file)
    return { zip: await fromRandomAccessReaderPromise(reader, size, { autoClose: false }), file }
  } catch (error) {
    if (file !== undefined) closeSync(file)
    throw inZip(error)
  }
}

/**
 * Reads headers and the directory without a thread. There are several parts of some bytes for each member, and handing each
 * to a thread and back takes longer than reading it.
 */
class FileReader extends RandomAccessReader {
  readonly #file: number

  constructor(file: number) {
    super()
    this.#file = file
  }

  override read(
    buffer: Buffer,
    offset: number,
    length: number,
    position: number,
    callback: (error: Error | null) => void,
  ): void {
    try {
      readWhole(this.#file, buffer.subarray(offset, offset + length), position)
    } catch (error) {
      callback(error as Error)
      return
    }
    callback(null)
  }

  override _readStreamForRange(start: number, end: number): Readable {
    return Readable.from(this.#pieces(start, end))
  }

  *#pieces(start: number, end: number): Generator<Buffer> {
    for (let at = start; at < end; at += PIECE_SIZE) {
      const piece = Buffer.allocUnsafe(Math.min(PIECE_SIZE, end - at))
      readWhole(this.#file, piece, at)
      yield piece
    }
  }
}

const PIECE_SIZE = 256 * 1024

function readWhole(file: number, into: Buffer, position: number): void {
  for (let at = 0; at < into.length; ) {
    const read = readSync(file, into, at, into.length - at, position + at)
    if (read === 0) throw damaged('it ends too early')
    at += read
  }
}

async function* membersOf(zip: ZipFile): AsyncGenerator<Entry> {
  try {
    yield* zip.eachEntry()
  } catch (error) {
    throw inZip(error)
  }
}

async function* contentOf(
  opened: OpenedZip,
  entry: Entry,
  path: string,
): AsyncGenerator<Uint8Array> {
  let sum = 0
  const isSmall = entry.compressedSize <= SMALL && entry.uncompressedSize <= SMALL
  try {
    for await (const piece of isSmall
      ? [await readSmall(opened, entry)]
      : await opened.zip.openReadStreamPromise(entry)) {
      sum = crc32(piece, sum)
      yield piece
    }
  } catch (error) {
    throw inZip(error).at({ entry: path })
  }
  if (sum !== entry.crc32) throw damaged('its checksum is wrong', { entry: path })
}

/** Members of at most this size are read at once: a stream of each takes ten times as long. */
const SMALL = 256 * 1024

/** The smallest piece that zlib makes. By default its pieces are much larger than most members. */
const LEAST_CHUNK = 64

async function readSmall({ zip, file }: OpenedZip, entry: Entry): Promise<Buffer> {
  const { compressedSize, uncompressedSize } = entry
  const { fileDataStart } = await zip.readLocalFileHeaderPromise(entry, { minimal: true })
  const stored = Buffer.alloc(compressedSize)
  readWhole(file, stored, fileDataStart)
  const content = entry.isCompressed()
    ? inflateRawSync(stored, {
        chunkSize: Math.max(LEAST_CHUNK, uncompressedSize),
        maxOutputLength: Math.max(1, uncompressedSize),
      })
    : stored
  if (content.length !== uncompressedSize) throw damaged('its size is wrong')
  return content
}

const damaged = (message: string, place = {}, cause?: unknown) =>
  new ArchiveError('zip-damaged', message, place, cause)

/** The error for what the reader of zip files throws. */
function inZip(error: unknown): ArchiveError {
  if (error instanceof ArchiveError) return error
  const { message, errno, code = '' } = error as NodeJS.ErrnoException
  if (code === 'ERR_BUFFER_TOO_LARGE') return damaged('its size is wrong', {}, error)
  if (code.startsWith('Z_')) return damaged(`it cannot be decompressed: ${message}`, {}, error)
  if (message.startsWith('End of central directory')) {
    return damaged('its end is missing: the zip was cut, or is none', {}, error)
  }
  if (typeof errno === 'number') {
    return new ArchiveError('archive-unreadable', systemReason(error), {}, error)
  }
  return /^(?:absolute|invalid relative) path|^invalid characters in fileName/.test(message)
    ? new ArchiveError('path-hostile', message, {}, error)
    : damaged(message, {}, error)
}
