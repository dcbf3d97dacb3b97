import { type Budget, findEdits } from './myers.ts'
import { placeChanges } from './place-changes.ts'
import { isSameLine, type TextLines } from './text-lines.ts'

/** Lines of the old file that were replaced by lines of the new one: each from its start to its end, exclusive. */
export interface LineChange {
  readonly oldStart: number
  readonly oldEnd: number
  readonly newStart: number
  readonly newEnd: number
}

/** Compares two files line by line. */
export type LineDiffer = (before: TextLines, after: TextLines) => LineChange[]

/** The most lines between the first and the last difference, in both versions together. */
const MOST_LINES = 1_000_000
// Each takes some seconds: for one file, and for all files together.
const MOST_STEPS = 3e8
const MOST_STEPS_OF_ALL = 2e9

/**
 * Creates a comparison of files that finds the changed lines that Git finds. The work for each file and for all files
 * together is limited; beyond the limit, all lines between the first and the last difference count as changed. The limit
 * counts steps instead of time, so that the same files always give the same patch.
 */
export function createLineDiffer(mostSteps = MOST_STEPS): LineDiffer {
  let left = MOST_STEPS_OF_ALL
  return (before, after) => {
    const budget = { steps: Math.min(mostSteps, left) }
    const most = budget.steps
    const changes = changesOf(before, after, budget)
    left -= most - budget.steps
    return changes
  }
}

function changesOf(before: TextLines, after: TextLines, budget: Budget): LineChange[] {
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
  // A 0 follows the last line.
  const marks = {
    isDeleted: new Uint8Array(before.count + 1),
    isInserted: new Uint8Array(after.count + 1),
  }
  const { isDeleted, isInserted } = marks
  if (isOneSided || !findEdits(before, after, whole, marks, budget)) {
    isDeleted.fill(1, start, oldEnd)
    isInserted.fill(1, start, newEnd)
  }
  placeChanges(before, isDeleted, isInserted)
  placeChanges(after, isInserted, isDeleted)
  return listChanges(isDeleted, isInserted)
}

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
