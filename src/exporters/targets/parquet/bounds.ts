import type { Part } from './growing-bytes.ts'

export type Bound = string | bigint

/** The minimum and the maximum as the metadata have them; neither if there is no value. */
export interface Bounds {
  min_value?: Bound
  max_value?: Bound
}

/** The least and the greatest of integers of 64 bits, by which readers skip row groups. */
export function boundsOfIntegers(parts: readonly Part[]): Bounds {
  const [least, greatest] = extremes(parts, () => 8, isLess)
  if (!least || !greatest) return {}
  const integerAt = ({ view, at }: Place) => view.getBigInt64(at, true)
  return { min_value: integerAt(least), max_value: integerAt(greatest) }
}

/** The same of texts, each after its length. Readers compare their bytes. */
export function boundsOfTexts(parts: readonly Part[]): Bounds {
  const [least, greatest] = extremes(parts, (view, at) => 4 + view.getUint32(at, true), isBefore)
  if (!least || !greatest) return {}
  return { min_value: textAt(least), max_value: textAt(greatest) }
}

/** Where a value begins. */
interface Place {
  view: DataView
  at: number
}

/** The least and the greatest value; undefined if there is none. */
function extremes(
  parts: readonly Part[],
  sizeAt: (view: DataView, at: number) => number,
  isLower: (view: DataView, at: number, limit: Place) => boolean,
): [least?: Place, greatest?: Place] {
  let least: Place | undefined
  let greatest: Place | undefined
  for (const { block, length } of parts) {
    const { view } = block
    const place = { view, at: 0 }
    for (let at = 0; at < length; at += sizeAt(view, at)) {
      place.at = at
      if (least === undefined || isLower(view, at, least)) least = { view, at }
      if (greatest === undefined || isLower(greatest.view, greatest.at, place)) {
        greatest = { view, at }
      }
    }
  }
  return least && greatest ? [least, greatest] : []
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

const textAt = ({ view, at }: Place): string =>
  Buffer.from(view.buffer, view.byteOffset + at + 4, view.getUint32(at, true)).toString()
