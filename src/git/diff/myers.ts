import { comparableLines, type Marks, roughRoot, type Stretch } from './comparable-lines.ts'
import type { TextLines } from './text-lines.ts'

/** The steps that a search may still take. */
export interface Budget {
  steps: number
}

// The numbers are Git's, so that the same edits are found.
const LEAST_COST = 256
const LONG_SNAKE = 20
const GOOD_SNAKE = 4

/**
 * Marks the edits that lead from one version to the other as Git finds them: Myers's algorithm from both ends, cut short
 * where a long search found a long run of equal lines, or took too long.
 *
 * @returns false if that would take more steps than the budget has; the marks then say nothing
 */
export function findEdits(
  before: TextLines,
  after: TextLines,
  stretch: Stretch,
  marks: Marks,
  budget: Budget,
): boolean {
  const [olderLines, newerLines] = comparableLines(before, after, stretch, marks)
  const search = createSearch(olderLines.numbers, newerLines.numbers, budget)
  return search((isOld, from, to) => {
    const { lines } = isOld ? olderLines : newerLines
    const changed = isOld ? marks.isDeleted : marks.isInserted
    for (let i = from; i < to; i++) changed[lines[i] as number] = 1
  })
}

/** A part of both lists that is still to be compared; `isExact` allows no short cut. */
interface Box {
  readonly start1: number
  readonly end1: number
  readonly start2: number
  readonly end2: number
  readonly isExact: boolean
}

/** Reports a run of edits in the first or the second list. */
type Report = (isFirst: boolean, from: number, to: number) => void

