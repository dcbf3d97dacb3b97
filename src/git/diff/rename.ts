import type { RawChange } from './change.ts'
import type { Similarity } from './open-similarity.ts'

/** A file that came, what it was before, and how much of it is the same. */
export interface Rename {
  came: RawChange
  source: RawChange
  score: number
}

/** The name of a file without its folders, a byte a character. */
export const nameOf = ({ bytes }: RawChange): string => bytes.slice(bytes.lastIndexOf('/') + 1)

/** How similar what is gone and what came are. */
export const compareRename = (
  source: RawChange,
  came: RawChange,
  least: number,
  similarity: Similarity,
): number => (source.before && came.after ? similarity(source.before, came.after, least) : 0)
