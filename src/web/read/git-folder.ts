import { readCommit } from '../../git/history/walk-commits.ts'
import { readTree } from '../../git/history/walk-tree.ts'
import { isBroken } from '../../git/objects/git-object.ts'
import type { Repository as GitRepository } from '../../git/open-repository.ts'
import type { Commit } from '../../git/parse/parse-commit.ts'
import { isFolder, isSubmodule, parseTree, type TreeEntry } from '../../git/parse/parse-tree.ts'
import { findAt } from './git-repository.ts'

/** Entries of a folder that are sorted and shown; those beyond are counted. */
const MOST_ENTRIES = 20_000

/** A folder, folders first. */
export interface Folder {
  readonly entries: readonly TreeEntry[]
  /** Entries beyond those that are read. */
  readonly more: number
}

/** Reads a folder. Throws as `readTree`. */
export function readFolder({ objects }: GitRepository, tree: string): Folder {
  const entries: TreeEntry[] = []
  let more = 0
  for (const entry of parseTree(readTree(objects, tree))) {
    if (entries.length < MOST_ENTRIES) entries.push(entry)
    else more++
  }
  const rank = (entry: TreeEntry) => (isFolder(entry) || isSubmodule(entry) ? 0 : 1)
  // In each group the order stays Git's, which is by bytes.
  return { entries: entries.toSorted((a, b) => rank(a) - rank(b)), more }
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

/**
 * The commit that last changed each entry of a folder, by the bytes of its name, as far as they are among the latest commits.
 *
 * @param only the one entry that is asked for
 */
export function lastChanges(
  git: GitRepository,
  from: string,
  path: readonly string[],
  only?: string,
): ReadonlyMap<string, Commit> {
  const found = new Map<string, Commit>()
  const { objects } = git
  const trees = new Map<string, ReadonlyMap<string, string>>()
  const entriesOf = (commit: Commit): ReadonlyMap<string, string> => {
    const tree = findAt(git, commit.tree, path)
    if (!tree || !isFolder(tree)) return NONE
    let known = trees.get(tree.oid)
    if (!known) {
      known = new Map(
        [...readFolder(git, tree.oid).entries].map(({ bytes, mode, oid }) => [bytes, mode + oid]),
      )
      trees.set(tree.oid, known)
      if (trees.size > MOST_TREES) trees.delete(trees.keys().next().value as string)
    }
    return known
  }
  const first = readCommit(objects, from)
  // The newest commit first, while any entry has none.
  const waiting = new Map<string, { commit: Commit; names: Set<string> }>([
    [
      from,
      { commit: first, names: new Set(only === undefined ? entriesOf(first).keys() : [only]) },
    ],
  ])
  try {
    for (let steps = 0; steps < MOST_COMMITS && waiting.size > 0; steps++) {
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
  } catch (error) {
    // Use the part of a shallow or damaged history that is there.
    if (!isBroken(error)) throw error
  }
  return found
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
