import { createHash } from 'node:crypto'
import type { FilePatch } from '../../git/diff/diff-trees.ts'
import type { GitData } from '../../git/open-git.ts'
import { type Changes, compareFiles } from '../../reading/git/changes.ts'
import type { HunkLine } from './hunk-lines.ts'

/** A changed file of a diff. */
export interface FileDiff {
  /** Its number in the diff, from 1. */
  readonly number: number
  readonly status: 'A' | 'D' | 'M' | 'T' | 'R'
  readonly path: string
  /** The old path, if the file was renamed. */
  readonly oldPath: string | undefined
  /** The prefix of the ids of its lines. */
  readonly anchor: string
  /** Its id on the page: the anchor, or another for a second entry with the same path. */
  readonly id: string
  readonly isText: boolean
  readonly inserted: number
  readonly deleted: number
  readonly sizes: readonly [before: number, after: number]
  /** The lines; undefined if they are not read, because there are too many. */
  readonly lines: readonly HunkLine[] | undefined
  readonly isGenerated: boolean
  /** A version of it is not in the archive, or damaged. */
  readonly isBroken: boolean
  readonly modes: readonly [before: string | undefined, after: string | undefined]
}

export interface Diff {
  /** Files, of which those beyond the ones that are compared are left out. A file whose type changed has two entries. */
  readonly files: readonly FileDiff[]
  /** The number of changed files. */
  readonly count: number
  /** There are even more. */
  readonly hasMore: boolean
  readonly inserted: number
  readonly deleted: number
}

/** Lines of a file, and of all files, that a page shows without a click. */
const LINES_OF_FILE = 400
const LINES_OF_PAGE = 3_000
const FILES_OF_PAGE = 100
/** Lines of a file on a page of its own. */
export const MOST_LINES = 20_000

/**
 * Compares two trees for a page. Throws as `changesBetween` does.
 *
 * @param only the number of the one file whose lines are wanted, however many they are
 */
export async function readDiff(
  git: GitData,
  { files: changed, hasMore }: Changes,
  only?: number,
): Promise<Diff> {
  const files: FileDiff[] = []
  let [shown, inserted, deleted] = [0, 0, 0]
  for await (const file of compareFiles(git, changed)) {
    if (!file.isCompared) break
    inserted += file.inserted
    deleted += file.deleted
    for (const patch of file.parts) {
      const number = files.length + 1
      const length = patch.inserted + patch.deleted
      const isGenerated = GENERATED.test(patch.change.path)
      const isShort = length <= LINES_OF_FILE && shown + length <= LINES_OF_PAGE
      const isRead =
        only === undefined
          ? isShort && !isGenerated && files.length < FILES_OF_PAGE
          : only === number
      const lines = isRead
        ? linesOf(patch, only === undefined ? 4 * LINES_OF_FILE : MOST_LINES)
        : undefined
      shown += lines?.length ?? 0
      const isAgain = files.at(-1)?.path === patch.change.path
      files.push(toFile(patch, number, lines, isGenerated, isAgain))
    }
  }
  return { files, count: changed.length, hasMore, inserted, deleted }
}

/** Generated files, such as lock files. */
const GENERATED =
  /(?:^|\/)(?:package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.yaml|composer\.lock|Gemfile\.lock|Cargo\.lock|poetry\.lock|Pipfile\.lock|go\.sum|flake\.lock)$|\.min\.(?:js|css)$|\.map$/i

/** The part of addresses that names a file of a diff, as on the host. */
const anchorOfFile = (path: string): string =>
  `diff-${createHash('sha256').update(path).digest('hex')}`

function toFile(
  { change, isText, inserted, deleted, sizes, ...patch }: FilePatch,
  number: number,
  lines: readonly HunkLine[] | undefined,
  isGenerated: boolean,
  isAgain: boolean,
): FileDiff {
  const { status, path, before, after } = change
  const anchor = anchorOfFile(path)
  // A file that becomes a link is deleted, and added again.
  const id = isAgain ? `${anchor}-again` : anchor
  const oldPath = before !== undefined && before.path !== path ? before.path : undefined
  return {
    number,
    status,
    path,
    oldPath,
    isText,
    inserted,
    deleted,
    sizes,
    lines,
    isGenerated,
    isBroken: patch.isBroken === true,
    anchor,
    id,
    modes: [before?.mode, after?.mode],
  }
}

const SIGNS = { context: ' ', deleted: '-', inserted: '+' } as const

function linesOf({ hunks }: FilePatch, limit: number): HunkLine[] {
  const lines: HunkLine[] = []
  for (const hunk of hunks) {
    const { oldStart, oldLines, newStart, newLines, heading } = hunk
    const text = `@@ -${oldStart},${oldLines} +${newStart},${newLines} @@ ${heading.toString('utf8')}`
    lines.push({ sign: '@', text: text.trimEnd(), old: undefined, new: undefined })
    for (const { kind, bytes, oldNumber, newNumber } of hunk.lines()) {
      const line = bytes.toString('utf8', 0, LONGEST).replace(/\r?\n$/, '')
      lines.push({ sign: SIGNS[kind], text: line, old: oldNumber, new: newNumber })
    }
    if (lines.length >= limit) break
  }
  return lines.slice(0, limit)
}

/** Bytes of a line that are read; pages show less. */
const LONGEST = 16_384
