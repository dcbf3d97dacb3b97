import { changedFiles } from '../../git/diff/compare-trees.ts'
import { createLineDiffer } from '../../git/diff/diff-lines.ts'
import { diffTreesWith, type FilePatch } from '../../git/diff/diff-trees.ts'
import { formatMail } from '../../git/diff/format-mail.ts'
import { createPatchFormatter } from '../../git/diff/format-patch.ts'
import type { ObjectStore } from '../../git/objects/object-store.ts'
import { isBroken } from '../../git/parse/git-object.ts'
import { type Commit, parseCommit } from '../../git/parse/parse-commit.ts'

/** A patch to be written. */
export type PatchJob =
  /** The differences between two trees; undefined is an empty tree. */
  | { readonly kind: 'diff'; readonly before: string | undefined; readonly after: string }
  /** These commits as mails for `git am`. */
  | { readonly kind: 'mails'; readonly commits: readonly string[] }

/** Writes a patch piece by piece. A file that cannot be read has a patch that says so. */
export function* writePatches(objects: ObjectStore, job: PatchJob): Generator<Buffer> {
  const differ = createLineDiffer()
  const filesOf = (before: string | undefined, after: string): Iterable<FilePatch> =>
    diffTreesWith(differ, objects, before, after, { keepBroken: true })
  if (job.kind === 'diff') {
    const format = createPatchFormatter(objects)
    for (const file of filesOf(job.before, job.after)) yield* format(file)
    return
  }
  const format = createPatchFormatter(objects, { binary: true })
  const total = job.commits.length
  for (const [i, oid] of job.commits.entries()) {
    const commit = readCommit(objects, oid)
    const before = parentTree(objects, commit)
    const files = () => filesOf(before, commit.tree)
    yield* formatMail(commit, { number: i + 1, total }, files, format)
  }
}

const readCommit = (objects: ObjectStore, oid: string): Commit =>
  parseCommit(objects.read(oid), objects)

/** The tree before a commit; the first one has none, nor has one whose parent is not in the archive. */
function parentTree(objects: ObjectStore, { parents: [parent] }: Commit): string | undefined {
  return parent === undefined || !objects.has(parent) ? undefined : readCommit(objects, parent).tree
}

/** Files, and bytes of them, that are compared in no time. */
const FEW_FILES = 100
const FEW_BYTES = 16 * 2 ** 10

/** Whether a patch is written in a few milliseconds, so that other requests need not wait for it. */
export function isSmall(objects: ObjectStore, job: PatchJob): boolean {
  let [files, bytes] = [0, 0]
  const sizeOf = (oid: string | undefined) =>
    oid === undefined || !objects.has(oid) ? 0 : objects.sizeOf(oid)
  try {
    for (const [before, after] of treesOf(objects, job)) {
      for (const change of changedFiles(objects, before, after)) {
        bytes += sizeOf(change.before?.oid) + sizeOf(change.after?.oid)
        if (++files > FEW_FILES || bytes > FEW_BYTES) return false
      }
    }
    return true
  } catch (error) {
    if (isBroken(error)) return true
    throw error
  }
}

function* treesOf(
  objects: ObjectStore,
  job: PatchJob,
): Generator<readonly [string | undefined, string]> {
  if (job.kind === 'diff') yield [job.before, job.after]
  else {
    for (const oid of job.commits) {
      const commit = readCommit(objects, oid)
      yield [parentTree(objects, commit), commit.tree]
    }
  }
}
