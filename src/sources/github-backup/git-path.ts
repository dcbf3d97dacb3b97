import type { GitPart } from '../source-repository.ts'

/** A file of Git data in a clone. */
export interface GitPath {
  part: GitPart
  /** Whether the clone has a work tree: then only what is in `.git` belongs to Git. */
  hasWorkTree: boolean
  /** The path in the bare repository. */
  path: string
}

const CLONE = /(?:^|\/)(repository|wiki)\/(\.git(?:\/|$))?(.*)$/s

/** Where a file of a clone belongs; `inner` is its path below the folder of the repository. */
export function gitPathOf(inner: string): GitPath {
  const [, part = 'repository', git, path = ''] = CLONE.exec(inner) ?? []
  return { part: part as GitPart, hasWorkTree: git !== undefined, path }
}
