import type { ObjectType } from '../parse/git-object.ts'

const ID = 20

/** Ids of objects that are stored together, sorted, 20 bytes each. */
export interface StoredIds {
  readonly ids: Buffer
  /** The number of the first; the others follow. */
  readonly first: number
}

/** The ids of all objects of a repository, each with a number. Memory: 21 bytes per object. */
export interface ObjectTable {
  /** Number of ids. An object that is stored twice has two. */
  readonly count: number
  /** The number of the id at `at`; undefined if there is no such object. */
  find(bytes: Buffer, at: number): number | undefined
  /** The same for an id in hexadecimal. */
  findOid(oid: string): number | undefined
  /** Notes that a link requires this type. */
  expect(number: number, type: ObjectType): void
  /** Notes the type of an object that was read. */
  setType(number: number, type: ObjectType): void
  /** The type of an object; undefined if it could not be read. */
  typeOf(number: number): ObjectType | undefined
  /** Whether an object has another type than a link requires. */
  hasWrongTypes(): boolean
}

const TYPES: readonly ObjectType[] = ['commit', 'tree', 'blob', 'tag']
const BIT: Readonly<Record<ObjectType, number>> = { commit: 1, tree: 2, blob: 4, tag: 8 }
// The type that links require is in the lower half of a byte, the type in the upper.
const EXPECTED = 15

/** Makes a table of ids that are stored in several places. */
export function createObjectTable(stored: readonly StoredIds[]): ObjectTable {
  const places = stored.map(({ ids, first }) => ({ first, find: finderOf(ids) }))
  const count = stored.reduce((sum, { ids }) => sum + ids.length / ID, 0)
  const facts = new Uint8Array(count)
  const find = (bytes: Buffer, at: number): number | undefined => {
    for (const { first, find } of places) {
      const place = find(bytes, at)
      if (place !== undefined) return first + place
    }
    return undefined
  }
  const note = (number: number, bits: number) => {
    facts[number] = (facts[number] as number) | bits
  }
  return {
    count,
    find,
    findOid: (oid) => find(Buffer.from(oid, 'hex'), 0),
    expect: (number, type) => note(number, BIT[type]),
    setType: (number, type) => note(number, BIT[type] << 4),
    typeOf(number) {
      const bits = (facts[number] as number) >> 4
      return TYPES.find((type) => BIT[type] === bits)
    },
    hasWrongTypes: () =>
      facts.some((fact) => fact > EXPECTED && (fact & EXPECTED & ~(fact >> 4)) !== 0),
  }
}

/** With more ids, the first two bytes narrow the search: 256 KiB save half of its steps. */
const MANY = 2 ** 14

/** Creates a binary search for an id among sorted ones. */
export function finderOf(ids: Buffer): (bytes: Buffer, at: number) => number | undefined {
  const view = new DataView(ids.buffer, ids.byteOffset, ids.length)
  const shift = ids.length > ID * MANY ? 16 : 24
  const upTo = countByBeginning(view, shift)
  return (bytes, at) => {
    // Ids are hardly ever equal in their first four bytes.
    const head = bytes.readUInt32BE(at)
    const beginning = head >>> shift
    let low = beginning === 0 ? 0 : (upTo[beginning - 1] as number)
    let high = upTo[beginning] as number
    while (low < high) {
      const middle = (low + high) >>> 1
      const start = ID * middle
      const order =
        view.getUint32(start) - head || ids.compare(bytes, at, at + ID, start, start + ID)
      if (order === 0) return middle
      if (order < 0) low = middle + 1
      else high = middle
    }
    return undefined
  }
}

/** For each beginning, four bytes without the last `shift` bits, the number of ids up to it. */
function countByBeginning(view: DataView, shift: number): Uint32Array {
  const upTo = new Uint32Array(2 ** (32 - shift))
  for (let at = 0; at < view.byteLength; at += ID) {
    const beginning = view.getUint32(at) >>> shift
    upTo[beginning] = (upTo[beginning] as number) + 1
  }
  for (let i = 1; i < upTo.length; i++) {
    upTo[i] = (upTo[i] as number) + (upTo[i - 1] as number)
  }
  return upTo
}

/** The id at a place, in hexadecimal. */
export const oidAt = (ids: Buffer, place: number): string =>
  ids.toString('hex', ID * place, ID * (place + 1))
