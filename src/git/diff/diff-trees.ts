import type { ObjectStore } from '../objects/object-store.ts'
import { isBroken } from '../parse/git-object.ts'
import { isSubmodule } from '../parse/parse-tree.ts'
import { compareTrees } from './compare-trees.ts'
import { createLineDiffer, type LineDiffer } from './diff-lines.ts'
import { groupIntoHunks, type Hunk } from './hunks.ts'
import type { Change, FileState, RawChange } from './pair-renames.ts'
import { isText, splitLines, type TextLines } from './text-lines.ts'

/** How the content of a file changed between two trees. */
export interface FilePatch {
  /** A changed type (status T) is shown as a deletion and an addition. */
  readonly change: Change
  /** False if Git would say that binary files differ; it then has no hunks. */
  readonly isText: boolean
  /** Lines that were inserted and deleted. */
  readonly inserted: number
  readonly deleted: number
  /** Bytes of the two versions; 0 without one. */
  readonly sizes: readonly [before: number, after: number]
  readonly hunks: Iterable<Hunk>
  /** A version is missing, damaged or too large: nothing more is known. Only with `keepBroken`. */
  readonly isBroken?: true
}

export interface DiffOptions {
  /** Unchanged lines around a change, 3 by default. */
  context?: number | undefined
  /** Go on after a file that cannot be read, with a patch that says so. */
  keepBroken?: boolean | undefined
}

interface PatchOptions extends DiffOptions {
  /** Bytes of a file that is compared as text, 32 MiB by default. */
  largest?: number
}

// Larger files are not read as text; Git's limit is 512 MiB.
const LARGEST_TEXT = 32 * 2 ** 20
const CONTEXT = 3

/**
 * Compares two trees, and the contents of the files that differ, in the order of paths. `undefined` is an empty tree. Only
 * the current file is in memory: read a patch before the next one. Files of more than 32 MiB count as binary.
 *
 * @throws `git-too-large` if too many files differ; `git-object-missing` or `git-object-damaged`, also for a file
 * @example
 * const format = createPatchFormatter(repository.objects)
 * for await (const file of diffTrees(repository.objects, base, head)) {
 *   for (const bytes of format(file)) stream.write(bytes)
 * }
 */
export async function* diffTrees(
  objects: ObjectStore,
  before: string | undefined,
  after: string | undefined,
  options: DiffOptions = {},
): AsyncGenerator<FilePatch> {
  yield* diffTreesWith(createLineDiffer(), objects, before, after, options)
}

/** The same with a comparison that is made already. */
export function* diffTreesWith(
  differ: LineDiffer,
  objects: ObjectStore,
  before: string | undefined,
  after: string | undefined,
  options: DiffOptions = {},
): Generator<FilePatch> {
  for (const change of compareTrees(objects, before, after)) {
    yield* diffChange(differ, objects, change, options)
  }
}

/** Compares the contents of one file that differs; a changed type is a deletion and an addition. Throws as `diffTrees`. */
export function* diffChange(
  differ: LineDiffer,
  objects: ObjectStore,
  change: RawChange,
  options: PatchOptions = {},
): Generator<FilePatch> {
  for (const part of partsOf(change)) yield readPatch(objects, part, differ, options)
}

/** The patch of a file; of one that cannot be read, a patch that says so if it is wanted. */
function readPatch(...given: Parameters<typeof patchOf>): FilePatch {
  const [, change, , { keepBroken }] = given
  try {
    return patchOf(...given)
  } catch (error) {
    if (!keepBroken || !isBroken(error)) throw error
    const none = { sizes: [0, 0], inserted: 0, deleted: 0, hunks: [] } as const
    return { change, isText: false, isBroken: true, ...none }
  }
}

/** As in Git, a file that becomes a link is deleted, and the link added. */
const partsOf = (change: RawChange): Change[] =>
  change.status === 'T'
    ? [
        { ...change, status: 'D', after: undefined },
        { ...change, status: 'A', before: undefined },
      ]
    : [change]

function patchOf(
  objects: ObjectStore,
  change: Change,
  differ: LineDiffer,
  { context = CONTEXT, largest = LARGEST_TEXT }: PatchOptions,
): FilePatch {
  const { before, after } = change
  const sizes = [sizeOf(objects, before), sizeOf(objects, after)] as const
  const none = { change, sizes, isText: true, inserted: 0, deleted: 0, hunks: [] }
  if (before?.oid === after?.oid) return none
  if (Math.max(...sizes) > largest) return { ...none, isText: false }
  const [old, now] = [readVersion(objects, before), readVersion(objects, after)]
  if (!isText(old) || !isText(now)) return { ...none, isText: false }
  const [one, other]: TextLines[] = [splitLines(old), splitLines(now)]
  const changes = differ(one as TextLines, other as TextLines)
  let [inserted, deleted] = [0, 0]
  for (const { oldStart, oldEnd, newStart, newEnd } of changes) {
    deleted += oldEnd - oldStart
    inserted += newEnd - newStart
  }
  const hunks = {
    [Symbol.iterator]: () => groupIntoHunks(one as TextLines, other as TextLines, changes, context),
  }
  return { ...none, inserted, deleted, hunks }
}

const NOTHING = Buffer.alloc(0)

const sizeOf = (objects: ObjectStore, file: FileState | undefined): number =>
  file && !isSubmodule(file) ? objects.sizeOf(file.oid) : 0

/** The content of a file; of a submodule, the text that Git shows for it. */
export function readVersion(objects: ObjectStore, file: FileState | undefined): Buffer {
  if (file === undefined) return NOTHING
  if (isSubmodule(file)) return Buffer.from(`Subproject commit ${file.oid}\n`)
  return objects.read(file.oid).content
}
