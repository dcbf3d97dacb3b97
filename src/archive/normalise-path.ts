import { ArchiveError } from '../errors.ts'
import type { Limits } from './limits.ts'

/**
 * The path of an entry in its one form: relative, without leading `./`, a directory's with one `/` at its
 * end; empty for the archive's root itself. Throws `path-hostile`, `limit-path` or `limit-parts`.
 */
export function normalisePath(name: string, isDirectory: boolean, limits: Limits): string {
  const bytes = Buffer.byteLength(name)
  if (bytes > limits.path) {
    throw new ArchiveError(
      'limit-path',
      `a path of ${bytes} bytes; at most ${limits.path} are read`,
    )
  }
  const refuse = (reason: string) =>
    new ArchiveError('path-hostile', `the path ${JSON.stringify(name)} ${reason}`)
  if (name.includes('\0')) throw refuse('holds a NUL')
  if (/^[/\\]/.test(name)) throw refuse('is absolute')
  if (/^[A-Za-z]:/.test(name)) throw refuse('names a drive')
  const parts = name.split('/').filter((part) => part !== '' && part !== '.')
  if (parts.length > limits.parts) {
    throw new ArchiveError(
      'limit-parts',
      `a path of ${parts.length} parts; at most ${limits.parts} are read`,
    )
  }
  // A backslash is an ordinary character here, but files may be written out where it is not.
  if (name.split(/[/\\]/).includes('..')) throw refuse('leads out of the archive')
  const path = parts.join('/')
  return isDirectory && path !== '' ? `${path}/` : path
}
