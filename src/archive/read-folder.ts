import { createReadStream } from 'node:fs'
import { lstat, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Bytes } from '../streams.ts'
import type { ArchiveEntry, ReadOptions } from './entry.ts'
import { resolveLimits } from './limits.ts'
import { normalisePath } from './normalise-path.ts'
import { stripTopFolder } from './strip-top-folder.ts'

/** Streams an unpacked archive: the files below `folder` in the order of their paths, links left out. */
export function readFolder(
  folder: string,
  options: ReadOptions = {},
): AsyncGenerator<ArchiveEntry> {
  if (options.form) Object.assign(options.form, { container: 'folder', prefix: '' })
  return stripTopFolder(walk(folder, '', options), options.form)
}

async function* walk(
  root: string,
  path: string,
  options: ReadOptions,
): AsyncGenerator<ArchiveEntry> {
  const limits = resolveLimits(options.limits)
  const names = await readdir(join(root, path))
  for (const name of names.sort()) {
    options.signal?.throwIfAborted()
    const inner = path === '' ? name : `${path}/${name}`
    const file = join(root, inner)
    const stats = await lstat(file)
    const modifiedAt = stats.mtime
    const mode = stats.mode & 0o777
    if (stats.isDirectory()) {
      const path = normalisePath(inner, true, limits)
      yield { path, size: 0, modifiedAt, mode, content: contentOf() }
      yield* walk(root, inner, options)
    } else if (stats.isFile()) {
      const path = normalisePath(inner, false, limits)
      yield { path, size: stats.size, modifiedAt, mode, content: contentOf(file) }
    } else {
      const message = 'what is neither a file nor a directory was left out'
      options.report?.({ code: 'entry-type', place: { entry: inner }, message })
    }
  }
}

/** Opens the file when it is read, not before. */
async function* contentOf(file?: string): AsyncGenerator<Uint8Array> {
  if (file !== undefined) yield* createReadStream(file, { highWaterMark: 256 * 1024 })
}
