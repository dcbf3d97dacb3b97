import type { diffArrays } from 'diff'
import { placeChanges } from './place-changes.ts'
import { bytesOfLine, isSameLine, type TextLines } from './text-lines.ts'

/** Lines of the old file that were replaced by lines of the new one: each from its start to its end, exclusive. */
export interface LineChange {
  readonly oldStart: number
  readonly oldEnd: number
  readonly newStart: number
  readonly newEnd: number
}

/** Compares two files line by line. */
export type LineDiffer = (before: TextLines, after: TextLines) => LineChange[]

/** The most inserted and deleted lines to search for in one file, of lines that both versions have. */
const MOST_EDITS = 3_000
/** The most lines between the first and the last difference, in both versions together. */
const MOST_LINES = 1_000_000
// The work for one file is at most its lines times its edits; that of all files, half the squares of their edits. Each of
// these limits is reached after some seconds.
const MOST_WORK = 2e8
const MOST_STEPS = 2e7

/**
 * Creates a comparison of files that finds the fewest changed lines. The work for each file and for all files together is
 * limited; beyond the limit, all lines between the first and the last difference count as changed. The limit counts steps
 * instead of time, so that the same files always give the same patch.
 */
export async function createLineDiffer(mostEdits = MOST_EDITS): Promise<LineDiffer> {
  // The library takes time to load, and a list of changed files does not need it.
  const { diffArrays } = await import('diff')
  let stepsLeft = MOST_STEPS
  const compare: Compare = (one, other) => {
    const byLength = Math.floor(MOST_WORK / (1 + one.length + other.length))
    const maxEditLength = Math.min(mostEdits, byLength, Math.floor(Math.sqrt(2 * stepsLeft)))
    const found = diffArrays(one, other, { maxEditLength })
    const edits = found?.reduce((sum, part) => sum + (isEdit(part) ? part.count : 0), 0)
    stepsLeft -= (edits ?? maxEditLength) ** 2 / 2
    return found
  }
  return (before, after) => changesOf(before, after, compare)
}

type Parts = ReturnType<typeof diffArrays<number>>
/** Compares two lists of line numbers; undefined if that takes too long. */
type Compare = (one: number[], other: number[]) => Parts | undefined

const isEdit = ({ added, removed }: Parts[number]) => added || removed

function changesOf(before: TextLines, after: TextLines, compare: Compare): LineChange[] {
  const shorter = Math.min(before.count, after.count)
  let start = 0
  while (start < shorter && isSameLine(before, start, after, start)) start++
  let end = 0
  while (
    end < shorter - start &&
    isSameLine(before, before.count - 1 - end, after, after.count - 1 - end)
  ) {
    end++
  }
  const [oldEnd, newEnd] = [before.count - end, after.count - end]
  const whole = { oldStart: start, oldEnd, newStart: start, newEnd }
  if (start === oldEnd && start === newEnd) return []
  const isOneSided = start === oldEnd || start === newEnd
  if (!isOneSided && oldEnd + newEnd - 2 * start > MOST_LINES) return [whole]
  const [isDeleted, isInserted] = [
    new Uint8Array(before.count + 1),
    new Uint8Array(after.count + 1),
  ]
  isDeleted.fill(1, start, oldEnd)
  isInserted.fill(1, start, newEnd)
  if (!isOneSided) keepCommon(before, after, whole, { isDeleted, isInserted, compare })
  placeChanges(before, isDeleted, isInserted)
  placeChanges(after, isInserted, isDeleted)
  return listChanges(isDeleted, isInserted)
}

/** Finds the lines that two stretches have in common, and takes their marks away. */
function keepCommon(
  before: TextLines,
  after: TextLines,
  { oldStart, oldEnd, newStart, newEnd }: LineChange,
  { isDeleted, isInserted, compare }: Marks & { compare: Compare },
): void {
  const numbers = new Map<string, number>()
  const known = new Set<number>()
  const numberOf = (lines: TextLines, line: number) => {
    const key = bytesOfLine(lines, line).toString('latin1')
    const number = numbers.get(key) ?? numbers.size
    numbers.set(key, number)
    return number
  }
  const old = numbered(oldStart, oldEnd, (line) => numberOf(before, line))
  const isOld = numbers.size
  const now = numbered(newStart, newEnd, (line) => numberOf(after, line))
  for (const { number } of now) known.add(number)
  // A line that only one version has is a change in any case.
  const [one, other] = [
    old.filter(({ number }) => known.has(number)),
    now.filter(({ number }) => number < isOld),
  ]
  const parts = compare(
    one.map(({ number }) => number),
    other.map(({ number }) => number),
  )
  let [i, j] = [0, 0]
  for (const part of parts ?? []) {
    for (let n = 0; n < part.count && !isEdit(part); n++) {
      isDeleted[one[i + n]?.line as number] = 0
      isInserted[other[j + n]?.line as number] = 0
    }
    if (!part.added) i += part.count
    if (!part.removed) j += part.count
  }
}

/** One byte per line: 1 if it was deleted or inserted. */
interface Marks {
  isDeleted: Uint8Array
  isInserted: Uint8Array
}

const numbered = (start: number, end: number, numberOf: (line: number) => number) =>
  Array.from({ length: end - start }, (_, i) => ({ line: start + i, number: numberOf(start + i) }))

/** Both lists of marks end with a 0. */
function listChanges(isDeleted: Uint8Array, isInserted: Uint8Array): LineChange[] {
  const changes: LineChange[] = []
  for (let i = 0, j = 0; i < isDeleted.length || j < isInserted.length; i++, j++) {
    const [oldStart, newStart] = [i, j]
    while (isDeleted[i]) i++
    while (isInserted[j]) j++
    if (i > oldStart || j > newStart) changes.push({ oldStart, oldEnd: i, newStart, newEnd: j })
  }
  return changes
}
