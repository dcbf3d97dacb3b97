import { isBroken } from '../objects/is-broken.ts'
import type { Objects } from '../objects/open-objects.ts'
import type { FileState } from './change.ts'
import { canBeSimilar, type Spans, similarityOf, spansOf } from './similarity.ts'

/** How similar two files are, up to `ALIKE`; 0 for less than can be `least`, and for what is no file. */
export type Similarity = (before: FileState, after: FileState, least: number) => number

// Of one file, and of all: what is beyond counts as similar to nothing.
const LARGEST = 32 * 2 ** 20
const MOST_BYTES = 128 * 2 ** 20

/** Compares files by their contents, each of which is read once. What is missing or damaged is similar to nothing. */
export function openSimilarity(objects: Objects): Similarity {
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
