import { CLOSING, eachPlain, OPENING } from './each-plain.ts'
import { type Column, type Kind, perKind } from './kind.ts'
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
  const { pattern, optional } = runPatternOf(kind)
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

/** With two groups for each optional column: whether it has a value, and whether it is null. */
const runPatternOf = perKind((kind) => {
  const columns = Object.entries(kind.columns)
  const marked = (pattern: string, { optional }: Column) => (optional ? `${pattern}()` : pattern)
  return {
    optional: columns.filter(([, column]) => column.optional).map(([name]) => name),
    pattern: plainPattern(kind, {
      value: (pattern, _, column) => marked(pattern, column),
      null: marked,
    }),
  }
})
