import { inflateSync } from 'node:zlib'
import { ArchiveError } from '../errors.ts'
import type { GitObject, ObjectType } from './git-object.ts'
import { inflate } from './inflate.ts'
import type { StoredFile } from './stored-file.ts'

// `commit 234` and a zero.
const HEAD = /^(commit|tree|blob|tag) (\d{1,15})\0/
const LONGEST_HEAD = 32

/** Unpacks an object that is a file of its own. `check` refuses a size. Throws `git-object-damaged`. */
export function readLooseObject(
  file: StoredFile,
  check: (size: number) => void,
): Omit<GitObject, 'oid'> {
  const [head, type, digits] = HEAD.exec(headOf(file).toString('latin1')) ?? []
  if (head === undefined) {
    throw new ArchiveError('git-object-damaged', 'this is no object of Git', { entry: file.path })
  }
  const size = Number(digits)
  check(size)
  const content = inflate(file, 0, head.length + size).subarray(head.length)
  return { type: type as ObjectType, content }
}

/** The first bytes of the unpacked file, if it can be unpacked. */
function headOf(file: StoredFile): Buffer {
  try {
    const packed = file.read(0, 4 * LONGEST_HEAD)
    // Flushed like this, zlib gives what it has and does not ask for the rest.
    const unpacked = inflateSync(packed, { finishFlush: 2, maxOutputLength: 2 ** 18 })
    return unpacked.subarray(0, LONGEST_HEAD)
  } catch (error) {
    const { message } = error as Error
    throw new ArchiveError('git-object-damaged', message, { entry: file.path }, error)
  }
}