function createSearch(before: Int32Array, after: Int32Array, budget: Budget) {
  const diagonals = before.length + after.length + 3
  const middle = after.length + 1
  // The furthest place on each diagonal, going forwards and backwards.
  const ahead = new Int32Array(diagonals + 1)
  const back = new Int32Array(diagonals + 1)
  const mostCost = Math.max(roughRoot(diagonals), LEAST_COST)

  return (report: Report): boolean => {
    const whole = { start1: 0, end1: before.length, start2: 0, end2: after.length, isExact: false }
    const boxes: Box[] = [whole]
    for (let box = boxes.pop(); box; box = boxes.pop()) {
      let { start1, end1, start2, end2 } = box
      while (start1 < end1 && start2 < end2 && before[start1] === after[start2]) {
        start1++
        start2++
      }
      while (start1 < end1 && start2 < end2 && before[end1 - 1] === after[end2 - 1]) {
        end1--
        end2--
      }
      if (start1 === end1) report(false, start2, end2)
      else if (start2 === end2) report(true, start1, end1)
      else {
        const split = splitBox({ start1, end1, start2, end2, isExact: box.isExact })
        if (!split) return false
        const { at1, at2 } = split
        boxes.push({ start1: at1, end1, start2: at2, end2, isExact: split.isSecondExact })
        boxes.push({ start1, end1: at1, start2, end2: at2, isExact: split.isFirstExact })
      }
    }
    return true
  }

  /** Finds a place where the box can be split in two; undefined if the budget is used up. */
  function splitBox({ start1, end1, start2, end2, isExact }: Box): Split | undefined {
    const [least, most] = [start1 - end2, end1 - start2]
    const [first, last] = [start1 - start2, end1 - end2]
    const isOdd = ((first - last) & 1) !== 0
    let [low, high] = [first, first]
    let [lowBack, highBack] = [last, last]
    const get = (places: Int32Array, diagonal: number) => places[middle + diagonal] as number
    ahead[middle + first] = start1
    back[middle + last] = end1
    for (let cost = 1; ; cost++) {
      let hasLongSnake = false
      // The range grows by one at either end, or shrinks by one at the border of the box.
      if (low > least) ahead[middle + --low - 1] = -1
      else low++
      if (high < most) ahead[middle + ++high + 1] = -1
      else high--
      for (let d = high; d >= low; d -= 2) {
        const [left, right] = [get(ahead, d - 1), get(ahead, d + 1)]
        let i = left >= right ? left + 1 : right
        const from = i
        while (i < end1 && i - d < end2 && before[i] === after[i - d]) i++
        if (i - from > LONG_SNAKE) hasLongSnake = true
        budget.steps -= 1 + i - from
        ahead[middle + d] = i
        if (isOdd && lowBack <= d && d <= highBack && get(back, d) <= i) return exactAt(i, i - d)
      }
      if (lowBack > least) back[middle + --lowBack - 1] = FARTHEST
      else lowBack++
      if (highBack < most) back[middle + ++highBack + 1] = FARTHEST
      else highBack--
      for (let d = highBack; d >= lowBack; d -= 2) {
        const [left, right] = [get(back, d - 1), get(back, d + 1)]
        let i = left < right ? left : right - 1
        const from = i
        while (i > start1 && i - d > start2 && before[i - 1] === after[i - d - 1]) i--
        if (from - i > LONG_SNAKE) hasLongSnake = true
        budget.steps -= 1 + from - i
        back[middle + d] = i
        if (!isOdd && low <= d && d <= high && i <= get(ahead, d)) return exactAt(i, i - d)
      }
      if (budget.steps < 0) return undefined
      if (isExact) continue
      const box = { start1, end1, start2, end2 }
      const ranges = { first, last, low, high, lowBack, highBack, cost }
      if (hasLongSnake && cost > LEAST_COST) {
        const found = goodSplit(box, ranges)
        if (found) return found
      }
      if (cost >= mostCost) return farthestSplit(box, ranges)
    }
  }

  /** A split after or before a long run of equal lines, on the most promising diagonal of either direction. */
  function goodSplit({ start1, end1, start2, end2 }: Omit<Box, 'isExact'>, ranges: Ranges) {
    const { first, last, low, high, lowBack, highBack, cost } = ranges
    let [best, at1, at2] = [0, 0, 0]
    for (let d = high; d >= low; d -= 2) {
      const i = ahead[middle + d] as number
      const j = i - d
      const value = i - start1 + (j - start2) - Math.abs(d - first)
      if (value <= GOOD_SNAKE * cost || value <= best) continue
      if (start1 + LONG_SNAKE > i || i >= end1 || start2 + LONG_SNAKE > j || j >= end2) continue
      let run = 0
      while (run < LONG_SNAKE && before[i - run - 1] === after[j - run - 1]) run++
      if (run === LONG_SNAKE) [best, at1, at2] = [value, i, j]
    }
    if (best > 0) return { at1, at2, isFirstExact: true, isSecondExact: false }
    for (let d = highBack; d >= lowBack; d -= 2) {
      const i = back[middle + d] as number
      const j = i - d
      const value = end1 - i + (end2 - j) - Math.abs(d - last)
      if (value <= GOOD_SNAKE * cost || value <= best) continue
      if (start1 >= i || i > end1 - LONG_SNAKE || start2 >= j || j > end2 - LONG_SNAKE) continue
      let run = 0
      while (run < LONG_SNAKE && before[i + run] === after[j + run]) run++
      if (run === LONG_SNAKE) [best, at1, at2] = [value, i, j]
    }
    return best > 0 ? { at1, at2, isFirstExact: false, isSecondExact: true } : undefined
  }

  /** A split at the place that is furthest from its start. */
  function farthestSplit({ start1, end1, start2, end2 }: Omit<Box, 'isExact'>, ranges: Ranges) {
    const { low, high, lowBack, highBack } = ranges
    let [sum, at] = [-1, -1]
    for (let d = high; d >= low; d -= 2) {
      const i = Math.min(ahead[middle + d] as number, end1, end2 + d)
      if (sum < i + i - d) [sum, at] = [i + i - d, i]
    }
    let [sumBack, atBack] = [FARTHEST, FARTHEST]
    for (let d = highBack; d >= lowBack; d -= 2) {
      const i = Math.max(back[middle + d] as number, start1, start2 + d)
      if (i + i - d < sumBack) [sumBack, atBack] = [i + i - d, i]
    }
    return end1 + end2 - sumBack < sum - (start1 + start2)
      ? { at1: at, at2: sum - at, isFirstExact: true, isSecondExact: false }
      : { at1: atBack, at2: sumBack - atBack, isFirstExact: false, isSecondExact: true }
  }
}

const FARTHEST = 2 ** 31 - 1

const exactAt = (at1: number, at2: number): Split => ({
  at1,
  at2,
  isFirstExact: true,
  isSecondExact: true,
})

interface Split {
  readonly at1: number
  readonly at2: number
  readonly isFirstExact: boolean
  readonly isSecondExact: boolean
}

/** The diagonals where both directions began, the ranges that they have reached, and the edits so far. */
interface Ranges {
  readonly first: number
  readonly last: number
  readonly low: number
  readonly high: number
  readonly lowBack: number
  readonly highBack: number
  readonly cost: number
}
