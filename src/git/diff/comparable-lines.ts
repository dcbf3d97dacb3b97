import { hashesOf, isSameLine, type TextLines } from './text-lines.ts'

/** Lines of both versions from their first to their last difference. */
export interface Stretch {
  readonly oldStart: number
  readonly oldEnd: number
  readonly newStart: number
  readonly newEnd: number
}

/** One byte per line of each version: 1 if it was deleted or inserted. */
export interface Marks {
  readonly isDeleted: Uint8Array
  readonly isInserted: Uint8Array
}

/** Lines to compare: equal lines have equal numbers. */
export interface ComparableLines {
  readonly numbers: Int32Array
  /** Where each one is in the file. */
  readonly lines: readonly number[]
}

// The numbers are Git's, so that the same edits are found.
const MOST_EQUAL = 1_024
const WINDOW = 100
const MOST_REPEATED = 4

/**
 * Chooses the lines of a stretch that are worth comparing, as Git does: those that the other version has too, but for lines
 * that it has very often and that stand among lines that it does not have. All others are marked as changed.
 */
export function comparableLines(
  before: TextLines,
  after: TextLines,
  stretch: Stretch,
  { isDeleted, isInserted }: Marks,
): [ComparableLines, ComparableLines] {
  const { old, now, oldCounts, newCounts } = numberLines(before, after, stretch)
  return [
    keepComparable(old, newCounts, before.count, isDeleted, stretch.oldStart),
    keepComparable(now, oldCounts, after.count, isInserted, stretch.newStart),
  ]
}

/** Gives equal lines of the stretch equal numbers, and counts them in both versions as a whole. */
function numberLines(before: TextLines, after: TextLines, stretch: Stretch) {
  const { oldStart, oldEnd, newStart, newEnd } = stretch
  const most = oldEnd - oldStart + newEnd - newStart
  let room = 16
  while (room < 2 * most) room *= 2
  // An open hash table of the first line with each content: its version, its place, its number.
  const table = new Int32Array(room).fill(-1)
  const firsts: { lines: TextLines; line: number }[] = []
  const slotOf = (lines: TextLines, hashes: Uint32Array, line: number): number => {
    for (let slot = (hashes[line] as number) & (room - 1); ; slot = (slot + 1) & (room - 1)) {
      const number = table[slot] as number
      if (number < 0) return slot
      const first = firsts[number] as { lines: TextLines; line: number }
      if (isSameLine(first.lines, first.line, lines, line)) return slot
    }
  }
  const [oldHashes, newHashes] = [hashesOf(before), hashesOf(after)]
  const numbered = (lines: TextLines, hashes: Uint32Array, start: number, end: number) => {
    const numbers = new Int32Array(end - start)
    for (let line = start; line < end; line++) {
      const slot = slotOf(lines, hashes, line)
      if ((table[slot] as number) < 0) table[slot] = firsts.push({ lines, line }) - 1
      numbers[line - start] = table[slot] as number
    }
    return numbers
  }
  const old = numbered(before, oldHashes, oldStart, oldEnd)
  const now = numbered(after, newHashes, newStart, newEnd)
  const [oldCounts, newCounts] = [new Int32Array(firsts.length), new Int32Array(firsts.length)]
  const count = (counts: Int32Array, number: number) => {
    counts[number] = (counts[number] as number) + 1
  }
  for (const number of old) count(oldCounts, number)
  for (const number of now) count(newCounts, number)
  // The lines before and after the stretch are the same in both versions.
  const countCommon = (line: number) => {
    const number = table[slotOf(before, oldHashes, line)] as number
    if (number < 0) return
    count(oldCounts, number)
    count(newCounts, number)
  }
  for (let line = 0; line < oldStart; line++) countCommon(line)
  for (let line = oldEnd; line < before.count; line++) countCommon(line)
  return { old, now, oldCounts, newCounts }
}

function keepComparable(
  numbers: Int32Array,
  counts: Int32Array,
  lineCount: number,
  marks: Uint8Array,
  start: number,
): ComparableLines {
  const often = Math.min(roughRoot(lineCount), MOST_EQUAL)
  const kinds = new Uint8Array(numbers.length)
  numbers.forEach((number, i) => {
    const count = counts[number] as number
    kinds[i] = count === 0 ? UNKNOWN : count >= often ? FREQUENT : COMMON
  })
  const kept: number[] = []
  const lines: number[] = []
  for (let i = 0; i < numbers.length; i++) {
    const kind = kinds[i]
    if (kind === COMMON || (kind === FREQUENT && !isAmongUnknown(kinds, i))) {
      kept.push(numbers[i] as number)
      lines.push(start + i)
    } else marks[start + i] = 1
  }
  return { numbers: Int32Array.from(kept), lines }
}

const UNKNOWN = 0
const COMMON = 1
const FREQUENT = 2

/** Whether a frequent line is in a run of which most lines are unknown to the other version, on both sides. */
function isAmongUnknown(kinds: Uint8Array, at: number): boolean {
  const runOf = (step: 1 | -1) => {
    let [unknown, frequent] = [0, 1]
    for (let r = 1; r <= WINDOW; r++) {
      const kind = kinds[at + step * r]
      if (kind === UNKNOWN) unknown++
      else if (kind === FREQUENT) frequent++
      else break
    }
    return { unknown, frequent }
  }
  const [above, below] = [runOf(-1), runOf(1)]
  if (above.unknown === 0 || below.unknown === 0) return false
  const [unknown, frequent] = [above.unknown + below.unknown, above.frequent + below.frequent]
  return frequent * MOST_REPEATED < frequent + unknown
}

/** A power of two near the square root. */
export function roughRoot(number: number): number {
  let root = 1
  for (let rest = number; rest > 0; rest >>= 2) root *= 2
  return root
}
