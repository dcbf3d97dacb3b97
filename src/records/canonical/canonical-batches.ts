import { crc32 } from 'node:zlib'
import type { JsonObject } from '../json/json.ts'
import { parseElements } from '../json/parse-elements.ts'
import { type Column, type Kind, perKind } from '../kinds/kind.ts'
import type { PlacedRecord } from '../read-records.ts'
import { plainPattern } from './canonical-pattern.ts'
import { CLOSING, eachPlain, OPENING } from './scan-canonical.ts'

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
  /** The CRC-32 of each record, 4 bytes with the highest first. */
  checksums: Uint8Array
}

/** The records of a file, an array of one kind, in runs; nothing unless each of them is plain. */
export function plainRuns(kind: Kind, array: Buffer): PlainRun[] | undefined {
  const { pattern, optional } = runPatternOf(kind)
  const runs: (Omit<PlainRun, 'json' | 'present' | 'checksums'> & Found)[] = []
  let index = 1
  const arePlain = eachPlain(pattern, array, (match, from, to) => {
    let set = 0
    let hasNull = false
    for (let i = 1; i < match.length; i += 2) {
      if (match[i] !== undefined) set |= 1 << (i >> 1)
      else if (match[i + 1] !== undefined) hasNull = true
    }
    const sum = crc32(array.subarray(from, to))
    const run = runs.at(-1)
    if (run?.hasNull === hasNull) {
      run.records++
      run.set |= set
      run.to = to
      run.sums.push(sum)
    } else runs.push({ from, to, records: 1, index, set, hasNull, sums: [sum] })
    index++
  })
  if (!arePlain) return undefined
  return runs.map(({ from, to, set, sums, ...run }) => ({
    ...run,
    checksums: bytesOf(sums),
    json: runs.length === 1 ? array : Buffer.concat([OPENING, array.subarray(from, to), CLOSING]),
    present: optional.filter((_, i) => set & (1 << i)),
  }))
}

/** The records of a run, for those who need them one by one; a part of them at a time. */
export function* parseRun({ json, index }: PlainRun, entry: string): Generator<PlacedRecord[]> {
  let next = index
  for (const records of parseElements(json, (part) => part.toString(), {})) {
    yield records.map((record) => ({ record: record as JsonObject, entry, index: next++ }))
  }
}

/** Where the records of a run begin and end, which columns they have, and what they sum up to. */
interface Found {
  from: number
  to: number
  set: number
  sums: number[]
}

/** Memory of its own, as it goes from one thread to another. */
function bytesOf(sums: readonly number[]): Uint8Array {
  const bytes = new Uint8Array(sums.length * 4)
  const view = new DataView(bytes.buffer)
  for (let i = 0; i < sums.length; i++) view.setUint32(i * 4, sums[i] as number)
  return bytes
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
