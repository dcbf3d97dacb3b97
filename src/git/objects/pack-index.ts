import { ArchiveError } from '../../base/errors.ts'
import type { RandomAccessFile } from './random-access-file.ts'

// Git gives packs names such as pack-<checksum>.pack, but reads those of any name. Not files of macOS beside them.
const PACK_FILE = /^(?!\._)[^/]+\.(?:pack|idx)$/

/** Whether this is the name of a pack or its index. */
export const isPackFile = (name: string): boolean => PACK_FILE.test(name)

/** The offset of each object in a pack. */
export interface PackIndex {
  readonly count: number
  /** The position of an id in the index, from 0; undefined if it is not there. */
  placeOf(oid: string): number | undefined
  /** The offset of an object in the pack; undefined if it is not there. */
  offsetOf(oid: string): number | undefined
  /** Up to `limit` ids with this prefix of at least two digits. */
  startingWith(digits: string, limit: number): string[]
}

// Below this number, ids are read together.
const AT_ONCE = 1_000

/** Reads a pack index on demand. Throws `git-object-damaged`. */
export function readPackIndex(file: RandomAccessFile): PackIndex {
  const fail = (message: string): never => {
    throw new ArchiveError('git-object-damaged', message, { entry: file.path })
  }
  const layout = readIndexLayout(file)
  if (typeof layout === 'string') return fail(layout)
  const { count, upTo, names: start, nameStep: step } = layout
  const nameAt = (place: number) => file.read(start + step * place, NAME)
  /** The first position whose id is not less than `name`. */
  const search = (name: Buffer): number => {
    let low = upTo[(name[0] as number) - 1] ?? 0
    let high = upTo[name[0] as number] as number
    while (high - low > AT_ONCE) {
      const middle = Math.floor((low + high) / 2)
      if (nameAt(middle).compare(name) < 0) low = middle + 1
      else high = middle
    }
    // The rest is compared in place, without a view for each id: by their first bytes, which are hardly ever the same.
    const from = low
    const names = file.read(start + step * low, step * (high - low))
    const head = headOf(name, 0)
    while (low < high) {
      const middle = (low + high) >> 1
      const at = step * (middle - from)
      const order = headOf(names, at) - head || names.compare(name, 0, NAME, at, at + NAME)
      if (order < 0) low = middle + 1
      else high = middle
    }
    return low
  }
  // An object is often asked for twice: whether it was seen or how large it is, and then for its content.
  let last: { oid: string; place: number | undefined } | undefined
  const placeOf = (oid: string): number | undefined => {
    if (last?.oid === oid) return last.place
    const name = Buffer.from(oid, 'hex')
    const found = search(name)
    const place = found < count && nameAt(found).equals(name) ? found : undefined
    last = { oid, place }
    return place
  }
  return {
    count,
    placeOf,
    offsetOf(oid) {
      const place = placeOf(oid)
      if (place === undefined) return undefined
      return readOffset(file, layout, place) ?? fail('the index ends early')
    },
    startingWith(digits, most) {
      const found: string[] = []
      for (let place = search(Buffer.from(digits.padEnd(40, '0'), 'hex')); place < count; place++) {
        const oid = nameAt(place).toString('hex')
        if (!oid.startsWith(digits) || found.length >= most) break
        found.push(oid)
      }
      return found
    },
  }
}

/** The first six bytes of an id as a number; of an index that ends early, not a number. */
const headOf = (bytes: Buffer, at: number): number =>
  (bytes[at] as number) * 2 ** 40 +
  (bytes[at + 1] as number) * 2 ** 32 +
  (bytes[at + 2] as number) * 2 ** 24 +
  (((bytes[at + 3] as number) << 16) | ((bytes[at + 4] as number) << 8) | (bytes[at + 5] as number))

/** The offsets of the parts of a pack index, in bytes. */
export interface IndexLayout {
  readonly version: 1 | 2
  /** Number of objects. */
  readonly count: number
  /** For each byte, the number of ids that begin with it or a smaller byte (the fan-out table). */
  readonly upTo: readonly number[]
  /** The offset of the first id, and the distance to the next. */
  readonly names: number
  readonly nameStep: number
  /** The position of the first offset, and the distance to the next. */
  readonly offsets: number
  readonly offsetStep: number
  /** Where the checksums of objects begin; undefined in version 1. */
  readonly sums: number | undefined
  /** Where the eight-byte offsets begin. Version 1 has none. */
  readonly large: number
}

/** Bytes of an id. */
export const NAME = 20
const MAGIC = 0xff744f63
const TABLE = 256 * 4

/** Reads the header of an index; returns a message if it is no index or its size is wrong. */
export function readIndexLayout(file: RandomAccessFile): IndexLayout | string {
  const head = file.read(0, 8 + TABLE)
  const isFirst = head.length >= TABLE && head.readUInt32BE(0) !== MAGIC
  const start = isFirst ? 0 : 8
  if (head.length < start + TABLE || !(isFirst || head.readUInt32BE(4) === 2)) {
    return 'expected the index of a pack, version 1 or 2'
  }
  const upTo = Array.from({ length: 256 }, (_, byte) => head.readUInt32BE(start + 4 * byte))
  const count = upTo[255] as number
  const layout = isFirst ? layoutOfFirst(count) : layoutOfSecond(count)
  const large = (file.size - 2 * NAME - layout.large) / 8
  // Version 1 has no magic number; only its size tells it from other files.
  const most = isFirst ? 0 : count
  if (!upTo.every((value, i) => value >= (upTo[i - 1] ?? 0))) {
    return 'its table is out of order, or this is no index of a pack'
  }
  if (large < 0 || large > most || !Number.isInteger(large)) {
    return `its size is not that of an index of ${count} objects`
  }
  return { ...layout, count, upTo }
}

const layoutOfFirst = (count: number) => {
  const step = 4 + NAME
  return {
    version: 1 as const,
    offsets: TABLE,
    offsetStep: step,
    names: TABLE + 4,
    nameStep: step,
    sums: undefined,
    large: TABLE + step * count,
  }
}

const layoutOfSecond = (count: number) => {
  const names = 8 + TABLE
  const sums = names + NAME * count
  const offsets = sums + 4 * count
  return {
    version: 2 as const,
    names,
    nameStep: NAME,
    sums,
    offsets,
    offsetStep: 4,
    large: offsets + 4 * count,
  }
}

/** From this offset on, it is the position of an offset of eight bytes. */
export const LARGE = 0x80000000

/** The offset in the pack of the object at this position; undefined if it points beyond the end of the index. */
export function readOffset(
  file: RandomAccessFile,
  layout: IndexLayout,
  place: number,
): number | undefined {
  const { version, offsets, offsetStep, large } = layout
  const offset = file.read(offsets + offsetStep * place, 4).readUInt32BE(0)
  if (version === 1 || offset < LARGE) return offset
  const at = large + 8 * (offset - LARGE)
  return at + 8 > file.size - 2 * NAME ? undefined : Number(file.read(at, 8).readBigUInt64BE(0))
}
