/** The bytes of a varint, which has seven bits in each byte, the highest first (file format, section 1.6). */
export function varintLength(number: number): number {
  if (number < 0x80) return 1
  if (number < 0x4000) return 2
  if (number < 0x20_0000) return 3
  let length = 4
  for (let limit = 0x1000_0000; number >= limit; limit *= 0x80) length++
  return length
}

/** Writes a varint of an integer from 0 to 2^53. Returns where it ends. */
export function putVarint(bytes: Uint8Array, at: number, number: number): number {
  if (number < 0x80) {
    bytes[at] = number
    return at + 1
  }
  const end = at + varintLength(number)
  let rest = number
  for (let p = end - 1; p >= at; p--) {
    bytes[p] = (rest % 0x80) | (p === end - 1 ? 0 : 0x80)
    rest = Math.floor(rest / 0x80)
  }
  return end
}

/** The serial type of an integer, which says how many bytes it takes. Types 8 and 9 are the integers 0 and 1 (section 2.1). */
export function serialType(integer: number): number {
  if (integer === 0) return 8
  if (integer === 1) return 9
  const size = integer < 0 ? -(integer + 1) : integer
  if (size < 2 ** 7) return 1
  if (size < 2 ** 15) return 2
  if (size < 2 ** 23) return 3
  if (size < 2 ** 31) return 4
  return size < 2 ** 47 ? 5 : 6
}

/** Bytes of an integer by its serial type. */
export const BYTES_OF = [0, 1, 2, 3, 4, 6, 8, 0, 0, 0] as const

/** Writes the bytes of an integer, the highest first. Returns where they end. */
export function putInteger(bytes: Uint8Array, at: number, integer: number, length: number): number {
  let rest = integer
  for (let p = at + length - 1; p >= at; p--) {
    const low = ((rest % 0x100) + 0x100) % 0x100
    bytes[p] = low
    rest = (rest - low) / 0x100
  }
  return at + length
}
