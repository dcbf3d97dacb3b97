import { ArchiveError } from '../../base/errors.ts'
import { readCommit } from '../../git/history/walk-commits.ts'
import type { GitData } from '../../git/open-git.ts'
import { isOid, type ObjectType } from '../../git/parse/git-object.ts'
import type { Commit } from '../../git/parse/parse-commit.ts'
import { isFullRefName } from '../../rules/ref-name.ts'
import { findObjectRef, headTarget } from './refs.ts'

/** What a name in an address means. */
export interface Revision {
  /** As in addresses: `main`, `v1.0`, `refs/pull/2/head`, or the id of a commit. */
  readonly name: string
  readonly kind: 'branch' | 'tag' | 'ref' | 'commit'
  /** The commit. */
  readonly oid: string
}

/** Slashes in the name of a ref that are tried. */
const LONGEST = 16

/** Digits of an id, at least. */
const FEWEST_DIGITS = 4

/**
 * Splits what follows `tree/` or `blob/` in an address: the name of a ref, which may have slashes, and a path. Throws as
 * `revisionOf` does.
 *
 * @returns undefined if no ref and no commit has the name
 */
export function findRevision(
  git: GitData,
  parts: readonly string[],
): { revision: Revision; path: readonly string[] } | undefined {
  for (let length = 1; length <= Math.min(parts.length, LONGEST); length++) {
    const revision = revisionOf(git, parts.slice(0, length).join('/'))
    if (revision) return { revision, path: parts.slice(length) }
  }
  return undefined
}

/**
 * The commit that a name in an address or a request means: that of an id, a branch, a tag, another ref, or the only commit whose
 * id begins so, in this order. A branch hides a tag with its name, whose full name is `refs/tags/…`; Git itself, and so
 * `marc repo`, would take the tag. Expressions such as `main~2` have no meaning.
 *
 * @returns undefined if nothing has the name, or what has it is not in the archive
 * @throws `git-object-damaged`
 */
export function revisionOf(git: GitData, name: string): Revision | undefined {
  const named = findNamed(git, name, 'commit')
  return named?.kind === 'commit' ? { ...named, name: named.oid } : named
}

/** The tree that a name means: that of a commit, or its own id. Throws `git-object-damaged`. */
export const treeNamed = (git: GitData, name: string): string | undefined =>
  findNamed(git, name, 'tree')?.oid

function findNamed(git: GitData, name: string, type: 'commit' | 'tree'): Revision | undefined {
  if (isOid(name)) {
    const oid = peel(git, name, type)
    return oid === undefined ? undefined : { name, kind: 'commit', oid }
  }
  if (!isFullRefName(`refs/heads/${name}`)) return undefined
  for (const [ref, kind] of placesOf(name)) {
    const found = findObjectRef(git.database, git.name, ref)?.oid
    const oid = found ? peel(git, found, type) : undefined
    if (oid !== undefined) return { name, kind, oid }
  }
  const oid = startingWith(git, name)
  const found = oid === undefined ? undefined : peel(git, oid, type)
  return found === undefined ? undefined : { name, kind: 'commit', oid: found }
}

/** The full names that a name can stand for. */
const placesOf = (name: string): (readonly [string, Revision['kind']])[] => [
  [`refs/heads/${name}`, 'branch'],
  [`refs/tags/${name}`, 'tag'],
  [name === 'HEAD' || name.startsWith('refs/') ? name : `refs/${name}`, 'ref'],
]

/** The commit with an id, or the only object whose id begins so, if that leads to one; four digits at least. */
export function commitNamed(git: GitData, digits: string): string | undefined {
  const oid = isOid(digits.toLowerCase()) ? digits.toLowerCase() : startingWith(git, digits)
  return oid === undefined ? undefined : peel(git, oid, 'commit')
}

function startingWith({ objects }: GitData, name: string): string | undefined {
  const digits = name.toLowerCase()
  if (digits.length < FEWEST_DIGITS || !/^[0-9a-f]{1,39}$/.test(digits)) return undefined
  const [oid, another] = objects.startingWith(digits)
  return another === undefined ? oid : undefined
}

/** The commit that an id leads to, also from a tag; undefined if there is none. Throws `git-object-damaged`. */
export const commitOf = (git: GitData, oid: string): string | undefined => peel(git, oid, 'commit')

function peel({ objects, resolve }: GitData, oid: string, type: ObjectType): string | undefined {
  try {
    return objects.has(oid) ? resolve(oid, type) : undefined
  } catch (error) {
    if (error instanceof ArchiveError && ABSENT.has(error.code)) return undefined
    throw error
  }
}

const ABSENT = new Set(['git-revision-not-found', 'git-object-missing'])

/** Reads a commit by its id; undefined if there is none. Throws `git-object-damaged`. */
export function findCommit({ objects }: GitData, oid: string): Commit | undefined {
  if (!isOid(oid) || !objects.has(oid)) return undefined
  return objects.stream(oid).type === 'commit' ? readCommit(objects, oid) : undefined
}

/**
 * What a repository begins with: the branch that its record names, the ref or commit of HEAD, main, or master; the first of them
 * that has commits. Undefined if none has. Throws `git-object-damaged`.
 *
 * @param recorded `default_branch` of the record, which may be anything
 */
export function defaultRevision(git: GitData, recorded: unknown): Revision | undefined {
  const target = headTarget(git.database, git.name)?.replace(/^refs\/heads\//, '')
  for (const name of [recorded, target, 'HEAD', 'main', 'master']) {
    const revision = typeof name === 'string' && name !== '' ? revisionOf(git, name) : undefined
    if (revision) return revision
  }
  return undefined
}
