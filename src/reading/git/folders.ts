import { readCommit } from '../../git/history/walk-commits.ts'
import { readTree } from '../../git/objects/walk-tree.ts'
import { type GitData, keep, unlessUnreadable } from '../../git/open-git.ts'
import type { Commit } from '../../git/parse/parse-commit.ts'
import { isFolder, isSubmodule, parseTree, type TreeEntry } from '../../git/parse/parse-tree.ts'

/**
 * Finds what is at a path. A name that is not UTF-8 is found as it is shown, with U+FFFD. Throws as `readTree` does.
 *
 * @param tree the id of a tree
 * @param path names; without any, the tree itself
 */
export const findAt = (
  git: GitData,
  tree: string,
  path: readonly string[],
): TreeEntry | undefined => entriesAlong(git, tree, path)?.at(-1)

/** The names of a path as they are in the tree of a commit, one character per byte; as they were given if nothing is there. */
export function bytesOfPath(git: GitData, commit: string, path: readonly string[]): string[] {
  const found = unlessUnreadable(() =>
    entriesAlong(git, readCommit(git.objects, commit).tree, path),
  )
  return found?.slice(1).map(({ bytes }) => bytes) ?? path.map(bytesOf)
}

/** A tree, and the entries of a path in it. */
function entriesAlong(
  { objects }: GitData,
  tree: string,
  path: readonly string[],
): TreeEntry[] | undefined {
  let entry: TreeEntry = { mode: '040000', name: '', bytes: '', oid: tree }
  const found = [entry]
  for (const name of path) {
    if (!isFolder(entry)) return undefined
    const bytes = bytesOf(name)
    let similar: TreeEntry | undefined
    let exact: TreeEntry | undefined
    for (const one of parseTree(readTree(objects, entry.oid))) {
      if (one.bytes === bytes) {
        exact = one
        break
      }
      if (one.name === name) similar ??= one
    }
    const next = exact ?? similar
    if (!next) return undefined
    entry = next
    found.push(entry)
  }
  return found
}

const bytesOf = (name: string): string => Buffer.from(name).toString('latin1')

/** Whether an address can name an entry: Git refuses other names, but archives may hold them. */
export const isAddressable = ({ name }: { name: string }): boolean =>
  name !== '' && name !== '.' && name !== '..' && !/[/\0]/.test(name)

/** Entries of a folder that are read; those beyond are counted. */
const MOST_ENTRIES = 20_000

/** A folder. */
export interface Folder {
  /** In the order of Git, which is by bytes. */
  readonly entries: readonly TreeEntry[]
  /** Entries beyond those that are read. */
  readonly more: number
}

/** Reads a folder. Throws as `readTree` does. */
export function readFolder({ objects }: GitData, tree: string): Folder {
  const entries: TreeEntry[] = []
  let more = 0
  for (const entry of parseTree(readTree(objects, tree))) {
    if (entries.length < MOST_ENTRIES) entries.push(entry)
    else more++
  }
  return { entries, more }
}

const README = /^readme(?:\.(md|markdown|mkd|mdown|rst|txt|adoc|asciidoc|org))?$/i

/** The file that describes a folder: Markdown before others. */
export function findReadme({ entries }: Folder): TreeEntry | undefined {
  const all = entries.filter(
    (entry) => !isFolder(entry) && !isSubmodule(entry) && README.test(entry.name),
  )
  return all.find(({ name }) => isMarkdown(name)) ?? all[0]
}

export const isMarkdown = (name: string): boolean => /\.(?:md|markdown|mkd|mdown)$/i.test(name)

/** Commits that are searched for the last change of each entry of a folder. */
const MOST_COMMITS = 250

const remember = keep<ReadonlyMap<string, Commit>>(32)

/**
 * The commit that last changed each entry of a folder, by the bytes of its name, as far as they are among the latest commits, and
 * their history is there.
 *
 * @param from the commit whose folder it is
 * @param only the one entry that is asked for
 */
export function lastChanges(
  git: GitData,
  from: string,
  path: readonly string[],
  only?: string,
): ReadonlyMap<string, Commit> {
  return remember(git, JSON.stringify([from, path, only]), () => {
    const found = new Map<string, Commit>()
    // Damage ends the search.
    unlessUnreadable(() => findChanges(git, from, path, only, found))
    return found
  })
}

function findChanges(
  git: GitData,
  from: string,
  path: readonly string[],
  only: string | undefined,
  found: Map<string, Commit>,
): void {
  const { objects } = git
  const trees = new Map<string, ReadonlyMap<string, string>>()
  const entriesOf = (commit: Commit): ReadonlyMap<string, string> => {
    const tree = findAt(git, commit.tree, path)
    if (!tree || !isFolder(tree)) return NONE
    let known = trees.get(tree.oid)
    if (!known) {
      const { entries } = readFolder(git, tree.oid)
      known = new Map(entries.map(({ bytes, mode, oid }) => [bytes, mode + oid]))
      trees.set(tree.oid, known)
      if (trees.size > MOST_TREES) trees.delete(trees.keys().next().value as string)
    }
    return known
  }
  const first = readCommit(objects, from)
  const names = new Set(only === undefined ? entriesOf(first).keys() : [only])
  const waiting = new Map([[from, { commit: first, names }]])
  for (let steps = 0; steps < MOST_COMMITS && waiting.size > 0; steps++) {
    // The newest commit first, while any entry has none.
    const { commit, names } = newest(waiting.values())
    waiting.delete(commit.oid)
    const now = entriesOf(commit)
    const parents = commit.parents.map(
      (oid) => waiting.get(oid)?.commit ?? readCommit(objects, oid),
    )
    const before = parents.map(entriesOf)
    for (const name of names) {
      const same = before.findIndex((entries) => entries.get(name) === now.get(name))
      const parent = parents[same]
      if (!parent) found.set(name, commit)
      else {
        const next = waiting.get(parent.oid) ?? { commit: parent, names: new Set() }
        next.names.add(name)
        waiting.set(parent.oid, next)
      }
    }
  }
}

const NONE: ReadonlyMap<string, string> = new Map()
const MOST_TREES = 8

function newest<T extends { commit: Commit }>(all: Iterable<T>): T {
  let best: T | undefined
  for (const one of all) {
    const isNewer = (one.commit.committer.seconds ?? 0) > (best?.commit.committer.seconds ?? 0)
    if (best === undefined || isNewer) best = one
  }
  return best as T
}
