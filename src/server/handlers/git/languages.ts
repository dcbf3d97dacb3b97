import { setImmediate } from 'node:timers/promises'
import { walkTree } from '../../../git/history/walk-tree.ts'
import { isBroken } from '../../../git/objects/git-object.ts'
import { isFolder, isLink, isSubmodule } from '../../../git/parse/parse-tree.ts'
import type { GitRepository } from '../../catalog/git-data.ts'
import type { Repository } from '../../catalog/repositories.ts'
import type { Handler, RequestContext } from '../../request-context.ts'
import { sizeOf } from '../../resources/git-objects.ts'
import { languageOf } from '../../resources/languages.ts'
import { inRepository, readerOf } from '../find-in-path.ts'
import { defaultBranch } from './commits.ts'
import { resolveName } from './git-request.ts'

type Languages = Readonly<Record<string, number>>

/** The most files that are looked at. */
const MOST_FILES = 100_000

/** Files after which other requests may run. */
const TURN = 500

const counted = new WeakMap<
  GitRepository,
  { readonly tree: string; readonly sum: Promise<Languages> }
>()

/** Bytes of code by language, the most used first; nothing without Git data. */
export const languages: Handler = inRepository(async (context, repository) => {
  const { git, tree } = openDefaultTree(context, repository)
  if (!git || tree === undefined) return { status: 200, body: {} }
  const known = counted.get(git)
  const sum = known?.tree === tree ? known.sum : countLanguages(git, tree)
  counted.set(git, { tree, sum })
  return { status: 200, body: { ...(await sum) } }
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

async function countLanguages(git: GitRepository, tree: string): Promise<Languages> {
  const sums = new Map<string, number>()
  let seen = 0
  try {
    for (const entry of walkTree(git.objects, tree)) {
      if (++seen > MOST_FILES) break
      if (seen % TURN === 0) await setImmediate()
      if (isFolder(entry) || isLink(entry) || isSubmodule(entry)) continue
      const language = languageOf(entry.path)
      if (language !== undefined) {
        sums.set(language, (sums.get(language) ?? 0) + sizeOf(git, entry.oid))
      }
    }
  } catch (error) {
    // The count up to the damage is the best answer possible.
    if (!isBroken(error)) throw error
  }
  const sorted = [...sums]
    .filter(([, bytes]) => bytes > 0)
    .sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))
  return Object.fromEntries(sorted)
}
