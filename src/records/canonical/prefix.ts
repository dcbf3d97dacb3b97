/** Bytes that a scanner compares four at a time; there are at least four. */
export interface Prefix {
  readonly length: number
  /** Words in little-endian order; the last one overlaps the one before if the length is not a multiple of four. */
  readonly words: Int32Array
}

export function prefixOf(text: string): Prefix {
  const bytes = Buffer.from(text)
  const { length } = bytes
  const words = Int32Array.from({ length: Math.ceil(length / 4) }, (_, i) =>
    bytes.readInt32LE(Math.min(i * 4, length - 4)),
  )
  return { length, words }
}

export function startsWith(view: DataView, at: number, { length, words }: Prefix): boolean {
  const last = words.length - 1
  for (let i = 0; i < last; i++) {
    if (view.getInt32(at + i * 4, true) !== words[i]) return false
  }
  return view.getInt32(at + length - 4, true) === words[last]
}
