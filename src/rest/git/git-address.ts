import type { Address, Match } from '../../http/router.ts'

/** A request of a Git client. */
export interface GitAddress {
  /** owner/name, without `.git`. */
  readonly name: string
  /** The path in the repository: `info/refs`, `git-upload-pack`, `git-receive-pack`, `HEAD`, `objects/…`. */
  readonly path: string
}

/**
 * Addresses of Git clients. As in other hosts, smart clients may leave out `.git`; plain files need it, or they could be
 * pages.
 */
export const GIT: readonly Address[] = [
  { path: '/:owner/:repo.git/info/refs' },
  { path: '/:owner/:repo/info/refs' },
  { path: '/:owner/:repo.git/git-upload-pack' },
  { path: '/:owner/:repo/git-upload-pack' },
  { path: '/:owner/:repo.git/git-receive-pack' },
  { path: '/:owner/:repo/git-receive-pack' },
  { path: '/:owner/:repo.git/HEAD' },
  { path: '/:owner/:repo.git/objects/:object+' },
]

/** What a request of a Git client names, by the row that it fits. */
export function toGitAddress({ row, params }: Match<Address>): GitAddress {
  const { owner, repo, object = '' } = params
  const path = row.path.split('/').slice(3).join('/')
  return { name: `${owner}/${repo}`, path: path.replace(':object+', () => object) }
}
