import { createHash } from 'node:crypto'
import { access, constants, stat } from 'node:fs/promises'
import { basename, resolve } from 'node:path'
import { aFlag, checkArguments, checkOptions } from '../base/check-arguments.ts'
import { resolveLimits } from '../base/limits.ts'
import { type Bytes, onlyBytes, peek } from '../base/streams.ts'
import { untilAborted } from '../base/until-aborted.ts'
import { keepStream } from '../files/keep-stream.ts'
import {
  type ArchiveEntry,
  type ArchiveForm,
  type ArchiveSource,
  anArchiveSource,
  isDirectory,
  READ_SHAPES,
  type ReadOptions,
} from './entry.ts'
import { containerOf, isZipHead, readArchive, readZippedFolder } from './read-archive.ts'
import { fromFileSystem, readFileStream } from './read-file-stream.ts'
import { readFolder } from './read-folder.ts'

export type { ArchiveSource } from './entry.ts'

/** An archive that is being read. */
export interface OpenedArchive {
  /** The name of the file or folder, or the one given with the bytes: for messages. */
  name: string
  /** Bytes of the file; undefined for a stream, a folder or a zip. */
  size?: number | undefined
  /** The form of the archive, complete after the last entry. */
  form: ArchiveForm
  /** The entries in the order of the archive. They can be read once. */
  entries: AsyncGenerator<ArchiveEntry>
  /** Bytes of the file (of the content, for a folder or a zip) read so far. */
  bytesRead(): number
  /** SHA-256 in hex of the file, or of the paths and contents in a folder or a zip. Call after the last entry. */
  sha256(): string
}

/** How to open an archive. */
export interface OpenOptions extends ReadOptions {
  /** Compute the SHA-256 while reading. Every byte of content must then be read. */
  hash?: boolean | undefined
}

/**
 * Opens an archive: a file, a folder or bytes. Reading begins with the first entry.
 *
 * @param source the path of a file or folder, or bytes of a tar, tar.gz or zip with a name for messages
 * @param options limits, reports, and whether to compute the SHA-256
 * @returns the entries, with the size and the number of bytes read so far
 * @throws `archive-not-found`, `archive-unreadable` or `option-invalid`; its entries throw as `readArchive` does
 * @example
 * const archive = await openArchive('export.tar.gz', { hash: true })
 * for await (const { path, size } of archive.entries) paths.set(path, size)
 */
export async function openArchive(
  source: ArchiveSource,
  options: OpenOptions = {},
): Promise<OpenedArchive> {
  checkArguments({ source }, { source: anArchiveSource })
  checkOptions(options, { ...READ_SHAPES, hash: aFlag })
  const { hash = false, ...given } = options
  const form: ArchiveForm = given.form ?? {}
  const reading = { ...given, form }
  const digest = createHash('sha256')
  let bytesRead = 0
  const note = (bytes: Uint8Array) => {
    bytesRead += bytes.length
    if (hash) digest.update(bytes)
  }
  const common = { form, bytesRead: () => bytesRead, sha256: () => digest.copy().digest('hex') }
  const read = (bytes: Bytes) => {
    const tapped = tap(bytes, note)
    return hash && reading.salvage ? readWhole(tapped, reading) : readArchive(tapped, reading)
  }
  if (typeof source !== 'string') {
    const zip = (path: string) => tapEntries(readZippedFolder(path, reading), note)
    const entries = readStream(explained(source.bytes, source.name, options.signal), {
      read,
      zip,
      ...reading,
    })
    return { ...common, name: source.name, entries }
  }
  const stats = await stat(source).catch((error: unknown) => {
    throw fromFileSystem(error, source)
  })
  const name = basename(resolve(source))
  const container = await containerOf(source)
  if (container === 'folder' || container === 'zip') {
    const unpacked = container === 'zip' ? readZippedFolder : readFolder
    return { ...common, name, entries: tapEntries(unpacked(source, reading), note) }
  }
  const entries = read(readFileStream(source, options.signal))
  return { ...common, name, entries, size: stats.isFile() ? stats.size : undefined }
}

/** Throws `archive-not-found` or `archive-unreadable` unless the path can be read. */
export async function checkSource(source: ArchiveSource): Promise<void> {
  if (typeof source !== 'string') return
  await access(source, constants.R_OK).catch((error: unknown) => {
    throw fromFileSystem(error, source)
  })
}

/** The entries of a stream. The directory of a zip is at its end, so it is written to a temporary file. */
async function* readStream(
  bytes: Bytes,
  {
    read,
    zip,
    limits,
    signal,
  }: Pick<ReadOptions, 'limits' | 'signal'> & {
    read(bytes: Bytes): AsyncGenerator<ArchiveEntry>
    zip(path: string): AsyncGenerator<ArchiveEntry>
  },
): AsyncGenerator<ArchiveEntry> {
  const peeked = await peek(bytes, 4)
  if (!isZipHead(peeked.head)) return yield* read(peeked.bytes)
  const kept = keepStream(peeked.bytes, resolveLimits(limits).extracted, signal)
  try {
    yield* zip(await kept.path())
  } finally {
    await kept.close()
  }
}

/** The entries of an archive. Reads all bytes to the end, even after a damage. */
async function* readWhole(
  bytes: AsyncGenerator<Uint8Array>,
  options: ReadOptions,
): AsyncGenerator<ArchiveEntry> {
  const kept = { [Symbol.asyncIterator]: () => ({ next: () => bytes.next() }) }
  try {
    yield* readArchive(kept, options)
    while (!(await bytes.next()).done);
  } finally {
    await bytes.return(undefined)
  }
}

/** SHA-256 in hex of a file. */
export async function hashFile(path: string): Promise<string> {
  const digest = createHash('sha256')
  for await (const chunk of readFileStream(path)) digest.update(chunk)
  return digest.digest('hex')
}

/** The same bytes, until the signal aborts. Errors of the system become an `ArchiveError`. */
export async function* explained(
  bytes: Bytes,
  name: string,
  signal: AbortSignal | undefined,
): AsyncGenerator<Uint8Array> {
  try {
    yield* onlyBytes(untilAborted(bytes, signal))
  } catch (error) {
    if (typeof (error as NodeJS.ErrnoException).errno !== 'number') throw error
    throw fromFileSystem(error, name)
  }
}

async function* tap(bytes: Bytes, note: (bytes: Uint8Array) => void): AsyncGenerator<Uint8Array> {
  for await (const chunk of bytes) {
    note(chunk)
    yield chunk
  }
}

// The hash of a folder or a zip covers the path, size and content of each file.
async function* tapEntries(
  entries: AsyncIterable<ArchiveEntry>,
  note: (bytes: Uint8Array) => void,
): AsyncGenerator<ArchiveEntry> {
  for await (const entry of entries) {
    if (!isDirectory(entry)) note(Buffer.from(`${entry.path}\0${entry.size}\0`))
    yield { ...entry, content: tap(entry.content, note) }
  }
}
