import type { LineRange } from '../../git/blame/blame-file.ts'
import { UsageError } from '../command/usage-error.ts'

const NUMBERS = /^(\d{1,9})?(?:,([+-]?)(\d{1,9})?)?$/

/**
 * Parses the ranges of `-L` as Git does: `10,20`, `10,+5`, `10,-5`, `10` or `10,` to the end, `,20` from the start. Ranges
 * that meet become one. Throws `UsageError`.
 *
 * @param lines the number of lines of the file
 * @returns undefined for the whole file
 */
export function lineRangesOf(
  texts: readonly string[] | undefined,
  file: string,
  lines: number,
): LineRange[] | undefined {
  if (texts === undefined) return undefined
  const ranges = texts.map((text) => rangeOf(text, file, lines)).sort((a, b) => a.first - b.first)
  const joined: LineRange[] = []
  for (const range of ranges) {
    const last = joined.at(-1)
    if (last && range.first <= last.last + 1) {
      joined[joined.length - 1] = { ...last, last: Math.max(last.last, range.last) }
    } else joined.push(range)
  }
  return joined
}

function rangeOf(text: string, file: string, lines: number): LineRange {
  const [match, from, sign = '', to] = NUMBERS.exec(text) ?? []
  if (match === undefined || text === '' || text === ',' || (sign !== '' && to === undefined)) {
    const hint = 'Write 10,20 or 10,+5 or 10, for all from line 10.'
    throw new UsageError(`-L takes line numbers, not ${JSON.stringify(text)}`, hint)
  }
  const start = from === undefined ? 1 : Number(from)
  if (start === 0 || (to !== undefined && Number(to) === 0)) {
    throw new UsageError('-L counts lines from 1')
  }
  if (start > lines) {
    const has = lines === 1 ? '1 line' : `${lines} lines`
    throw new UsageError(`${JSON.stringify(file)} has only ${has}, and -L begins at ${start}`)
  }
  const end = to === undefined ? lines : endOf(start, sign, Number(to))
  const [first, last] = end < start ? [end, start] : [start, end]
  return { first: Math.max(1, first), last: Math.min(last, lines) }
}

const endOf = (start: number, sign: string, number: number): number =>
  sign === '+' ? start + number - 1 : sign === '-' ? start - number + 1 : number
