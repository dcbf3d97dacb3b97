import type { ObjectStore } from '../objects/object-store.ts'
import { isBroken } from '../parse/git-object.ts'
import type { TreeEntry } from '../parse/parse-tree.ts'
import { isText } from './text-lines.ts'

type FileState = Pick<TreeEntry, 'mode' | 'oid'>

/** The similarity of two files, up to `ALIKE`; 0 if it must be below `least`, and for links and submodules. */
export type Similarity = (before: FileState, after: FileState, least: number) => number

// Limits for one file and for all of them. Files beyond are similar to nothing.
const LARGEST = 32 * 2 ** 20
const MOST_BYTES = 128 * 2 ** 20

/** Compares files by content. Each is read once; missing and damaged ones are similar to nothing. */
export function createSimilarity(objects: ObjectStore): Similarity {
  const sizes = new Map<string, number | undefined>()
  const spans = new Map<string, Spans | undefined>()
  let room = MOST_BYTES
  const sizeOf = (oid: string) =>
    remembered(sizes, oid, () => {
      const size = objects.sizeOf(oid)
      return size <= LARGEST ? size : undefined
    })
  const spansAt = (oid: string, size: number) =>
    remembered(spans, oid, () => {
      if (size > room) return undefined
      room -= size
      return spansOf(objects.read(oid).content)
    })
  return (before, after, least) => {
    if (!isRegular(before) || !isRegular(after)) return 0
    const [size, newSize] = [sizeOf(before.oid), sizeOf(after.oid)]
    if (!size || !newSize || !canBeSimilar(size, newSize, least)) return 0
    const [one, other] = [spansAt(before.oid, size), spansAt(after.oid, newSize)]
    return one && other ? similarityOf(one, other) : 0
  }
}

const isRegular = ({ mode }: FileState) => mode.startsWith('100')

function remembered<T>(
  known: Map<string, T | undefined>,
  oid: string,
  work: () => T | undefined,
): T | undefined {
  if (!known.has(oid)) known.set(oid, unlessBroken(work))
  return known.get(oid)
}

function unlessBroken<T>(work: () => T): T | undefined {
  try {
    return work()
  } catch (error) {
    if (isBroken(error)) return undefined
    throw error
  }
}

/** The similarity of identical files. The numbers are Git's, so that the same pairs are found. */
export const ALIKE = 60_000

/**
 * The number of bytes in spans with each hash. A span is a line, or 64 bytes of a longer one. Sorted by hash, so that two
 * files are compared in one pass.
 */
interface Spans {
  readonly size: number
  readonly hashes: Uint32Array
  readonly bytes: Uint32Array
}

const NEWLINE = 10
const RETURN = 13
const LONGEST = 64
const HASHES = 107_927

/** Hashes the spans of a file. In text, carriage returns before line feeds are ignored. */
function spansOf(content: Buffer): Spans {
  const isPlain = isText(content)
  const counts = new Map<number, number>()
  let [high, low, length] = [0, 0, 0]
  const end = () => {
    const hash = ((high + Math.imul(low, 0x61)) >>> 0) % HASHES
    counts.set(hash, (counts.get(hash) ?? 0) + length)
    high = low = length = 0
  }
  for (let at = 0; at < content.length; at++) {
    const byte = content[at] as number
    if (isPlain && byte === RETURN && content[at + 1] === NEWLINE) continue
    const former = high
    high = (((high << 7) ^ (low >>> 25)) + byte) >>> 0
    low = ((low << 7) ^ (former >>> 25)) >>> 0
    if (++length === LONGEST || byte === NEWLINE) end()
  }
  if (length > 0) end() // which Git leaves out before 2.44
  const hashes = Uint32Array.from(counts.keys()).sort()
  const bytes = hashes.map((hash) => counts.get(hash) as number)
  return { size: content.length, hashes, bytes }
}

/** The share of the larger file that is also in the other one, up to `ALIKE`. */
function similarityOf(left: Spans, right: Spans): number {
  let common = 0
  for (let i = 0, j = 0; i < left.hashes.length && j < right.hashes.length; ) {
    const [a, b] = [left.hashes[i] as number, right.hashes[j] as number]
    if (a === b) common += Math.min(left.bytes[i] as number, right.bytes[j] as number)
    if (a <= b) i++
    if (b <= a) j++
  }
  return Math.floor((common * ALIKE) / Math.max(1, left.size, right.size))
}

/** Whether files of these sizes can be as similar as `least`. */
function canBeSimilar(size: number, newSize: number, least: number): boolean {
  const larger = Math.max(size, newSize)
  return larger * (ALIKE - least) >= Math.abs(size - newSize) * ALIKE
}
