import type { Database } from '../../database/open-database.ts'
import { ArchiveError } from '../../errors.ts'
import { openGitFs } from '../open-git-fs.ts'
import type { Repository } from '../open-repository.ts'

/**
 * The best common ancestors of several revisions, as `git merge-base --all` finds them for two; none if their histories
 * have nothing in common. isomorphic-git finds them and holds the visited commits, some 1 KiB each.
 *
 * @throws `git-revision-not-found`, `git-object-missing`, `git-object-damaged` or `git-too-large`
 */
export async function findMergeBases(
  database: Database,
  { name, resolve }: Repository,
  revisions: readonly string[],
): Promise<string[]> {
  const oids = revisions.map((revision) => resolve(revision, 'commit'))
  const { default: git } = await import('isomorphic-git')
  try {
    return (await git.findMergeBase({ ...openGitFs(database, name), oids })).toSorted()
  } catch (error) {
    if (error instanceof git.Errors.NotFoundError) {
      const message = `there is no object ${error.data.what}`
      throw new ArchiveError('git-object-missing', message, { entry: name }, error)
    }
    throw error
  }
}
