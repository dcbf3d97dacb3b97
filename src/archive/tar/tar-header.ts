/** The unit of a tar: headers and contents fill whole blocks. */
export const BLOCK = 512

const NAME = 100

export interface TarMember {
  /** The name in the tar; that of a directory ends with `/`. */
  name: string
  size: number
  mode: number
  modifiedAt: Date
}

/**
 * A header block without the fields that differ between entries: as latin1, without the name, with 0 for every digit of a
 * number, and without trailing zero bytes.
 */
export type HeaderTemplate = string

/** The headers of a member: one like the template, after a long name if the name does not fit. */
export function tarHeader(member: TarMember, template = hostTemplate(member.name)): Buffer {
  const name = Buffer.from(member.name)
  const header = fillIn(template, member, name)
  if (name.length <= NAME) return header
  const size = name.length + 1 // with the zero at the end
  const long = { name: '././@LongLink', size, mode: 0o644, modifiedAt: new Date(0) }
  const link = fillIn(template, long, Buffer.from(long.name), 'L')
  return Buffer.concat([link, name, Buffer.alloc(1), tarPadding(size), header])
}

/** The template of a header block. */
export function templateOf(block: Uint8Array): HeaderTemplate {
  const template = Buffer.from(block)
  template.fill(0, 0, NAME)
  for (const [at, width] of Object.values(NUMBERS)) {
    const field = template.subarray(at, at + width)
    // If the first bit is set, the number is binary.
    if (field.readUInt8() & 0x80) field.fill(0).write('0'.repeat(width - 1))
    else for (let i = 0; i < width; i++) if (isDigit(field[i] as number)) field[i] = ZERO
  }
  return template.toString('latin1').replace(/\0+$/, '')
}

/** The padding to a multiple of `unit` after `size` bytes. */
export const tarPadding = (size: number, unit = BLOCK): Buffer =>
  Buffer.alloc((unit - (size % unit)) % unit)

/** Offsets and lengths of the numbers in a header. */
export const NUMBERS = { mode: [100, 8], size: [124, 12], time: [136, 12], sum: [148, 8] } as const
export type NumberField = readonly [at: number, width: number]
const TYPE = 156
const ZERO = 0x30

const isDigit = (byte: number): boolean => byte >= ZERO && byte < ZERO + 8

/** Old GNU headers with the owner git, as GitHub writes them. */
function hostTemplate(name: string): HeaderTemplate {
  const block = Buffer.alloc(BLOCK)
  const owner = (500).toString(8).padStart(7, '0')
  const [mode, size, sum] = ['0'.repeat(7), '0'.repeat(11), '000000\0 ']
  block.write(`${mode}\0${owner}\0${owner}\0${size}\0${size}\0${sum}`, NUMBERS.mode[0])
  block.write(name.endsWith('/') ? '5' : '0', TYPE)
  block.write('ustar  \0git', 257)
  block.write('git', 297)
  return block.toString('latin1', 0, 300)
}

function fillIn(template: HeaderTemplate, member: TarMember, name: Buffer, type?: string): Buffer {
  const header = Buffer.alloc(BLOCK)
  header.write(template, 'latin1')
  header.fill(0, 0, NAME)
  name.copy(header, 0, 0, NAME)
  if (type !== undefined) header.write(type, TYPE)
  writeNumber(header, member.mode, NUMBERS.mode)
  writeNumber(header, member.size, NUMBERS.size)
  writeNumber(header, secondsOf(member), NUMBERS.time)
  return sealHeader(header)
}

/** Writes the checksum of a header block, and returns the block. */
export function sealHeader(header: Buffer): Buffer {
  const [at, width] = NUMBERS.sum
  let sum = width * 0x20 // the checksum field counts as spaces
  for (let i = 0; i < BLOCK; i++) if (i < at || i >= at + width) sum += header[i] as number
  writeNumber(header, sum, NUMBERS.sum)
  return header
}

/** A tar cannot hold times before 1970. */
const secondsOf = ({ modifiedAt }: TarMember): number =>
  Math.max(0, Math.floor(modifiedAt.getTime() / 1000))

/**
 * Writes octal digits where there are others: as many as a header has or, if the number is too large, more or binary with the first
 * bit set.
 */
export function writeNumber(header: Buffer, value: number, [at, width]: NumberField): void {
  const field = header.subarray(at, at + width)
  const start = Math.max(0, field.findIndex(isDigit))
  let end = start
  while (end < width && isDigit(field[end] as number)) end++
  const digits = value.toString(8)
  if (digits.length <= end - start) {
    field.write(digits.padStart(end - start, '0'), start)
    return
  }
  field.fill(0)
  if (digits.length < width) field.write(digits.padStart(width - 1, '0'))
  else {
    // If the field cannot hold the number, this is not the header that was read.
    for (let i = width - 1, rest = BigInt(value); i > 0; i--, rest >>= 8n) {
      field[i] = Number(rest & 0xffn)
    }
    field[0] = 0x80
  }
}
