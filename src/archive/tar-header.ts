/** The unit of a tar: headers and contents fill whole blocks. */
export const BLOCK = 512

const NAME = 100

export interface TarMember {
  /** As the tar has it; a directory's ends with `/`. */
  name: string
  size: number
  mode: number
  modifiedAt: Date
}

/** What precedes a member's content: an old GNU header, before it a name too long for that. */
export function tarHeader(member: TarMember): Buffer {
  const name = Buffer.from(member.name)
  const header = block(member, name.subarray(0, NAME), member.name.endsWith('/') ? '5' : '0')
  if (name.length <= NAME) return header
  const long = {
    name: '././@LongLink',
    size: name.length + 1,
    mode: 0o644,
    modifiedAt: new Date(0),
  }
  const link = block(long, Buffer.from(long.name), 'L')
  // The name ends with a zero, which counts.
  return Buffer.concat([link, name, Buffer.alloc(1), tarPadding(long.size), header])
}

/** The zeros that fill up `unit` after `size` bytes. */
export const tarPadding = (size: number, unit = BLOCK): Buffer =>
  Buffer.alloc((unit - (size % unit)) % unit)

function block(member: TarMember, name: Uint8Array, type: '0' | '5' | 'L'): Buffer {
  const header = Buffer.alloc(BLOCK)
  header.set(name)
  writeNumber(header, member.mode, 100, 8)
  writeNumber(header, 500, 108, 8)
  writeNumber(header, 500, 116, 8)
  writeNumber(header, member.size, 124, 12)
  writeNumber(header, secondsOf(member), 136, 12)
  header.write(' '.repeat(8), 148) // stands in for the sum while it is made
  header.write(type, 156)
  header.write('ustar  \0', 257)
  header.write('git', 265)
  header.write('git', 297)
  const sum = header.reduce((total, byte) => total + byte, 0)
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  return header
}

/** A tar knows no time before 1970. */
const secondsOf = ({ modifiedAt }: TarMember): number =>
  Math.max(0, Math.floor(modifiedAt.getTime() / 1000))

/** Octal digits and a zero; a number too large for them as bytes after a set first bit. */
function writeNumber(header: Buffer, value: number, at: number, width: number): void {
  const digits = value.toString(8)
  if (digits.length < width) {
    header.write(digits.padStart(width - 1, '0'), at)
  } else {
    header[at] = 0x80
    header.writeBigUInt64BE(BigInt(value), at + width - 8)
  }
}
