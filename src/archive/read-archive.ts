import { stat } from 'node:fs/promises'
import { basename } from 'node:path'
import type { Header } from 'tar-stream'
import { anyOf, checkArguments, checkOptions, someBytes } from '../base/check-arguments.ts'
import { ArchiveError, throwIfInterrupted } from '../base/errors.ts'
import { type Limits, resolveLimits } from '../base/limits.ts'
import { type Bytes, onlyBytes } from '../base/streams.ts'
import { untilAborted } from '../base/until-aborted.ts'
import { copyLinks, type LinkReading } from './copy-links.ts'
import {
  type ArchiveEntry,
  type ArchiveForm,
  type ArchiveSource,
  anArchiveSource,
  nameInTar,
  READ_SHAPES,
  type ReadOptions,
  ROOT,
} from './entry.ts'
import { describeHeader } from './entry-header.ts'
import { refuseForeignSources } from './foreign-source.ts'
import { decompress } from './gzip/decompress.ts'
import { normalizePath } from './normalize-path.ts'
import { fromFileSystem, headOfFile, readFileStream } from './read-file-stream.ts'
import { readFolder, walkFolder } from './read-folder.ts'
import { readUntilDamaged } from './read-until-damaged.ts'
import { readZip } from './read-zip.ts'
import { stripTopFolder } from './strip-top-folder.ts'
import { decodeName } from './tar/decode-name.ts'
import { readTar } from './tar/read-tar.ts'
import type { HeaderTemplate } from './tar/tar-header.ts'

/**
 * Streams the entries of a tar or tar.gz in their order and in bounded memory, from a file, bytes, or the folder or zip that
 * it was unpacked into. Normalizes paths. Links, devices and sparse files are skipped and reported (`entry-type`).
 *
 * @param archive the path of a file or folder, or the bytes of a tar or tar.gz
 * @param options limits, reports and salvage
 * @returns the entries; read the content of each before the next one, or skip it
 * @throws `archive-not-found`, `archive-unreadable`, `not-an-archive`, `archive-unsupported`, `archive-is-database`,
 *   `source-unsupported`, `gzip-…`, `tar-…`, `path-hostile`, `limit-…`, `content-not-bytes`, `interrupted` or `option-invalid`
 * @example
 * for await (const { path, content } of readArchive('export.tar.gz')) {
 *   if (path === 'schema.json') schema = await text(content)
 * }
 */
export function readArchive(
  archive: ArchiveSource | Bytes,
  options: ReadOptions = {},
): AsyncGenerator<ArchiveEntry> {
  checkArguments({ archive }, { archive: anArchive })
  checkOptions(options, READ_SHAPES)
  if (typeof archive === 'string') return readPath(archive, options, ARCHIVE)
  const given = 'bytes' in archive ? archive.bytes : archive
  const bytes = onlyBytes(untilAborted(given, options.signal))
  return stripTopFolder(refuseForeignSources(readEntries(bytes, options)), options.form)
}

const anArchive = anyOf('a path or the bytes of an archive', anArchiveSource, someBytes)

/**
 * The entries of a folder, tar, tar.gz or zip with their whole paths, whatever they are. A file of JSON is an entry itself.
 *
 * @param name what errors call it
 */
export const readAnyEntries = (
  path: string,
  options: ReadOptions = {},
  name = path,
): AsyncGenerator<ArchiveEntry> => readPath(path, options, ANY, name)

/** Readers of the entries of a path. */
type Readers = Readonly<Record<Container, (path: string, options: ReadOptions) => Entries>>
type Entries = AsyncIterable<ArchiveEntry>

const tarOf = (path: string, options: ReadOptions) =>
  readArchive(readFileStream(path, options.signal), options)

const ARCHIVE: Readers = { folder: readFolder, zip: readZippedFolder, json: tarOf, other: tarOf }

const ANY: Readers = {
  folder: walkFolder,
  zip: readZip,
  json: readLoneFile,
  other: readTarTwice,
}

/** The entries of a tar that can be read again for its hard links. */
async function* readTarTwice(path: string, options: ReadOptions): AsyncGenerator<ArchiveEntry> {
  const { size } = await stat(path)
  yield* copyLinks(
    (own) => readEntries(readFileStream(path, options.signal), { ...options, ...own }),
    { ...options, size },
  )
}

async function* readPath(
  path: string,
  options: ReadOptions,
  readers: Readers,
  name = path,
): AsyncGenerator<ArchiveEntry> {
  const container = await containerOf(path)
  try {
    yield* readers[container](path, options)
  } catch (error) {
    throw error instanceof ArchiveError ? error.at({ archive: name }) : error
  }
}

/** The container of entries: a folder, a zip, a file that may be a JSON document, or any other file. */
export type Container = 'folder' | 'zip' | 'json' | 'other'

/** The first bytes of a zip with members, and of one without. */
const ZIP = ['PK\x03\x04', 'PK\x05\x06']

/** Whether a file with these first bytes is a zip. */
export const isZipHead = (head: Buffer): boolean => ZIP.includes(head.toString('latin1', 0, 4))

