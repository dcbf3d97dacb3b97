import { ArchiveError } from '../../errors.ts'
import { NAME, readIndexLayout, readOffset } from './index-layout.ts'
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

// Names that are read together.
const AT_ONCE = 1_000

/** Opens an index, of which only what is asked for is read. Throws `git-object-damaged`. */
export function openPackIndex(file: StoredFile): PackIndex {
  const fail = (message: string): never => {
    throw new ArchiveError('git-object-damaged', message, { entry: file.path })
  }
  const layout = readIndexLayout(file)
  if (typeof layout === 'string') return fail(layout)
  const { count, upTo, names: start, nameStep: step } = layout
  const nameAt = (place: number) => file.read(start + step * place, NAME)
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
    const names = file.read(start + step * low, step * (high - low))
    while (low < high) {
      const middle = (low + high) >> 1
      const at = step * (middle - from)
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
