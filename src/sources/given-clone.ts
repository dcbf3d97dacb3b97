import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { ArchiveEntry } from '../archive/entry.ts'
import { walkFolder } from '../archive/read-folder.ts'
import { ArchiveError } from '../base/errors.ts'
import type { Clone } from './clone.ts'
import type { SourceReading } from './source.ts'

/** A clone that was given beside the source. */
export interface GivenClone {
  /** Whether it has a work tree: then only what is in `.git` belongs to Git. */
  readonly hasWorkTree: boolean
  /** The entries of its objects. Its refs are noted for `finish`. Throws `git-unsupported` for a part of a clone. */
  carryTo(clone: Clone): AsyncGenerator<ArchiveEntry>
}

/**
 * The clone that the option `repoGit` names; undefined without it.
 *
 * @throws `source-unsupported` for a folder that is no clone, `option-invalid` if the source has Git data itself
 */
export async function findGivenClone(
  { limits, signal, options: { repoGit } }: SourceReading,
  hasOwn: boolean,
): Promise<GivenClone | undefined> {
  if (repoGit === undefined) return undefined
  if (hasOwn) {
    const message = 'repoGit: the source has Git data of its own'
    throw new ArchiveError('option-invalid', message).about('repoGit')
  }
  const hasWorkTree = await isFolder(join(repoGit, '.git'))
  const git = hasWorkTree ? join(repoGit, '.git') : repoGit
  if (!(await isFolder(join(git, 'objects')))) {
    const message = 'expected the folder of a clone, with .git or objects in it'
    throw new ArchiveError('source-unsupported', message, { archive: repoGit })
  }
  return {
    hasWorkTree,
    async *carryTo(clone) {
      for await (const entry of walkFolder(git, { limits, signal })) {
        if (entry.path.endsWith('/')) continue
        const carried = await clone.add(entry, entry.path)
        if (carried) yield carried
      }
    },
  }
}

const isFolder = async (path: string): Promise<boolean> =>
  (await stat(path).catch(() => undefined))?.isDirectory() ?? false
