import { ArchiveError } from '../../base/errors.ts'
import { streamLooseObject } from '../objects/object-store.ts'
import type { RandomAccessFile } from '../objects/random-access-file.ts'
import type { ObjectFile } from '../objects/repository-files.ts'
import type { GitFault } from './faults.ts'
import { noteObject, readObject, type Verification } from './verify-object.ts'

// Servers accept no larger objects.
const LARGEST = 512 * 2 ** 20

/** The id of a loose object, as its path has it. */
export const looseOid = (path: string): string => path.slice(-41).replace('/', '')

/** Verifies an object in a file of its own: it can be read and has the id of its path. */
export async function* verifyLoose(
  file: ObjectFile,
  bytes: RandomAccessFile,
  number: number,
  verification: Verification,
): AsyncGenerator<GitFault> {
  const place = { entry: file.entry, oid: looseOid(file.path) }
  const object = await readLoose(bytes)
  const wrong =
    typeof object === 'string'
      ? object
      : object.oid === place.oid
        ? noteObject(object, number, verification)
        : `it is the object ${object.oid}`
  if (wrong) yield verification.fault('git-object-damaged', wrong, place)
}

const readLoose = (bytes: RandomAccessFile) =>
  readObject(() =>
    streamLooseObject(bytes, (size) => {
      if (size <= LARGEST) return
      throw new ArchiveError('git-too-large', `it has ${size} bytes, too many to verify`)
    }),
  )
