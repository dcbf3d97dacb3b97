export type Bound = string | bigint

/** The minimum and the maximum as the metadata have them; neither if there is no value. */
export interface Bounds {
  min_value?: Bound
  max_value?: Bound
}

/** The least and the greatest of integers of 64 bits, by which readers skip row groups. */
export function boundsOfIntegers(view: DataView, length: number): Bounds {
  if (length === 0) return {}
  let [least, greatest] = [0, 0]
  for (let at = 8; at < length; at += 8) {
    if (isLess(view, at, least)) least = at
    else if (isLess(view, greatest, at)) greatest = at
  }
  return { min_value: view.getBigInt64(least, true), max_value: view.getBigInt64(greatest, true) }
}

function isLess(view: DataView, one: number, other: number): boolean {
  const a = view.getInt32(one + 4, true)
  const b = view.getInt32(other + 4, true)
  return a === b ? view.getUint32(one, true) < view.getUint32(other, true) : a < b
}

/** The same of texts, each after its length. Readers compare their bytes. */
export function boundsOfTexts(view: DataView, length: number): Bounds {
  if (length === 0) return {}
  let [least, greatest] = [0, 0]
  for (let at = 4 + view.getUint32(0, true); at < length; at += 4 + view.getUint32(at, true)) {
    if (isBefore(view, at, least)) least = at
    else if (isBefore(view, greatest, at)) greatest = at
  }
  return { min_value: textAt(view, least), max_value: textAt(view, greatest) }
}

function isBefore(view: DataView, one: number, other: number): boolean {
  const size = view.getUint32(one, true)
  const otherSize = view.getUint32(other, true)
  const shorter = Math.min(size, otherSize)
  const [a, b] = [one + 4, other + 4]
  let i = 0
  for (; i + 4 <= shorter; i += 4) {
    // The first byte has the most weight.
    const word = view.getUint32(a + i)
    const otherWord = view.getUint32(b + i)
    if (word !== otherWord) return word < otherWord
  }
  for (; i < shorter; i++) {
    const difference = view.getUint8(a + i) - view.getUint8(b + i)
    if (difference !== 0) return difference < 0
  }
  return size < otherSize
}

const textAt = (view: DataView, at: number): string =>
  Buffer.from(view.buffer, view.byteOffset + at + 4, view.getUint32(at, true)).toString()
