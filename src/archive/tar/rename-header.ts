import {
  BLOCK,
  NUMBERS,
  type NumberField,
  sealHeader,
  tarPadding,
  writeNumber,
} from './tar-header.ts'

type Rename = (name: string) => string

/**
 * The headers of a member under another name, with everything else as it was, also in the header of a long name or an extended
 * header: mode and owner there need not be those of the member. Returns undefined for headers that are not understood, and for
 * a name that does not fit.
 */
export function renameHeader(head: Uint8Array, rename: Rename): Buffer | undefined {
  const pieces: Buffer[] = []
  let known: { old: Buffer; now: Buffer } | undefined
  for (let at = 0; at + BLOCK <= head.length; ) {
    const block = Buffer.from(head.subarray(at, at + BLOCK))
    at += BLOCK
    const type = block[TYPE]
    if (type !== LONG_NAME && type !== EXTENDED) {
      if (at !== head.length) return undefined
      if (known) renameField(block, known.old, known.now)
      else if (!renameInBlock(block, rename)) return undefined
      return Buffer.concat([...pieces, sealHeader(block)])
    }
    const size = readNumber(block, NUMBERS.size)
    const content = Buffer.from(head.subarray(at, at + size))
    at += size + tarPadding(size).length
    const renamed =
      type === LONG_NAME ? renameLong(content, rename) : renameExtended(content, rename)
    // A second name would win over the first.
    if (renamed === undefined || known) return undefined
    known = renamed
    writeNumber(block, renamed.content.length, NUMBERS.size)
    pieces.push(sealHeader(block), renamed.content, tarPadding(renamed.content.length))
  }
  return undefined
}

type Renamed = { old: Buffer; now: Buffer; content: Buffer } | undefined

/** The content of a long name, which ends with a zero. */
function renameLong(content: Buffer, rename: Rename): Renamed {
  const end = content.indexOf(0)
  const bytes = content.subarray(0, end < 0 ? content.length : end)
  const names = renameText(bytes, rename)
  const zeros = Buffer.alloc(content.length - bytes.length)
  return names && { ...names, content: Buffer.concat([names.now, zeros]) }
}

/** The records of an extended header, each `<length> <name>=<value>` and a line feed, with another path. */
function renameExtended(content: Buffer, rename: Rename): Renamed {
  const records: Buffer[] = []
  let names: Omit<NonNullable<Renamed>, 'content'> | undefined
  for (let at = 0; at < content.length; ) {
    const [whole, length] = /^(\d{1,9}) /.exec(content.toString('latin1', at, at + 10)) ?? []
    const end = at + Number(length)
    if (whole === undefined || end > content.length || end <= at + whole.length) return undefined
    const record = content.subarray(at, end)
    const start = whole.length + PATH.length
    if (record.toString('latin1', whole.length, start) === PATH) {
      names = renameText(record.subarray(start, -1), rename)
      if (!names) return undefined
      records.push(extendedRecord(names.now))
    } else records.push(record)
    at = end
  }
  return names && { ...names, content: Buffer.concat(records) }
}

const PATH = 'path='

/** A record whose length counts its own digits. */
function extendedRecord(path: Buffer): Buffer {
  const rest = 1 + PATH.length + path.length + 1
  let length = rest
  while (length !== rest + String(length).length) length = rest + String(length).length
  return Buffer.concat([Buffer.from(`${length} ${PATH}`), path, Buffer.from('\n')])
}

/** Undefined for text that is not UTF-8: it would not come back. */
function renameText(bytes: Buffer, rename: Rename): { old: Buffer; now: Buffer } | undefined {
  const text = bytes.toString('utf8')
  if (!Buffer.from(text).equals(bytes)) return undefined
  return { old: Buffer.from(text), now: Buffer.from(rename(text)) }
}

/** Renames a member without a header before it. In ustar the beginning of a path may stand apart. Returns whether it fits. */
function renameInBlock(block: Buffer, rename: Rename): boolean {
  const isUstar = block.toString('latin1', MAGIC, MAGIC + USTAR.length) === USTAR
  const prefix = isUstar ? textAt(block, PREFIX, PREFIX_LENGTH) : Buffer.alloc(0)
  const name = textAt(block, 0, NAME)
  const path = prefix.length > 0 ? Buffer.concat([prefix, SLASH, name]) : name
  const names = renameText(path, rename)
  if (!names) return false
  const { now } = names
  // It is divided where it was, counted from its end, or else where it fits.
  const depth = (bytes: Buffer) => bytes.filter((byte) => byte === SLASH[0]).length
  const places = [...now.keys()].filter((at) => now[at] === SLASH[0] && at > 0)
  const before = prefix.length > 0 ? places.at(-1 - depth(name)) : undefined
  const whole = prefix.length === 0 ? [-1] : []
  const fits = [...whole, ...(before === undefined ? [] : [before]), -1, ...(isUstar ? places : [])]
  const at = fits.find(
    (place) => now.length - place - 1 <= NAME && now.length > place + 1 && place <= PREFIX_LENGTH,
  )
  if (at === undefined) return false
  block.fill(0, 0, NAME)
  now.copy(block, 0, at + 1)
  if (isUstar) {
    block.fill(0, PREFIX, PREFIX + PREFIX_LENGTH)
    if (at > 0) now.copy(block, PREFIX, 0, at)
  }
  return true
}

/** The bytes of a field before its first zero. */
function textAt(block: Buffer, start: number, length: number): Buffer {
  const field = block.subarray(start, start + length)
  const end = field.indexOf(0)
  return Buffer.from(end < 0 ? field : field.subarray(0, end))
}
/** Where the member repeats the name as far as it fits, all or with a zero at the end; some programs have other words. */
function renameField(block: Buffer, old: Buffer, now: Buffer): void {
  const field = block.subarray(0, NAME)
  const length = [NAME, NAME - 1].find((most) => {
    const usual = Buffer.alloc(NAME)
    old.copy(usual, 0, 0, Math.min(most, old.length))
    return usual.equals(field)
  })
  if (length === undefined) return
  field.fill(0)
  now.copy(field, 0, 0, Math.min(length, now.length))
}

const NAME = 100
const TYPE = 156
const LONG_NAME = 'L'.charCodeAt(0)
const EXTENDED = 'x'.charCodeAt(0)
const SLASH = Buffer.from('/')
/** Where ustar says so, and where it has the beginning of a path. */
const MAGIC = 257
const USTAR = 'ustar\0'
const PREFIX = 345
const PREFIX_LENGTH = 155

/** A number in octal digits; 0 for any other. */
function readNumber(block: Buffer, [at, width]: NumberField): number {
  const [digits] = /[0-7]+/.exec(block.toString('latin1', at, at + width)) ?? []
  return Number.parseInt(digits ?? '0', 8)
}
