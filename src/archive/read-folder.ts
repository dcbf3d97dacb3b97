import { lstatSync, readFileSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { aPath, checkArguments, checkOptions } from '../base/check-arguments.ts'
import { throwIfInterrupted } from '../base/errors.ts'
import { resolveLimits } from '../base/limits.ts'
import { asBytes } from '../base/streams.ts'
import { compareTexts } from '../base/text.ts'
import { type ArchiveEntry, READ_SHAPES, type ReadOptions } from './entry.ts'
import { refuseForeignSources } from './foreign-source.ts'
import { normalizePath } from './normalize-path.ts'
import { fromFileSystem, readFileStream } from './read-file-stream.ts'
import { stripTopFolder } from './strip-top-folder.ts'

/**
 * Streams an unpacked archive: the files below `folder` in the order of their paths. Links are skipped and reported.
 *
 * @param folder the path of the folder
 * @param options limits and reports
 * @returns the entries
 * @throws `archive-not-found`, `archive-unreadable`, `source-unsupported`, `path-hostile`, `limit-…`, `interrupted` or `option-invalid`
 * @example
 * for await (const { path, size } of readFolder('unpacked')) total += size
 */
export function readFolder(
  folder: string,
  options: ReadOptions = {},
): AsyncGenerator<ArchiveEntry> {
  checkArguments({ folder }, { folder: aPath })
  checkOptions(options, READ_SHAPES)
  if (options.form) Object.assign(options.form, { container: 'folder', prefix: '' })
  return stripTopFolder(refuseForeignSources(walkFolder(folder, options)), options.form)
}

/** The files below a folder whatever they are, with their paths in it. */
export async function* walkFolder(
  root: string,
  options: ReadOptions,
  path = '',
): AsyncGenerator<ArchiveEntry> {
  const limits = resolveLimits(options.limits)
  const refuse = (error: unknown) => {
    throw fromFileSystem(error, root)
  }
  const names = await readdir(join(root, path)).catch(refuse)
  for (const name of inOrder(names)) {
    throwIfInterrupted(options.signal)
    const inner = path === '' ? name : `${path}/${name}`
    const file = join(root, inner)
    const stats = attempt(() => lstatSync(file), file)
    const modifiedAt = stats.mtime
    const mode = stats.mode & 0o777
    if (stats.isDirectory()) {
      const path = normalizePath(inner, true, limits)
      yield { path, size: 0, modifiedAt, mode, content: asBytes([]) }
      yield* walkFolder(root, options, inner)
    } else if (stats.isFile()) {
      const path = normalizePath(inner, false, limits)
      // A file that is said to be empty may be one of the system, with any number of bytes.
      const isSmall = stats.size > 0 && stats.size <= SMALL
      const content = isSmall ? readSmall(file) : readFileStream(file)
      yield { path, size: stats.size, modifiedAt, mode, content }
    } else {
      const what = stats.isSymbolicLink() ? 'a symbolic link' : 'neither a file nor a directory'
      const message = `${what}; it was skipped`
      options.report?.({ code: 'entry-type', place: { entry: inner }, message })
    }
  }
}

/**
 * Files of at most this size are read at once, and without a thread: handing a file of some KB to one, and back, takes ten
 * times as long as reading it.
 */
const SMALL = 256 * 1024

/** The content of a small file, which is opened when it is requested. */
async function* readSmall(file: string): AsyncGenerator<Uint8Array> {
  yield attempt(() => readFileSync(file), file)
}

function attempt<T>(read: () => T, path: string): T {
  try {
    return read()
  } catch (error) {
    throw fromFileSystem(error, path)
  }
}

/** Compares names with their numbers: 9 before 10. */
function inOrder(names: readonly string[]): string[] {
  const keyed = names.map((name) => {
    const key = name.replace(/\d+/g, (digits) => digits.padStart(20, '0'))
    return { name, key }
  })
  return keyed
    .sort((a, b) => compareTexts(a.key, b.key) || compareTexts(a.name, b.name))
    .map(({ name }) => name)
}
