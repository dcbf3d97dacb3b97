import { isBroken } from '../../../git/parse/git-object.ts'
import { languagesOf } from '../../../reading/git/languages.ts'
import { defaultRevision, openReadableGit } from '../../../reading/git/repository-git.ts'
import { findCommit } from '../../../reading/git/revisions.ts'
import type { IndexedRepository } from '../../../reading/repositories.ts'
import type { Handler } from '../../request-context.ts'
import { inRepository } from '../find-in-path.ts'

/** Bytes of code by language, the most used first; nothing without Git data. */
export const languages: Handler = inRepository(async (_, repository) => {
  const { git, tree } = openDefaultTree(repository)
  const found = git && tree !== undefined ? await languagesOf(git, tree) : []
  return { status: 200, body: Object.fromEntries(found.map(({ name, bytes }) => [name, bytes])) }
})

/** The tree of the default branch. Damaged Git data have none: an importer that asks for languages goes on without them. */
function openDefaultTree(repository: IndexedRepository) {
  try {
    const git = openReadableGit(repository)
    const revision = git && defaultRevision(repository, git)
    return { git, tree: revision && findCommit(git, revision.oid)?.tree }
  } catch (error) {
    if (isBroken(error)) return {}
    throw error
  }
}
