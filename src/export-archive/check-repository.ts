import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ArchiveError, type ErrorCode } from '../errors.ts'

/**
 * Throws unless the directory is a bare Git repository that can be copied file by file: `git-directory`,
 * `git-incomplete` if some of its objects are elsewhere, `git-unsupported` if others store it differently.
 */
export async function checkRepository(directory: string): Promise<void> {
  const refuse = (code: ErrorCode, message: string) => {
    throw new ArchiveError(code, message, { archive: directory })
  }
  const there = await readdir(directory).catch((error: Error) => {
    throw new ArchiveError('git-directory', error.message, { archive: directory }, error)
  })
  for (const name of ['HEAD', 'objects', 'refs']) {
    if (!there.includes(name)) refuse('git-directory', `it is no bare repository: no ${name}`)
  }
  if (there.includes('commondir')) refuse('git-directory', 'it is a worktree of another repository')
  if (there.includes('shallow')) refuse('git-incomplete', 'it is shallow: history is cut off')
  if (there.includes('reftable')) refuse('git-unsupported', 'its refs are in a reftable')
  const alternates = await textOf(join(directory, 'objects/info/alternates'))
  if (/^(?!#|$)/m.test(alternates.trim())) {
    refuse('git-incomplete', 'it takes objects from another repository (objects/info/alternates)')
  }
  const packs = await readdir(join(directory, 'objects/pack')).catch(() => [])
  if (packs.some((name) => name.endsWith('.promisor'))) {
    refuse('git-incomplete', 'it is a partial clone: some objects were never fetched')
  }
  if (/^\s*objectformat\s*=\s*(?!sha1\b)/im.test(await textOf(join(directory, 'config')))) {
    refuse('git-unsupported', 'its object ids are not SHA-1')
  }
}

const textOf = (path: string): Promise<string> => readFile(path, 'utf8').catch(() => '')
