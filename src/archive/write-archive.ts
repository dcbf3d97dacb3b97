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
} from '../check-arguments.ts'
import { ArchiveError } from '../errors.ts'
import { type ArchiveEntry, type ArchiveForm, isDirectory, nameInTar } from './entry.ts'
import { gzip as compress } from './gzip/gzip.ts'
import { checkPath } from './normalize-path.ts'
import { assertSize } from './tar/assert-size.ts'
import { createHeaderWriter } from './tar/entry-header.ts'
import { BLOCK, tarPadding } from './tar/tar-header.ts'

export interface WriteOptions {
  /** What stands before every path. The host writes `./`. */
  prefix?: './' | ''
  /** How hard to compress, 1 to 9; 0 not at all, -1 as zlib thinks fit. Default 5. */
  level?: number | undefined
  /** How many threads compress. Default: as many as there are cores. */
  threads?: number | undefined
  /** Whether to compress at all. */
  gzip?: boolean
  /** Whether directories have entries: all, those included that only paths tell of, none, or those given. */
  directories?: boolean | 'given'
  /** How long a tar is whose entries come back as they were, and how many zeros end it. Default: as GNU tar does. */
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
  ...{ prefix: oneOf('./', ''), level: aLevel, gzip: aFlag, form: anObject },
  threads: someThreads,
  directories: anyOf('true, false or given', aFlag, oneOf('given')),
}

// Tapes were written in records of twenty blocks, and GNU tar still does.
const RECORD = 20 * BLOCK

/**
 * The bytes of a tar.gz with these entries in their order; the same entries make the same bytes.
 * Modes become 0755 or 0644, owners git, but for entries with a `header` of their own. The inverse of `readArchive`.
 * Throws `ArchiveError`: `path-hostile`, `content-size` where content is not as long as its entry says,
 * `content-not-bytes`; and at once `option-invalid`.
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

/** The same entries, named as in the tar; their content throws unless it has its announced size. */
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

/** Every directory once and before what is in it; with a prefix, `./` first. */
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

/** The directories on the way to a path, itself included if it is one: `./`, `./a/`, `./a/b/`. */
function directoriesOf(path: string): string[] {
  const parts = path.split('/').slice(0, -1)
  return parts.map((_, i) => `${parts.slice(0, i + 1).join('/')}/`)
}
