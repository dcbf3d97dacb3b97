import { ArchiveError } from '../../errors.ts'
import type { CheckSize } from './check-size.ts'
import type { GitObject, ObjectType, StreamedObject } from './git-object.ts'
import { inflate, inflateHead } from './inflate.ts'
import type { StoredFile } from './stored-file.ts'
import { unpack } from './unpack.ts'

// `commit 234` and a zero.
const HEAD = /^(commit|tree|blob|tag) (\d{1,15})\0/
const LONGEST_HEAD = 32

/** Unpacks an object that is a file of its own. `check` refuses a size. Throws `git-object-damaged`. */
export function readLooseObject(file: StoredFile, check: CheckSize): Omit<GitObject, 'oid'> {
  const { type, size, start } = readLooseHead(file)
  check(size, type)
  return { type, content: inflate(file, 0, start + size).subarray(start) }
}

/** The same, large content piece by piece: what is wrong with that is thrown by it. */
export function streamLooseObject(file: StoredFile, check: CheckSize): Omit<StreamedObject, 'oid'> {
  const { type, size, start } = readLooseHead(file)
  check(size, type)
  return { type, size, content: unpack(file, 0, start + size, start) }
}

/** What the head of such a file says, and where in the unpacked file the content begins. */
export function readLooseHead(file: StoredFile): { type: ObjectType; size: number; start: number } {
  const [head, type, digits] =
    HEAD.exec(inflateHead(file, 0, LONGEST_HEAD).toString('latin1')) ?? []
  if (head === undefined) {
    throw new ArchiveError('git-object-damaged', 'this is no object of Git', { entry: file.path })
  }
  return { type: type as ObjectType, size: Number(digits), start: head.length }
}