/** Finds the container of the entries of a path. Reads nothing of a pipe. */
export async function containerOf(path: string): Promise<Container> {
  const stats = await stat(path).catch((error: unknown) => {
    throw fromFileSystem(error, path)
  })
  if (stats.isDirectory()) return 'folder'
  const head = stats.isFile() ? await headOfFile(path, 64) : Buffer.alloc(0)
  if (isZipHead(head)) return 'zip'
  return head.toString('latin1').trimStart().startsWith('{') ? 'json' : 'other'
}

/**
 * Streams an unpacked archive that is in a zip, as `readFolder` does that in a folder.
 *
 * @throws as `readZip`, and `source-unsupported`
 */
export function readZippedFolder(path: string, options: ReadOptions): AsyncGenerator<ArchiveEntry> {
  if (options.form) Object.assign(options.form, { container: 'zip', prefix: '' })
  return stripTopFolder(refuseForeignSources(readZip(path, options)), options.form)
}

async function* readLoneFile(path: string, { signal }: ReadOptions): AsyncGenerator<ArchiveEntry> {
  const { size, mtime, mode } = await stat(path)
  const content = readFileStream(path, signal)
  yield { path: basename(path), size, modifiedAt: mtime, mode: mode & 0o777, content }
}

/** The entries of a tar or tar.gz with their whole paths, whatever they are. */
export async function* readEntries(
  archive: Bytes,
  options: ReadOptions & LinkReading,
): AsyncGenerator<ArchiveEntry> {
  const limits = resolveLimits(options.limits)
  let entries = 0
  let bytes = 0
  let last: HeaderTemplate | undefined
  const position = { file: 0, length: 0, endOfEntry: 0 }
  const { headers = false, form = {} } = options
  const tar = readTar(decompress(archive, { ...options, position }), position, { headers })
  const found = options.salvage ? readUntilDamaged(tar, position, options.report) : tar
  for await (const { header, isUtf8, isSparse, head, content } of found) {
    throwIfInterrupted(options.signal)
    if (++entries > limits.entries) {
      const message = `more than ${limits.entries} entries`
      const limit = { allowed: limits.entries, found: entries }
      throw new ArchiveError('limit-entries', message).over(limit)
    }
    checkExtendedHeader(header, limits)
    const directory = isDirectory(header)
    const path = normalizePath(header.name, directory, limits) || (headers ? ROOT : '')
    noteForm(form, header)
    if (path === '') continue
    if (!isUtf8) {
      const message = 'the name is not UTF-8; its other bytes were kept as %ff and the like'
      options.report?.({ code: 'path-not-utf8', place: { entry: path }, message })
    }
    if (header.type === 'link' && options.takeLink?.({ path, target: targetOf(header) })) continue
    if (isSparse || !(directory || isFile(header))) {
      const type = header.type ? `a ${header.type}` : 'an entry of unknown type'
      const sparse = 'a sparse file was skipped; tar without -S writes it whole'
      const message = isSparse ? sparse : `${type} was skipped`
      options.report?.({ code: 'entry-type', place: { entry: path }, message })
      continue
    }
    if (!directory) bytes += header.size
    if (bytes > limits.extracted) {
      const message = `entries of more than ${limits.extracted} bytes in all`
      const limit = { allowed: limits.extracted, found: bytes }
      throw new ArchiveError('limit-extracted', message, { entry: path }).over(limit)
    }
    // Accept invalid times and modes: they are not worth a refusal.
    const modifiedAt = new Date(header.mtime.getTime() || 0)
    const mode = header.mode || 0
    const entry = { path, size: directory ? 0 : header.size, modifiedAt, mode, content }
    const member = { ...entry, name: nameInTar(path, form.prefix ?? '') }
    const described = head && describeHeader(head, member, last)
    last = described?.template
    yield described ? { ...entry, header: described } : entry
  }
  if (!headers) return
  form.length = position.length
  form.end = position.length - position.endOfEntry
}

// The oldest tars mark directories only with a slash.
const isDirectory = ({ type, name, size }: Header): boolean =>
  type === 'directory' || (type === 'file' && size === 0 && name.endsWith('/'))

/** The path that a hard link names, if it is one of this tar. */
function targetOf({ linkname, pax }: Header): string {
  const isDecoded = (pax as Record<string, string> | null)?.linkpath !== undefined
  const name = isDecoded ? linkname : decodeName(linkname ?? '').name
  return (name ?? '').replace(/^(?:\.\/+)+/, '')
}

const isFile = ({ type }: Header): boolean => type === 'file' || type === 'contiguous-file'

function checkExtendedHeader({ name, linkname, pax }: Header, limits: Limits): void {
  const texts = [name, linkname ?? '', ...Object.entries(pax ?? {}).flat()]
  const bytes = texts.reduce((sum: number, text) => sum + Buffer.byteLength(String(text)), 0)
  if (bytes > limits.header) {
    const message = `an extended header of ${bytes} bytes; at most ${limits.header} are read`
    const limit = { allowed: limits.header, found: bytes }
    throw new ArchiveError('limit-header', message).over(limit)
  }
}

function noteForm(form: ArchiveForm, header: Header): void {
  form.prefix ??= header.name.startsWith('./') ? './' : ''
  form.directories ||= header.type === 'directory'
  if (header.pax) form.dialect = 'pax'
}
