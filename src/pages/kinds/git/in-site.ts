import { walkCommits } from '../../../git/history/walk-commits.ts'
import { createOidSet } from '../../../git/objects/oid-set.ts'
import { type GitData, isUnreadable, unlessUnreadable } from '../../../git/open-git.ts'
import { isBroken } from '../../../git/parse/git-object.ts'
import { readRefs } from '../../../git/refs/read-refs.ts'
import { defaultRevision, openGit } from '../../../reading/git/repository-git.ts'
import { commitNamed, commitOf } from '../../../reading/git/revisions.ts'
import type { Repository } from '../../../reading/library.ts'
import { Memo } from '../../../reading/store.ts'
import { type PageRequest, pageNumber } from '../../page.ts'
import { type PlaceRequest, placeOf } from './git-page.ts'
import { COMMITS_OF_PAGE } from './history.ts'

/** Whether a site has a folder: of the default branch and of tags, or of every ref. */
export function hasFolder(request: PageRequest): boolean {
  const place = placeOf(request)
  return place !== undefined && isShown(place)
}

/** Whether a site has a file: besides those of its folders, each that a text names at a commit. */
export function hasFile(request: PageRequest): boolean {
  const place = placeOf(request)
  return place !== undefined && (place.revision.kind === 'commit' || isShown(place))
}

/** Whether a site has a history: of whole refs, as far as their commits have pages. */
export function hasHistory(request: PageRequest): boolean {
  const place = placeOf(request)
  if (!place || place.place.length > 0 || !isShown(place)) return false
  return (pageNumber(request.query) - 1) * COMMITS_OF_PAGE < request.scope.commits
}

function isShown({ repository, git, revision, scope }: PlaceRequest): boolean {
  if (revision.kind === 'tag') return true
  if (revision.kind !== 'branch') return false
  return scope.allRefs || revision.name === defaultRevision(repository, git)?.name
}

/** Whether a site has the page of a commit: the newest ones of all branches, tags and pull requests. */
export function hasCommit({ library, params, scope }: PageRequest): boolean {
  const { owner = '', repo = '', oid = '' } = params
  const repository = library.repository(`${owner}/${repo}`)
  if (!repository) return false
  try {
    const git = openGit(repository)
    const found = git && commitNamed(git, oid)
    // A page of comments on a commit that is not there is small.
    if (!git || found === undefined) return true
    if (scope.commits === Number.POSITIVE_INFINITY) return true
    return found === oid && newestCommits(repository, git, scope.commits).has(oid)
  } catch (error) {
    if (!isUnreadable(error)) throw error
    return false
  }
}

interface CommitSet {
  readonly oids: { has(oid: string): boolean }
  readonly bytes: number
}

const NEWEST = new Memo<CommitSet>(({ bytes }) => bytes)

function newestCommits({ store, url }: Repository, git: GitData, count: number): CommitSet['oids'] {
  const { oids } = store.remember(NEWEST, `${count} ${url}`, () => {
    const found = createOidSet(git.objects)
    const set = { oids: found, bytes: git.objects.packed / 8 }
    if (count === 0) return set
    const tips = new Set<string>()
    for (const { oid, peeled } of readRefs(store.database, git.name, 'refs/')) {
      const tip = peeled ?? oid
      const commit =
        tip === null || tips.has(tip) ? undefined : unlessUnreadable(() => commitOf(git, tip))
      if (commit !== undefined) tips.add(commit)
    }
    try {
      for (const { oid } of walkCommits(git.objects, [...tips], { limit: count })) found.add(oid)
    } catch (error) {
      if (!isBroken(error)) throw error
    }
    return set
  })
  return oids
}
