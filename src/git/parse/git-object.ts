import { createHash, hash } from 'node:crypto'
import { ArchiveError, type Place } from '../../base/errors.ts'
import type { Bytes } from '../../base/streams.ts'

export type ObjectType = 'commit' | 'tree' | 'blob' | 'tag'

/** A Git object whose content was verified against its id. */
export interface GitObject {
  readonly oid: string
  readonly type: ObjectType
  readonly content: Buffer
}

/** A Git object whose content is streamed and can be read once. */
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
export function idOf(type: ObjectType, content: Uint8Array): string {
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

/** The id of an object whose content comes in pieces. */
export async function hashOf(type: ObjectType, size: number, content: Bytes): Promise<string> {
  const hash = createHash('sha1').update(`${type} ${size}\0`)
  for await (const piece of content) hash.update(piece)
  return hash.digest('hex')
}

/**
 * Verifies the content of an object against its id. Throws `git-object-damaged`.
 */
export function checkObject<T extends GitObject>(object: T, place: Place): T {
  if (idOf(object.type, object.content) === object.oid) return object
  throw anotherObject(object.oid, place)
}

/**
 * Verifies a streamed object: its content throws. The last chunk is held back until the id matches, so that no reader
 * gets a wrong object whole.
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
  new ArchiveError('git-object-damaged', `the content of ${oid} does not match its id`, place)

/** Throws if an object or delta of this size is too large to unpack. The type may be unknown. */
export type CheckSize = (size: number, type?: ObjectType) => void

// A parsed object takes many times its size. The largest real trees and commits have a few MiB.
const LARGEST_TREE = 32 * 2 ** 20
const LARGEST_TEXT = 8 * 2 ** 20

/**
 * Creates a check that throws `git-too-large` above `maxObject` bytes, and above 32 MiB for trees and 8 MiB for commits
 * and tags.
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
      `${what} has ${size} bytes; the limit is ${most}`,
      place,
    )
  }

const BROKEN = new Set(['git-object-damaged', 'git-object-missing', 'git-too-large'])

/** Whether an error means that an object is missing, damaged or too large. */
export const isBroken = (error: unknown): boolean =>
  error instanceof ArchiveError && BROKEN.has(error.code)
