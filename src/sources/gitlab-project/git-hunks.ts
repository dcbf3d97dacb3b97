import { ArchiveError } from '../../base/errors.ts'
import { createLineDiffer } from '../../git/diff/diff-lines.ts'
import { groupIntoHunks } from '../../git/diff/hunks.ts'
import { isText, splitLines } from '../../git/diff/text-lines.ts'
import type { ObjectStore } from '../../git/objects/object-store.ts'
import { findEntry, partsOf } from '../../git/objects/walk-tree.ts'
import { parseCommit } from '../../git/parse/parse-commit.ts'

/** Two versions of a file. */
export interface Versions {
  /** Commits. */
  base: string
  head: string
  oldPath: string
  path: string
}

/** The lines around a change. */
const CONTEXT = 3
const SIGNS = { context: ' ', deleted: '-', inserted: '+' } as const

/**
 * Makes a function that compares two versions of a file in the Git data of a project. The result is like that of the host, from its first
 * @@ on; undefined if a version is not there or no text.
 */
export function createDiffReader(
  objects: Pick<ObjectStore, 'read'>,
): (versions: Versions) => string | undefined {
  const differ = createLineDiffer()
  // Notes on one file follow each other.
  let last: { key: string; diff: string | undefined } | undefined

  const contentOf = (commit: string, path: string): Buffer => {
    const { tree } = parseCommit(objects.read(commit), { isShallow: () => false })
    const entry = findEntry(objects, tree, partsOf(path))
    return entry ? objects.read(entry.oid).content : Buffer.alloc(0)
  }

  const compare = ({ base, head, oldPath, path }: Versions): string | undefined => {
    const [old, now] = [contentOf(base, oldPath), contentOf(head, path)]
    if (!isText(old) || !isText(now)) return undefined
    const [before, after] = [splitLines(old), splitLines(now)]
    const lines: string[] = []
    for (const hunk of groupIntoHunks(before, after, differ(before, after), CONTEXT)) {
      const { oldStart, oldLines, newStart, newLines, heading } = hunk
      const range = `@@ -${rangeOf(oldStart, oldLines)} +${rangeOf(newStart, newLines)} @@`
      lines.push(heading.length > 0 ? `${range} ${heading}` : range)
      for (const { kind, bytes } of hunk.lines()) {
        const text = bytes.toString()
        lines.push(SIGNS[kind] + text.replace(/\n$/, ''))
        if (!text.endsWith('\n')) lines.push('\\ No newline at end of file')
      }
    }
    return lines.join('\n')
  }

  return (versions) => {
    const key = JSON.stringify(versions)
    if (last?.key !== key) last = { key, diff: unlessBroken(() => compare(versions)) }
    return last.diff
  }
}

const rangeOf = (start: number, lines: number) => (lines === 1 ? start : `${start},${lines}`)

/** What cannot be read of a project is not compared. */
function unlessBroken<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch (error) {
    if (error instanceof ArchiveError && error.code.startsWith('git-')) return undefined
    throw error
  }
}
