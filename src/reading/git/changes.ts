import { setImmediate } from 'node:timers/promises'
import { changedFiles, compareTrees } from '../../git/diff/compare-trees.ts'
import { createLineDiffer } from '../../git/diff/diff-lines.ts'
import { diffChange, type FilePatch } from '../../git/diff/diff-trees.ts'
import type { RawChange } from '../../git/diff/pair-renames.ts'
import { type GitData, keep } from '../../git/open-git.ts'
import type { Commit } from '../../git/parse/parse-commit.ts'
import { findCommit } from './revisions.ts'

/** The files that differ between two trees. */
export interface Changes {
  /** By path. A renamed file is one, and so is one whose type changed. */
  readonly files: readonly RawChange[]
  /** There are more, which are not listed; among so many, renames are not looked for. */
  readonly hasMore: boolean
}

/** Files that are listed, as on the host. */
const MOST_FILES = 3_000

/** Comparisons that are kept, because pages of one list ask for them again. */
const remember = keep<Changes>(8)

/**
 * The files that differ between two trees; undefined is an empty tree.
 *
 * @throws `git-object-missing`, `git-object-damaged` or `git-too-large`
 */
export function changesBetween(git: GitData, before: string | undefined, after: string): Changes {
  return remember(git, `${before} ${after}`, () => {
    // To find renames takes all files.
    const first = changedFiles(git.objects, before, after)
      .take(MOST_FILES + 1)
      .toArray()
    const hasMore = first.length > MOST_FILES
    const files = hasMore
      ? first.slice(0, MOST_FILES)
      : compareTrees(git.objects, before, after).toArray()
    return { files, hasMore }
  })
}

/**
 * The files that a commit changed: those that differ from its first parent, or from nothing.
 *
 * @returns undefined if the parent is not there: then nobody knows
 * @throws as `changesBetween` does
 */
export function changesOf(git: GitData, { parents: [parent], tree }: Commit): Changes | undefined {
  if (parent === undefined) return changesBetween(git, undefined, tree)
  const before = findCommit(git, parent)
  return before && changesBetween(git, before.tree, tree)
}

/** What happened to one file, and its lines. */
export interface FileChange {
  readonly change: RawChange
  /** Its patch, or two of a file whose type changed: it is deleted, and added again. Hunks are read from the current one only. */
  readonly parts: readonly FilePatch[]
  readonly inserted: number
  readonly deleted: number
  /** False if the files before it are as much as is compared at once: then it has no parts. */
  readonly isCompared: boolean
}

/** Files whose lines are compared at once, and bytes of both versions. */
const MOST_COMPARED = 300
const MOST_BYTES = 64 * 2 ** 20

/** Steps that comparing the lines of one file may take: nothing else runs meanwhile. */
const MOST_STEPS = 1e7

/**
 * Compares the lines of changed files; those beyond the first 300, or beyond 64 MiB, are yielded as they are. Other work of the
 * process runs in between. A file that cannot be read has a patch that says so.
 */
export async function* compareFiles(
  { objects }: GitData,
  files: readonly RawChange[],
): AsyncGenerator<FileChange> {
  const differ = createLineDiffer(MOST_STEPS)
  let bytes = 0
  for (const [i, change] of files.entries()) {
    const isCompared = i < MOST_COMPARED && bytes <= MOST_BYTES
    const parts = isCompared ? [...diffChange(differ, objects, change, { keepBroken: true })] : []
    let [inserted, deleted] = [0, 0]
    for (const part of parts) {
      inserted += part.inserted
      deleted += part.deleted
      bytes += part.sizes[0] + part.sizes[1]
    }
    yield { change, parts, inserted, deleted, isCompared }
    await setImmediate()
  }
}

/** Counts the lines that changed in files; undefined if not all of them are compared, or one cannot be read. */
export async function countLines(
  git: GitData,
  files: readonly RawChange[],
): Promise<{ inserted: number; deleted: number } | undefined> {
  if (files.length > MOST_COMPARED) return undefined
  const sum = { inserted: 0, deleted: 0 }
  for await (const { parts, inserted, deleted, isCompared } of compareFiles(git, files)) {
    if (!isCompared || parts.some(({ isBroken }) => isBroken)) return undefined
    sum.inserted += inserted
    sum.deleted += deleted
  }
  return sum
}
