import {
  aDate,
  aFlag,
  anObject,
  anyOf,
  aSource,
  aText,
  checkArguments,
  checkOptions,
  integerFrom,
  objectOf,
  oneOf,
  type Shape,
  type Shapes,
} from '../base/check-arguments.ts'
import { ArchiveError } from '../base/errors.ts'
import { type ArchiveEntry, type ArchiveForm, isDirectory, nameInTar } from './entry.ts'
import { createHeaderWriter } from './entry-header.ts'
import { gzip as compress } from './gzip/gzip.ts'
import { checkPath } from './normalize-path.ts'
import { assertSize } from './tar/assert-size.ts'
import { BLOCK, tarPadding } from './tar/tar-header.ts'

/** How to write an archive. */
export interface WriteOptions {
  /** The prefix of every path. Default `./`, as GitHub writes. */
  prefix?: './' | '' | undefined
  /** The compression level, 1 to 9; 0 stores, -1 is the default of zlib. Default 5. */
  level?: number | undefined
  /** The number of threads that compress. Default: all cores. */
  threads?: number | undefined
  /** Compress the tar. Default true. */
  gzip?: boolean | undefined
  /** Which directories have entries: all, including those that only paths imply, none, or those given. Default true. */
  directories?: boolean | 'given' | undefined
  /** Length of the tar and of the zeros at its end, if its entries are unchanged. Default: as GNU tar does. */
  form?: Pick<ArchiveForm, 'length' | 'end'> | undefined
}

export const aLevel: Shape = integerFrom(-1, 9)
export const someThreads: Shape = integerFrom(1, 1024)

const aSize = integerFrom(0, Number.MAX_SAFE_INTEGER)

const anEntry = objectOf(
  { path: aText, size: aSize, modifiedAt: aDate, mode: aSize, content: aSource },
  ['path', 'size', 'modifiedAt', 'mode', 'content'],
)

const WRITE_SHAPES: Shapes<WriteOptions> = {
  prefix: oneOf('./', ''),
  level: aLevel,
  gzip: aFlag,
  form: anObject,
  threads: someThreads,
  directories: anyOf('true, false or given', aFlag, oneOf('given')),
}

// GNU tar still pads to records of twenty blocks, the unit of tapes.
const RECORD = 20 * BLOCK

/**
 * Streams a tar.gz with these entries in their order. The same entries make the same bytes. Modes become 0755 or 0644 and
 * owners git, except in entries with their own `header`. The inverse of `readArchive`.
 *
 * @param entries the entries; a content must be as long as the `size` of its entry
 * @param options prefix, compression and directories
 * @returns the bytes of the archive
 * @throws `option-invalid` at once; later `path-hostile`, `content-size` or `content-not-bytes`
 * @example
 * const content = Readable.from([Buffer.from('[]')])
 * const entry = { path: 'users_000001.json', size: 2, mode: 0o644, modifiedAt: new Date(0), content }
 * await pipeline(writeArchive([entry]), createWriteStream('users.tar.gz'))
 */
export function writeArchive(
  entries: AsyncIterable<ArchiveEntry> | Iterable<ArchiveEntry>,
  options: WriteOptions = {},
): AsyncGenerator<Uint8Array> {
  checkArguments({ entries }, { entries: aSource })
  checkOptions(options, WRITE_SHAPES)
  const { prefix = './', level, threads, gzip = true, directories = true, form } = options
  const named = withNames(entries, prefix)
  const chosen = directories ? withDirectories(named) : withoutDirectories(named)
  const tar = writeTar(directories === 'given' ? named : chosen, form)
  return gzip ? compress(tar, { level, threads }) : tar
}

async function* writeTar(
  entries: AsyncIterable<ArchiveEntry>,
  form: WriteOptions['form'],
): AsyncGenerator<Uint8Array> {
  const headerOf = createHeaderWriter()
  let written = 0
  for await (const entry of entries) {
    const directory = isDirectory(entry)
    const size = directory ? 0 : entry.size
    const usual = directory || entry.mode & 0o100 ? 0o755 : 0o644
    const { path: name, modifiedAt } = entry
    const mode = entry.header ? entry.mode : usual
    const header = await headerOf(entry, { name, size, mode, modifiedAt })
    yield header
    if (!directory) yield* entry.content
    const padding = tarPadding(size)
    yield padding
    written += header.length + size + padding.length
  }
  if (form?.end !== undefined && form.length === written + form.end) {
    for (let left = form.end; left > 0; left -= RECORD) yield Buffer.alloc(Math.min(left, RECORD))
    return
  }
  const end = 2 * BLOCK
  yield Buffer.alloc(end)
  yield tarPadding(written + end, RECORD)
}

/** The entries with their names in the tar. Content throws unless it has its declared size. */
async function* withNames(
  entries: AsyncIterable<ArchiveEntry> | Iterable<ArchiveEntry>,
  prefix: string,
): AsyncGenerator<ArchiveEntry> {
  for await (const entry of entries) {
    checkArguments({ entry }, { entry: anEntry })
    const { path, size } = entry
    const name = nameInTar(checkPath(path), prefix)
    if (size !== 0 && isDirectory({ ...entry, path: name })) {
      throw new ArchiveError('content-size', 'a directory has no content', { entry: path })
    }
    const content = assertSize(entry.content, size, { entry: path })
    yield { ...entry, path: name, content }
  }
}

/** Adds every directory once, before its entries; with a prefix, `./` first. */
async function* withDirectories(
  entries: AsyncIterable<ArchiveEntry>,
): AsyncGenerator<ArchiveEntry> {
  const known = new Set<string>()
  for await (const entry of entries) {
    for (const path of directoriesOf(entry.path)) {
      if (known.has(path)) continue
      known.add(path)
      yield path === entry.path ? entry : { ...entry, path, header: undefined }
    }
    if (!isDirectory(entry)) yield entry
  }
}

async function* withoutDirectories(
  entries: AsyncIterable<ArchiveEntry>,
): AsyncGenerator<ArchiveEntry> {
  for await (const entry of entries) if (!isDirectory(entry)) yield entry
}

/** The directories of a path, including itself if it is one: `./`, `./a/`, `./a/b/`. */
function directoriesOf(path: string): string[] {
  const parts = path.split('/').slice(0, -1)
  return parts.map((_, i) => `${parts.slice(0, i + 1).join('/')}/`)
}
