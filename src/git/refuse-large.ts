import { ArchiveError } from '../errors.ts'
import type { GitObject } from './git-object.ts'

// Taken apart, an object takes many times its bytes; the largest trees and commits there are have a few MiB.
const LARGEST = 32 * 2 ** 20

/** Throws `git-too-large` for a commit, tag or tree that is larger than any that Git made for a purpose. */
export function refuseLarge({ oid, type, content }: GitObject): void {
  if (content.length <= LARGEST) return
  const message = `the ${type} ${oid} has ${content.length} bytes, more than the ${LARGEST} that are read`
  throw new ArchiveError('git-too-large', message)
}
