import { ArchiveError } from '../errors.ts'
import type { StoredFile } from './stored-file.ts'

/** Where in a pack each object is. */
export interface PackIndex {
  readonly count: number
  /** Its place among the names, from 0; undefined for an object that is not there. */
  placeOf(oid: string): number | undefined
  /** Bytes before the object in the pack; undefined for one that is not there. */
  offsetOf(oid: string): number | undefined
  /** Some ids that begin with these digits (of which there are at least two), `most` of them. */
  startingWith(digits: string, most: number): string[]
}

const MAGIC = 0xff744f63
const FANOUT = 8
const NAMES = FANOUT + 256 * 4
const NAME = 20
// Names that are read together.
const AT_ONCE = 1_000
// What follows the names: four bytes of checksum and four of offset for each object.
const LARGE = 0x80000000

/** Opens an index of version 2, of which only what is asked for is read. Throws `git-object-damaged`. */
export function openPackIndex(file: StoredFile): PackIndex {
  const head = file.read(0, NAMES)
  const fail = (message: string): never => {
    throw new ArchiveError('git-object-damaged', message, { entry: file.path })
  }
  if (head.length < NAMES || head.readUInt32BE(0) !== MAGIC || head.readUInt32BE(4) !== 2) {
    return fail('expected the index of a pack, version 2')
  }
  const upTo = Array.from({ length: 256 }, (_, byte) => head.readUInt32BE(FANOUT + 4 * byte))
  const count = upTo[255] as number
  const offsets = NAMES + (NAME + 4) * count
  const isSorted = upTo.every((value, i) => value >= (upTo[i - 1] ?? 0))
  if (!isSorted || file.size < offsets + 4 * count + 2 * NAME) {
    return fail(`the index is shorter than its ${count} objects, or its table is out of order`)
  }
  const nameAt = (place: number) => file.read(NAMES + NAME * place, NAME)
  /** The first place whose name is not before `name`. */
  const search = (name: Buffer): number => {
    let low = upTo[(name[0] as number) - 1] ?? 0
    let high = upTo[name[0] as number] as number
    while (high - low > AT_ONCE) {
      const middle = Math.floor((low + high) / 2)
      if (nameAt(middle).compare(name) < 0) low = middle + 1
      else high = middle
    }
    // What is left is looked at where it is, without a view of each name.
    const from = low
    const names = file.read(NAMES + NAME * low, NAME * (high - low))
    while (low < high) {
      const middle = (low + high) >> 1
      const at = NAME * (middle - from)
      if (names.compare(name, 0, NAME, at, at + NAME) < 0) low = middle + 1
      else high = middle
    }
    return low
  }
  const placeOf = (oid: string): number | undefined => {
    const name = Buffer.from(oid, 'hex')
    const place = search(name)
    return place < count && nameAt(place).equals(name) ? place : undefined
  }
  return {
    count,
    placeOf,
    offsetOf(oid) {
      const place = placeOf(oid)
      if (place === undefined) return undefined
      const offset = file.read(offsets + 4 * place, 4).readUInt32BE(0)
      if (offset < LARGE) return offset
      const large = file.read(offsets + 4 * count + 8 * (offset - LARGE), 8)
      return large.length < 8 ? fail('the index ends early') : Number(large.readBigUInt64BE(0))
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
