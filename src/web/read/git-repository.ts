import { ArchiveError } from '../../errors.ts'
import { readTree } from '../../git/history/walk-tree.ts'
import { isBroken, isOid } from '../../git/objects/git-object.ts'
import { type Repository as GitRepository, openRepository } from '../../git/open-repository.ts'
import { isFolder, parseTree, type TreeEntry } from '../../git/parse/parse-tree.ts'
import { findRef } from '../../git/refs/read-refs.ts'
import { createLruCache, type LruCache } from '../../lru-cache.ts'
import type { Repository } from './library.ts'
import type { Store } from './store.ts'

/** Repositories that stay open in each database. */
const MOST_OPEN = 16
const opened = new WeakMap<Store, LruCache<string, GitRepository>>()

/** The Git data of a repository or its wiki; undefined if the database has none. Throws as `openRepository` does. */
export function openGit(
  { store, fullName, hasGit, hasWiki }: Repository,
  isWiki = false,
): GitRepository | undefined {
  if (isWiki ? !hasWiki : !hasGit) return undefined
  const name = isWiki ? `${fullName}.wiki` : fullName
  const cache = opened.get(store) ?? createLruCache<string, GitRepository>(MOST_OPEN)
  opened.set(store, cache)
  const known = cache.get(name)
  if (known) return known
  try {
    const git = openRepository(store.database, name)
    cache.set(name, git)
    return git
  } catch (error) {
    if (error instanceof ArchiveError && error.code === 'repository-not-found') return undefined
    throw error
  }
}

/** A revision that an address names. */
export interface Revision {
  /** As in addresses: `main`, `v1.0`, or an object id. */
  readonly name: string
  readonly kind: 'branch' | 'tag' | 'commit' | 'ref'
  /** The commit. */
  readonly oid: string
}

const PLACES = [
  ['refs/heads/', 'branch'],
  ['refs/tags/', 'tag'],
] as const

/** Slashes in the name of a ref that are tried. */
const LONGEST = 16

/**
 * Splits what follows `tree/` or `blob/` in an address: the name of a ref, which may have slashes, and a path. Undefined if
 * no ref and no commit has the name.
 */
export function findRevision(
  { store }: Repository,
  git: GitRepository,
  parts: readonly string[],
): { revision: Revision; path: readonly string[] } | undefined {
  for (let length = 1; length <= Math.min(parts.length, LONGEST); length++) {
    const name = parts.slice(0, length).join('/')
    const revision = revisionOf(store, git, name)
    if (revision) return { revision, path: parts.slice(length) }
  }
  return undefined
}

/** The revision with this name alone. */
export function revisionOf(store: Store, git: GitRepository, name: string): Revision | undefined {
  const named = (ref: string) => {
    const oid = findRef(store.database, git.name, ref)?.oid
    return oid ? commitOf(git, oid) : undefined
  }
  if (isOid(name)) {
    const oid = commitOf(git, name)
    return oid === undefined ? undefined : { name, kind: 'commit', oid }
  }
  for (const [place, kind] of PLACES) {
    const oid = named(place + name)
    if (oid !== undefined) return { name, kind, oid }
  }
  if (name === 'HEAD' || /^refs\/(?:heads|tags|pull)\/./.test(name)) {
    const oid = named(name)
    return oid === undefined ? undefined : { name, kind: 'ref', oid }
  }
  const oid = commitNamed(git, name)
  return oid === undefined ? undefined : { name: oid, kind: 'commit', oid }
}

/** The commit with an id, or the only one whose id begins so; seven digits at least. */
export function commitNamed(git: GitRepository, digits: string): string | undefined {
  if (!/^[0-9a-f]{7,40}$/i.test(digits)) return undefined
  const [oid, another] =
    digits.length === 40 ? [digits.toLowerCase()] : git.objects.startingWith(digits.toLowerCase())
  return oid === undefined || another !== undefined ? undefined : commitOf(git, oid)
}

/** The commit that an id names, also as a tag; undefined if there is none. */
export function commitOf({ objects, resolve }: GitRepository, oid: string): string | undefined {
  try {
    return objects.has(oid) ? resolve(oid, 'commit') : undefined
  } catch (error) {
    if (error instanceof ArchiveError && error.code === 'git-revision-not-found') return undefined
    if (isBroken(error)) return undefined
    throw error
  }
}

/**
 * Finds what is at a path. A name that is not UTF-8 is found as it is shown, with U+FFFD.
 *
 * @param tree the id of a tree
 */
export function findAt(
  { objects }: GitRepository,
  tree: string,
  path: readonly string[],
): TreeEntry | undefined {
  let entry: TreeEntry | undefined = { mode: '040000', name: '', bytes: '', oid: tree }
  for (const part of path) {
    if (entry === undefined || !isFolder(entry)) return undefined
    const bytes = Buffer.from(part).toString('latin1')
    let similar: TreeEntry | undefined
    let exact: TreeEntry | undefined
    for (const one of parseTree(readTree(objects, entry.oid))) {
      if (one.bytes === bytes) {
        exact = one
        break
      }
      if (one.name === part) similar ??= one
    }
    entry = exact ?? similar
  }
  return entry
}

/** Whether an address can name an entry: Git refuses other names, but archives may hold them. */
export const isAddressable = ({ name }: { name: string }): boolean =>
  name !== '' && name !== '.' && name !== '..' && !/[/\0]/.test(name)

/** The name of the branch that a repository begins with; undefined if it has no commits. */
export function defaultRevision(repository: Repository, git: GitRepository): Revision | undefined {
  const { store, url } = repository
  return store.remember(`default branch ${url}`, (): { revision: Revision | undefined } => {
    const named = store.get<{ default_branch: string | null }>(
      'SELECT default_branch FROM repositories WHERE url = ?',
      url,
    )?.default_branch
    const head = findRef(store.database, git.name, 'HEAD')?.target?.replace(/^refs\/heads\//, '')
    for (const name of [named, head, 'main', 'master']) {
      const revision = name ? revisionOf(store, git, name) : undefined
      if (revision) return { revision }
    }
    return { revision: undefined }
  }).revision
}
