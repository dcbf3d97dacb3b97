import { crc32 } from 'node:zlib'
import { type Column, type Kind, perKind } from '../kinds/kind.ts'
import { canonicalPattern } from './canonical-pattern.ts'
import { CLOSING, OPENING, scanCanonical } from './scan-canonical.ts'

/** Consecutive canonical records of a file, which can be stored without being parsed. */
export interface CanonicalBatch {
  /** A JSON array of the records. */
  json: Buffer
  records: number
  /** The position of the first record in its file, from 1. */
  index: number
  /** The optional columns that have a value in at least one record. */
  present: readonly string[]
  /** Whether every record, rather than none, has null in an optional member, which is unusual. */
  hasNull: boolean
  /** The CRC-32 of each record: 4 bytes, big-endian. */
  checksums: Uint8Array
}

/** The records of an array in batches; undefined unless all of them are canonical records of this kind. */
export function canonicalBatches(kind: Kind, array: Buffer): CanonicalBatch[] | undefined {
  const { pattern, optional } = patternOf(kind)
  const batches: (Omit<CanonicalBatch, 'json' | 'present' | 'checksums'> & Found)[] = []
  let index = 1
  const areCanonical = scanCanonical(pattern, array, (match, from, to) => {
    let set = 0
    let hasNull = false
    for (let i = 1; i < match.length; i += 2) {
      if (match[i] !== undefined) set |= 1 << (i >> 1)
      else if (match[i + 1] !== undefined) hasNull = true
    }
    const sum = crc32(array.subarray(from, to))
    const batch = batches.at(-1)
    if (batch?.hasNull === hasNull) {
      batch.records++
      batch.set |= set
      batch.to = to
      batch.sums.push(sum)
    } else batches.push({ from, to, records: 1, index, set, hasNull, sums: [sum] })
    index++
  })
  if (!areCanonical) return undefined
  return batches.map(({ from, to, set, sums, ...batch }) => ({
    ...batch,
    checksums: bytesOf(sums),
    json:
      batches.length === 1 ? array : Buffer.concat([OPENING, array.subarray(from, to), CLOSING]),
    present: optional.filter((_, i) => set & (1 << i)),
  }))
}

/** Where the records of a batch begin and end, the optional columns they have as a bit mask, and their checksums. */
interface Found {
  from: number
  to: number
  set: number
  sums: number[]
}

/** A copy, because it is transferred to another thread. */
function bytesOf(sums: readonly number[]): Uint8Array {
  const bytes = new Uint8Array(sums.length * 4)
  const view = new DataView(bytes.buffer)
  for (let i = 0; i < sums.length; i++) view.setUint32(i * 4, sums[i] as number)
  return bytes
}

/** Has two groups for each optional column: the first matches if it has a value, the second if it is null. */
const patternOf = perKind((kind) => {
  const columns = Object.entries(kind.columns)
  const marked = (pattern: string, { optional }: Column) => (optional ? `${pattern}()` : pattern)
  return {
    optional: columns.filter(([, column]) => column.optional).map(([name]) => name),
    pattern: canonicalPattern(kind, {
      value: (pattern, _, column) => marked(pattern, column),
      null: marked,
    }),
  }
})
