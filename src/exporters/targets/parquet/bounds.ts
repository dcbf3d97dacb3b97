import type { Part } from './growing-bytes.ts'

/** The least or the greatest of some values: an integer, or the UTF-8 of a text. */
export type Bound = bigint | Uint8Array

export interface Bounds {
  readonly least: Bound
  readonly greatest: Bound
}

/**
 * The bounds of integers of 64 bits, by which readers skip pages and row groups; undefined without values.
 *
 * @param isUsed for each value whether it counts. Default: all do
 */
export function boundsOfIntegers(parts: readonly Part[], isUsed?: Uint8Array): Bounds | undefined {
  const found = extremes(parts, () => 8, isLess, isUsed)
  if (!found) return undefined
  const integerAt = ({ view, at }: Place) => view.getBigInt64(at, true)
  return { least: integerAt(found.least), greatest: integerAt(found.greatest) }
}

/** The same of texts, each after its length. Readers compare their bytes. */
export function boundsOfTexts(parts: readonly Part[], isUsed?: Uint8Array): Bounds | undefined {
  const sizeAt = (view: DataView, at: number) => 4 + view.getUint32(at, true)
  const found = extremes(parts, sizeAt, isBefore, isUsed)
  return found && { least: textAt(found.least), greatest: textAt(found.greatest) }
}

/** The bounds of all values of which these are bounds. */
export function joinBounds(bounds: readonly Bounds[]): Bounds | undefined {
  const [first] = bounds
  if (!first) return undefined
  let { least, greatest } = first
  for (const next of bounds) {
    if (compareBounds(next.least, least) < 0) least = next.least
    if (compareBounds(next.greatest, greatest) > 0) greatest = next.greatest
  }
  return { least, greatest }
}

/** The order of two bounds of one column, as `sort` wants it. */
export function compareBounds(left: Bound, right: Bound): number {
  if (left instanceof Uint8Array) return Buffer.compare(left, right as Uint8Array)
  return left < (right as bigint) ? -1 : Number(left > (right as bigint))
}

/** Where a value begins. */
interface Place {
  view: DataView
  at: number
}

function extremes(
  parts: readonly Part[],
  sizeAt: (view: DataView, at: number) => number,
  isLower: (view: DataView, at: number, limit: Place) => boolean,
  isUsed: Uint8Array | undefined,
): { least: Place; greatest: Place } | undefined {
  let least: Place | undefined
  let greatest: Place | undefined
  let position = 0
  for (const { block, length } of parts) {
    const { view } = block
    const place = { view, at: 0 }
    for (let at = 0; at < length; at += sizeAt(view, at)) {
      if (isUsed?.[position++] === 0) continue
      place.at = at
      if (least === undefined || isLower(view, at, least)) least = { view, at }
      if (greatest === undefined || isLower(greatest.view, greatest.at, place)) {
        greatest = { view, at }
      }
    }
  }
  return least && greatest && { least, greatest }
}

function isLess(view: DataView, at: number, limit: Place): boolean {
  const a = view.getInt32(at + 4, true)
  const b = limit.view.getInt32(limit.at + 4, true)
  return a === b ? view.getUint32(at, true) < limit.view.getUint32(limit.at, true) : a < b
}

function isBefore(view: DataView, at: number, limit: Place): boolean {
  const size = view.getUint32(at, true)
  const limitSize = limit.view.getUint32(limit.at, true)
  const shorter = Math.min(size, limitSize)
  const [a, b] = [at + 4, limit.at + 4]
  let i = 0
  for (; i + 4 <= shorter; i += 4) {
    // The first byte has the most weight.
    const word = view.getUint32(a + i)
    const limitWord = limit.view.getUint32(b + i)
    if (word !== limitWord) return word < limitWord
  }
  for (; i < shorter; i++) {
    const difference = view.getUint8(a + i) - limit.view.getUint8(b + i)
    if (difference !== 0) return difference < 0
  }
  return size < limitSize
}

/** A copy: the block is used again. */
const textAt = ({ view, at }: Place): Uint8Array =>
  new Uint8Array(view.buffer, view.byteOffset + at + 4, view.getUint32(at, true)).slice()
