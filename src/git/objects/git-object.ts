import { createHash, hash } from 'node:crypto'
import { ArchiveError, type Place } from '../../errors.ts'

export type ObjectType = 'commit' | 'tree' | 'blob' | 'tag'

/** An object of Git as it is stored, unpacked; its id was compared with the content. */
export interface GitObject {
  readonly oid: string
  readonly type: ObjectType
  readonly content: Buffer
}

/** An object of Git whose content comes piece by piece, and can be read once. */
export interface StreamedObject {
  readonly oid: string
  readonly type: ObjectType
  /** Bytes of the content. */
  readonly size: number
  readonly content: readonly [Buffer] | AsyncIterable<Buffer>
}

/** Forty hexadecimal digits. */
export const isOid = (text: string): boolean => /^[0-9a-f]{40}$/.test(text)

/** The id of an object: the SHA-1 of its type, size and content. */
function idOf(type: ObjectType, content: Uint8Array): string {
  const head = `${type} ${content.length}\0`
  if (head.length + content.length > SCRATCH.length) {
    return createHash('sha1').update(head).update(content).digest('hex')
  }
  // Most objects are small, and one call with all of it takes half the time.
  SCRATCH.write(head, 'latin1')
  SCRATCH.set(content, head.length)
  return hash('sha1', SCRATCH.subarray(0, head.length + content.length), 'hex')
}

const SCRATCH = Buffer.alloc(16 * 2 ** 10)

/**
 * The same object, which is what its id says: Git's own data may name what they do not hold. Throws
 * `git-object-damaged`.
 */
export function checkObject<T extends GitObject>(object: T, place: Place): T {
  if (idOf(object.type, object.content) === object.oid) return object
  throw anotherObject(object.oid, place)
}

/**
 * The same of an object whose content comes piece by piece: then that throws. The last piece comes when all are what the
 * id says, so that nobody is given the whole of another object.
 */
export function checkStream(object: StreamedObject, place: Place): StreamedObject {
  const { content } = object
  if (Symbol.asyncIterator in content) return { ...object, content: checkPieces(object, place) }
  checkObject({ ...object, content: content[0] }, place)
  return object
}

async function* checkPieces(
  { oid, type, size, content }: StreamedObject,
  place: Place,
): AsyncGenerator<Buffer> {
  const hash = createHash('sha1').update(`${type} ${size}\0`)
  let last: Buffer | undefined
  for await (const piece of content) {
    if (last) yield last
    hash.update(piece)
    last = piece
  }
  if (hash.digest('hex') !== oid) throw anotherObject(oid, place)
  if (last) yield last
}

const anotherObject = (oid: string, place: Place) =>
  new ArchiveError('git-object-damaged', `what is stored as ${oid} is another object`, place)

/** Refuses an object, or a difference to one, of so many bytes before it is unpacked; no type is one not known yet. */
export type CheckSize = (size: number, type?: ObjectType) => void

// Taken apart, an object takes many times its bytes; the largest trees and commits there are have a few MiB.
const LARGEST_TREE = 32 * 2 ** 20
const LARGEST_TEXT = 8 * 2 ** 20

/**
 * Throws `git-too-large` for more than `maxObject` bytes, and for a commit, tag or tree that is larger than any that Git
 * made for a purpose.
 */
export const sizeCheck =
  (maxObject: number, place: Place): CheckSize =>
  (size, type = 'blob') => {
    const largest = type === 'tree' ? LARGEST_TREE : LARGEST_TEXT
    const most = type === 'blob' ? maxObject : Math.min(maxObject, largest)
    if (size <= most) return
    const what = type === 'blob' ? 'an object' : `a ${type}`
    throw new ArchiveError(
      'git-too-large',
      `${what} has ${size} bytes, of ${most} that are read`,
      place,
    )
  }

const BROKEN = new Set(['git-object-damaged', 'git-object-missing', 'git-too-large'])

/** Whether an error says that an object is missing, damaged or too large, and nothing else is wrong. */
export const isBroken = (error: unknown): boolean =>
  error instanceof ArchiveError && BROKEN.has(error.code)
