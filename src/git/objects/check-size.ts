import { ArchiveError, type Place } from '../../errors.ts'
import type { ObjectType } from './git-object.ts'

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
