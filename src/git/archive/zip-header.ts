/** The largest number of a field of 32 bits; a field that holds it says that another one has the number. */
export const FULL = 0xffffffff
/** The flag of a file whose checksum and sizes follow its content. */
export const SIZES_FOLLOW = 8

/** A file in a zip. */
export interface ZipFile {
  path: Buffer
  flags: number
  method: number
  seconds: number
  crc: number
  packed: number
  size: number
  /** Where its local header begins. */
  offset: number
  /** The type and permissions of Unix, shifted, or 0x10 for a folder. */
  attributes: number
}

/** Whether the sizes of a file may need 64 bits. Deflate adds less than a thousandth to what it cannot compress. */
export const isLarge = ({ size }: ZipFile): boolean => size > FULL - FULL / 1000

/** The fields that a local header and the directory have in common, from the version needed to the lengths. */
export function commonFields(file: ZipFile, extra: number, { isLong }: { isLong: boolean }) {
  const { path, flags, method, seconds, crc, packed, size } = file
  const fields = Buffer.alloc(26)
  fields.writeUInt16LE(isLong ? 45 : 20)
  fields.writeUInt16LE(flags, 2)
  fields.writeUInt16LE(method, 4)
  fields.writeUInt32LE(dosTime(seconds), 6)
  fields.writeUInt32LE(crc, 10)
  fields.writeUInt32LE(isLong ? FULL : packed, 14)
  fields.writeUInt32LE(isLong ? FULL : size, 18)
  fields.writeUInt16LE(path.length, 22)
  fields.writeUInt16LE(extra, 24)
  return fields
}

const LOCAL = Buffer.from('PK\x03\x04', 'latin1')

/** The header before the content of a file. */
export function localHeader(file: ZipFile): Buffer {
  const isLong = isLarge(file)
  const extra = isLong
    ? Buffer.concat([timeField(file), longField([file.size, file.packed])])
    : timeField(file)
  // Checksum and sizes that follow the content are 0 in the header.
  const follows = (file.flags & SIZES_FOLLOW) !== 0
  const known = follows ? { ...file, crc: 0, packed: 0, size: 0 } : file
  return Buffer.concat([LOCAL, commonFields(known, extra.length, { isLong }), file.path, extra])
}

/** The time in UTC to the second; the other one has no zone, and counts two seconds. */
export function timeField({ seconds }: ZipFile): Buffer {
  const field = Buffer.from('UT\x05\x00\x01\0\0\0\0', 'latin1')
  field.writeUInt32LE(Math.min(seconds, FULL), 5)
  return field
}

/** Numbers of 64 bits. */
export function longField(numbers: readonly number[]): Buffer {
  const field = Buffer.alloc(4 + 8 * numbers.length)
  field.writeUInt16LE(1)
  field.writeUInt16LE(8 * numbers.length, 2)
  numbers.forEach((number, i) => {
    field.writeBigUInt64LE(BigInt(number), 4 + 8 * i)
  })
  return field
}

/** The date in the upper half, from 1980 to 2107, and the time in the lower half. */
function dosTime(seconds: number): number {
  const earliest = Date.UTC(1980, 0, 1)
  const latest = Date.UTC(2107, 11, 31, 23, 59, 58)
  const at = new Date(Math.min(Math.max(seconds * 1000, earliest), latest))
  const date = ((at.getUTCFullYear() - 1980) << 9) | ((at.getUTCMonth() + 1) << 5) | at.getUTCDate()
  const time = (at.getUTCHours() << 11) | (at.getUTCMinutes() << 5) | (at.getUTCSeconds() >> 1)
  return date * 0x10000 + time
}
