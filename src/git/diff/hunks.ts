import type { LineChange } from './diff-lines.ts'
import { bytesOfLine, type TextLines } from './text-lines.ts'

/** A line of a hunk. Its numbers begin at 1. */
export interface HunkLine {
  readonly kind: 'context' | 'deleted' | 'inserted'
  /** The bytes, with the line feed; the last line of a file may have none. */
  readonly bytes: Buffer
  readonly oldNumber: number | undefined
  readonly newNumber: number | undefined
}

/** Changes that are close to each other, with the lines around them. */
export interface Hunk {
  /** The numbers of the first lines, which begin at 1; 0 before the first line if there are no lines. */
  readonly oldStart: number
  readonly oldLines: number
  readonly newStart: number
  readonly newLines: number
  /** The last line before the hunk that begins with a letter, `_` or `$`: often the name of a function. */
  readonly heading: Buffer
  /** The lines, made one by one. */
  lines(): Generator<HunkLine>
}

/** Groups changes into hunks with some lines of context. Hunks whose context would touch are one. */
export function* groupIntoHunks(
  before: TextLines,
  after: TextLines,
  changes: readonly LineChange[],
  context: number,
): Generator<Hunk> {
  let heading: Buffer = NONE
  let searched = 0
  for (let i = 0; i < changes.length; ) {
    const group = [changes[i++] as LineChange]
    for (let next = changes[i]; next; next = changes[i]) {
      if (next.oldStart - (group.at(-1) as LineChange).oldEnd > 2 * context) break
      group.push(next)
      i++
    }
    const [first, last] = [group[0] as LineChange, group.at(-1) as LineChange]
    const above = Math.min(context, first.oldStart, first.newStart)
    const below = Math.min(context, before.count - last.oldEnd, after.count - last.newEnd)
    const start = first.oldStart - above
    heading = findHeading(before, start - 1, searched) ?? heading
    searched = start
    const bounds = {
      oldStart: start,
      oldEnd: last.oldEnd + below,
      newStart: first.newStart - above,
      newEnd: last.newEnd + below,
    }
    const [oldLines, newLines] = [bounds.oldEnd - start, bounds.newEnd - bounds.newStart]
    yield {
      oldStart: start + (oldLines > 0 ? 1 : 0),
      oldLines,
      newStart: bounds.newStart + (newLines > 0 ? 1 : 0),
      newLines,
      heading,
      lines: () => linesOf(before, after, group, bounds),
    }
  }
}

const NONE = Buffer.alloc(0)
const LONGEST_HEADING = 80

/** The last line up to `from`, but not before `to`, that begins as a function does; cut, without space at its end. */
function findHeading(lines: TextLines, from: number, to: number): Buffer | undefined {
  for (let line = from; line >= to; line--) {
    const start = lines.starts[line] as number
    if (!isLetter(lines.content[start] as number)) continue
    let end = Math.min(lines.starts[line + 1] as number, start + LONGEST_HEADING)
    while (SPACE.includes(lines.content[end - 1] as number)) end--
    return lines.content.subarray(start, end)
  }
  return undefined
}

const SPACE = [9, 10, 13, 32]

const isLetter = (byte: number) =>
  (byte >= 65 && byte <= 90) || (byte >= 97 && byte <= 122) || byte === 95 || byte === 36

function* linesOf(
  before: TextLines,
  after: TextLines,
  changes: readonly LineChange[],
  bounds: LineChange,
): Generator<HunkLine> {
  let [i, j] = [bounds.oldStart, bounds.newStart]
  const end = { ...bounds, oldStart: bounds.oldEnd, newStart: bounds.newEnd }
  for (const change of [...changes, end]) {
    for (; i < change.oldStart; i++, j++) {
      const bytes = bytesOfLine(before, i)
      yield { kind: 'context', bytes, oldNumber: i + 1, newNumber: j + 1 }
    }
    for (; i < change.oldEnd; i++) {
      const bytes = bytesOfLine(before, i)
      yield { kind: 'deleted', bytes, oldNumber: i + 1, newNumber: undefined }
    }
    for (; j < change.newEnd; j++) {
      const bytes = bytesOfLine(after, j)
      yield { kind: 'inserted', bytes, oldNumber: undefined, newNumber: j + 1 }
    }
  }
}
