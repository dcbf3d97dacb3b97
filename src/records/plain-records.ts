import { isUtf8 } from 'node:buffer'
import type { Kind } from './kind.ts'
import { plainPattern } from './plain-pattern.ts'

/**
 * Consecutive records of a file that are plain: every member is as their kind foresees it, in its order, and printed as
 * the host prints it. So they can be stored without being parsed.
 */
export interface PlainRun {
  /** A JSON array of the records. */
  json: Buffer
  records: number
  /** Where the first one stands in its file, from 1. */
  index: number
  /** The optional columns that have a value in some of the records. */
  present: readonly string[]
  /** Each record has null for an optional member, which is unusual; else none has. */
  hasNull: boolean
}

/** The records of a file, an array of one kind, in runs; nothing unless each of them is plain. */
export function plainRuns(kind: Kind, array: Buffer): PlainRun[] | undefined {
  const { pattern, optional } = shapeOfPlain(kind)
  const runs: (Omit<PlainRun, 'json' | 'present'> & { from: number; to: number; set: number })[] =
    []
  let index = 1
  const arePlain = eachPlain(pattern, array, (match, from, to) => {
    let set = 0
    let hasNull = false
    for (let i = 1; i < match.length; i += 2) {
      if (match[i] !== undefined) set |= 1 << (i >> 1)
      else if (match[i + 1] !== undefined) hasNull = true
    }
    const run = runs.at(-1)
    if (run?.hasNull === hasNull) {
      run.records++
      run.set |= set
      run.to = to
    } else runs.push({ from, to, records: 1, index, set, hasNull })
    index++
  })
  if (!arePlain) return undefined
  return runs.map(({ from, to, set, ...run }) => ({
    ...run,
    json: runs.length === 1 ? array : Buffer.concat([OPENING, array.subarray(from, to), CLOSING]),
    present: optional.filter((_, i) => set & (1 << i)),
  }))
}

const OPENING = Buffer.from('[\n  ')
const CLOSING = Buffer.from('\n]')

/** Bytes looked at at a time: V8 keeps longer texts in memory of its own, which takes long to have and to give back. */
const PART = 96 * 2 ** 10

/** Shows each record of an array and where it stands, in bytes; false as soon as one does not match. */
function eachPlain(
  pattern: RegExp,
  array: Buffer,
  show: (match: RegExpExecArray, from: number, to: number) => void,
): boolean {
  if (!array.subarray(0, OPENING.length).equals(OPENING) || !isUtf8(array)) return false
  let start = OPENING.length
  for (let room = PART; ; room *= 2) {
    const text = array.toString('latin1', start, start + room)
    let end = 0
    for (;;) {
      pattern.lastIndex = end
      const match = pattern.exec(text)
      if (match === null) break
      const isLast = text[pattern.lastIndex - 1] === ']'
      show(match, start + end, start + pattern.lastIndex - (isLast ? 2 : 4))
      end = pattern.lastIndex
      if (isLast) return start + end === array.length
    }
    // A record may be longer than a part.
    if (end === 0 && start + room >= array.length) return false
    if (end > 0) room = PART / 2
    start += end
  }
}

interface PlainShape {
  pattern: RegExp
  optional: readonly string[]
}

const shapes = new WeakMap<Kind, PlainShape>()

function shapeOfPlain(kind: Kind): PlainShape {
  let shape = shapes.get(kind)
  if (!shape) {
    const columns = Object.entries(kind.columns)
    const optional = columns.filter(([, column]) => column.optional).map(([name]) => name)
    shape = { pattern: plainPattern(kind), optional }
    shapes.set(kind, shape)
  }
  return shape
}
