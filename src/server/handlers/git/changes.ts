import { setImmediate } from 'node:timers/promises'
import { changedFiles, compareTrees } from '../../../git/diff/compare-trees.ts'
import { createLineDiffer } from '../../../git/diff/diff-lines.ts'
import type { RawChange } from '../../../git/diff/pair-renames.ts'
import type { Commit } from '../../../git/parse/parse-commit.ts'
import { createLruCache } from '../../../lru-cache.ts'
import type { JsonObject } from '../../../records/json/json.ts'
import type { GitRepository } from '../../catalog/git-data.ts'
import type { Repository } from '../../catalog/repositories.ts'
import type { RequestContext } from '../../request-context.ts'
import { createFileDescriber } from '../../resources/changed-files.ts'
import { findCommit } from '../../resources/git-objects.ts'
import { renderingOf } from '../find-in-path.ts'

/** Changed files that are known, as on the host. */
const MOST_FILES = 3000

/** Comparisons that are kept, which pages of one list ask for again. */
const MOST_KEPT = 8
const kept = new WeakMap<
  GitRepository,
  ReturnType<typeof createLruCache<string, readonly RawChange[]>>
>()

/** The files that differ between two trees, by path; undefined is an empty tree. */
export function changesBetween(
  git: GitRepository,
  before: string | undefined,
  after: string,
): readonly RawChange[] {
  const ofRepository = kept.get(git) ?? createLruCache<string, readonly RawChange[]>(MOST_KEPT)
  kept.set(git, ofRepository)
  const key = `${before} ${after}`
  const known = ofRepository.get(key)
  if (known) return known
  // With more files, renames are not detected: that would take all files.
  const first = changedFiles(git.objects, before, after)
    .take(MOST_FILES + 1)
    .toArray()
  const changes =
    first.length > MOST_FILES
      ? first.slice(0, MOST_FILES)
      : compareTrees(git.objects, before, after).toArray()
  ofRepository.set(key, changes)
  return changes
}

/** The changes of a commit: against its first parent, or an empty tree. */
export function changesOf(git: GitRepository, { parents: [parent], tree }: Commit) {
  const before = parent === undefined ? undefined : findCommit(git, parent)?.tree
  return changesBetween(git, before, tree)
}

/** Steps that comparing the lines of one file may take: other requests wait for it. */
const MOST_STEPS = 1e7

/** Describes changed files one after the other, so that other requests run in between. */
export async function describeChanges(
  context: RequestContext,
  repository: Repository,
  { objects }: GitRepository,
  changes: readonly RawChange[],
  head: string,
): Promise<JsonObject[]> {
  const differ = createLineDiffer(MOST_STEPS)
  const describe = createFileDescriber(renderingOf(context), repository, objects, differ)
  const files: JsonObject[] = []
  for (const change of changes) {
    files.push(describe(change, head))
    await setImmediate()
  }
  return files
}
