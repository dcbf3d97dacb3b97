import type { ObjectStore } from './objects/object-store.ts'
import type { ObjectType } from './parse/git-object.ts'

/** The objects of a repository by the revisions that name them. */
export interface Resolver {
  /** owner/name as stored; `.wiki` at the end for a wiki. */
  readonly name: string
  /** The objects of the repository. */
  readonly objects: ObjectStore
  /**
   * Resolves a revision such as `main~2`, `v1.0^{}` or `1a2b3c4` to an object id, peeled to `type` if given.
   * Throws `git-revision-not-found`.
   */
  resolve(revision: string, type?: ObjectType): string
}
