import { countLanguages, type Language } from '../../../git/history/count-languages.ts'
import { isBroken } from '../../../git/objects/git-object.ts'
import type { GitRepository } from '../../catalog/git-data.ts'
import type { Repository } from '../../catalog/repositories.ts'
import type { Handler, RequestContext } from '../../request-context.ts'
import { inRepository, readerOf } from '../find-in-path.ts'
import { defaultBranch } from './commits.ts'
import { resolveName } from './git-request.ts'

/** The most entries of the tree that are looked at. */
const MOST_ENTRIES = 100_000

const counted = new WeakMap<
  GitRepository,
  { readonly tree: string; readonly counting: Promise<Language[]> }
>()

/** Bytes of code by language, the most used first; nothing without Git data. */
export const languages: Handler = inRepository(async (context, repository) => {
  const { git, tree } = openDefaultTree(context, repository)
  if (!git || tree === undefined) return { status: 200, body: {} }
  const known = counted.get(git)
  const counting =
    known?.tree === tree ? known.counting : countLanguages(git.objects, tree, MOST_ENTRIES)
  counted.set(git, { tree, counting })
  // A database that is locked for a moment is asked again.
  counting.catch(() => counted.delete(git))
  const body = Object.fromEntries((await counting).map(({ name, bytes }) => [name, bytes]))
  return { status: 200, body }
})

/** The tree of the default branch. Damaged Git data have none: an importer that asks for languages goes on without them. */
function openDefaultTree(context: RequestContext, repository: Repository) {
  try {
    const git = readerOf(context).git.open(repository)
    return { git, tree: git && resolveName(git, defaultBranch(context, repository), 'tree') }
  } catch (error) {
    if (isBroken(error)) return {}
    throw error
  }
}
