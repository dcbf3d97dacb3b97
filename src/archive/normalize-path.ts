import { ArchiveError } from '../base/errors.ts'
import type { Limits } from '../base/limits.ts'

/**
 * The normalized path of an entry: relative, without leading `./`, with one trailing `/` if it is a directory, and empty
 * for the root. Throws `path-hostile`, `limit-path` or `limit-parts`.
 */
export function normalizePath(name: string, isDirectory: boolean, limits: Limits): string {
  const bytes = Buffer.byteLength(name)
  if (bytes > limits.path) {
    const message = `a path of ${bytes} bytes; at most ${limits.path} are read`
    throw new ArchiveError('limit-path', message).over({ allowed: limits.path, found: bytes })
  }
  const parts = name.split('/').filter((part) => part !== '' && part !== '.')
  if (parts.length > limits.parts) {
    const message = `a path of ${parts.length} parts; at most ${limits.parts} are read`
    const limit = { allowed: limits.parts, found: parts.length }
    throw new ArchiveError('limit-parts', message).over(limit)
  }
  const path = checkPath(parts.join('/'), checkPath(name))
  if (path === '' && !isDirectory) throw refuse(name, 'names no file')
  return isDirectory && path !== '' ? `${path}/` : path
}

/** The same path. Throws `path-hostile` with the entry's `name` if it leads out of the archive. */
export function checkPath(path: string, name = path): string {
  if (path.includes('\0')) throw refuse(name, 'holds a NUL')
  if (/^[/\\]/.test(path)) throw refuse(name, 'is absolute')
  if (/^[A-Za-z]:/.test(path)) throw refuse(name, 'names a drive')
  // A backslash is an ordinary character here, but a separator on Windows.
  if (path.split(/[/\\]/).includes('..')) throw refuse(name, 'leads out of the archive')
  return path
}

const refuse = (name: string, reason: string) =>
  new ArchiveError('path-hostile', `the path ${JSON.stringify(name)} ${reason}`)
