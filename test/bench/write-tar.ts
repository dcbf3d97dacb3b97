/** Makes the bytes of entries with old GNU headers, as the host writes them. */

const blockSize = 512
const recordSize = 10_240

export interface Entry {
  /** Ends with a slash for a directory. */
  readonly name: string
  readonly size: number
  readonly mode: number
  /** Seconds since 1970. */
  readonly mtime: number
}

/** A whole entry. */
export function entryOf(entry: Omit<Entry, 'size'>, content: Uint8Array): Buffer {
  const head = entryHead({ ...entry, size: content.length })
  const bytes = Buffer.alloc(head.length + padded(content.length, blockSize))
  head.copy(bytes)
  bytes.set(content, head.length)
  return bytes
}

/** The header, preceded by the name if it is too long for the header. */
export function entryHead(entry: Entry): Buffer {
  const type = entry.name.endsWith('/') ? '5' : '0'
  const name = Buffer.from(entry.name)
  if (name.length <= 100) return header(name, entry, type)
  const longName = Buffer.alloc(padded(name.length + 1, blockSize))
  name.copy(longName)
  const link = { name: '././@LongLink', size: name.length + 1, mode: 0, mtime: 0 }
  return Buffer.concat([
    header(Buffer.from(link.name), link, 'L'),
    longName,
    header(name.subarray(0, 100), entry, type),
  ])
}

/** The zeros that follow content of that size. */
export function padding(size: number): Buffer {
  return Buffer.alloc(padded(size, blockSize) - size)
}

/** The end of an archive of that many bytes so far. */
export function trailer(written: number): Buffer {
  return Buffer.alloc(padded(written + 2 * blockSize, recordSize) - written)
}

function padded(size: number, unit: number): number {
  return Math.ceil(size / unit) * unit
}

function header(name: Uint8Array, { size, mode, mtime }: Entry, type: string): Buffer {
  const bytes = Buffer.alloc(blockSize)
  const octal = (value: number, at: number, digits: number) => {
    const text = value.toString(8).padStart(digits, '0')
    if (text.length > digits) throw new RangeError(`${value} does not fit into a tar header`)
    bytes.write(text, at)
  }
  bytes.set(name)
  octal(mode, 100, 7)
  octal(500, 108, 7)
  octal(500, 116, 7)
  if (size < 8 ** 11) {
    octal(size, 124, 11)
  } else {
    // Beyond 8 GiB as GNU tar has it: the number itself, marked by the first bit.
    bytes[124] = 0x80
    bytes.writeUIntBE(size, 130, 6)
  }
  octal(mtime, 136, 11)
  bytes.write(`        ${type}`, 148)
  bytes.write('ustar  ', 257)
  bytes.write('git', 265)
  bytes.write('git', 297)
  let sum = 0
  for (const byte of bytes) sum += byte
  bytes.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  return bytes
}
