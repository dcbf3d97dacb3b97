import { ArchiveError } from '../../base/errors.ts'
import { findEntry } from '../objects/walk-tree.ts'
import { decodeText } from '../parse/decode-text.ts'
import { isBroken } from '../parse/git-object.ts'
import type { Resolver } from '../resolver.ts'

const NOTES_REF = 'refs/notes/commits'
const LARGEST_NOTE = 2 ** 20
/** Git spreads many notes over folders: `ab/cdef…`, `ab/cd/ef…`. */
const DEEPEST_FANOUT = 3

/**
 * The note that `git notes add` attached to an object, or undefined if there is none or it cannot be read.
 * isomorphic-git's `readNote` is not used here: it finds no notes in folders.
 */
export function readNote({ objects, resolve }: Resolver, oid: string): string | undefined {
  try {
    const tree = resolve(NOTES_REF, 'tree')
    for (let depth = 0; depth <= DEEPEST_FANOUT; depth++) {
      const folders = Array.from({ length: depth }, (_, i) => oid.slice(2 * i, 2 * i + 2))
      const entry = findEntry(objects, tree, [...folders, oid.slice(2 * depth)])
      if (!entry) continue
      const size = objects.sizeOf(entry.oid)
      if (size > LARGEST_NOTE) return `(This note has ${size} bytes and is not shown.)`
      return decodeText(objects.read(entry.oid).content)
    }
    return undefined
  } catch (error) {
    const isMissing = error instanceof ArchiveError && error.code === 'git-revision-not-found'
    if (isMissing || isBroken(error)) return undefined
    throw error
  }
}
