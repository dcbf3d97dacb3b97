export const QUOTE = 0x22
export const BACKSLASH = 0x5c

/**
 * Where the next quote, backslash or control character stands. Looks at four bytes at a time: `(x - 0x01…) & ~x` has the
 * highest bit of each byte that is zero, up to the first one; so has the difference to 0x20 for smaller ones.
 */
export function endOfPlain(view: DataView, at: number): number {
  for (let p = at; ; p += 4) {
    const word = view.getInt32(p, true)
    const quote = word ^ 0x22222222
    const backslash = word ^ 0x5c5c5c5c
    const found =
      (((quote - 0x01010101) & ~quote) |
        ((backslash - 0x01010101) & ~backslash) |
        ((word - 0x20202020) & ~word)) &
      0x80808080
    if (found !== 0) return p + ((31 - Math.clz32(found & -found)) >> 3)
  }
}
