import { createHash } from 'node:crypto'
import { ArchiveError, type Place } from '../../errors.ts'
import { type GitObject, idOf, type StreamedObject } from './git-object.ts'

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
