import { readCommit, walkCommits } from '../../git/history/walk-commits.ts'
import type { ObjectStore } from '../../git/objects/object-store.ts'
import { readTree } from '../../git/objects/walk-tree.ts'
import { unlessUnreadable } from '../../git/open-git.ts'
import { isBroken } from '../../git/parse/git-object.ts'
import { isFolder, isSubmodule, parseTree } from '../../git/parse/parse-tree.ts'
import { readRefs } from '../../git/refs/read-refs.ts'
import { totalsOf as recordsOf } from '../../reading/databases/totals.ts'
import { defaultRevision, openGit } from '../../reading/git/repository-git.ts'
import { commitOf } from '../../reading/git/revisions.ts'
import { listLabels } from '../../reading/labels.ts'
import type { Library, Repository } from '../../reading/library.ts'
import { readRepositoryFacts } from '../../reading/repository-facts.ts'
import type { SiteScope } from '../page.ts'

/** How many paths of each pattern there are, of patterns that grow with an archive. */
export function totalsOf(library: Library, scope: SiteScope): ReadonlyMap<string, number> {
  const totals = new Map<string, number>()
  const add = (pattern: string, count: number) =>
    totals.set(pattern, (totals.get(pattern) ?? 0) + count)
  for (const repository of library.repositories()) {
    const facts = readRepositoryFacts(repository.store, repository.url)
    const pulls = facts?.pullRequests ?? 0
    add('/:owner/:repo', 1)
    add('/:owner/:repo/issues/:number', facts?.issues ?? 0)
    add('/:owner/:repo/pull/:number', pulls)
    add('/:owner/:repo/pull/:number/files', pulls)
    add('/:owner/:repo/pull/:number/commits', pulls)
    add('/:owner/:repo/discussions/:number', facts?.discussions ?? 0)
    add('/:owner/:repo/releases/tag/:rest+', facts?.releases ?? 0)
    add('/:owner/:repo/milestone/:number', facts?.milestones ?? 0)
    add('/:owner/:repo/labels/:name', listLabels(repository).length)
    for (const [pattern, number] of countGit(repository, scope)) add(pattern, number)
  }
  if (library.audience === 'all') {
    const { accounts, issues, pulls } = recordsOf(library)
    add('/:login', accounts)
    add('/-/raw', accounts + issues + pulls)
  }
  return totals
}

/** Commits, folders and files of a repository; none of what cannot be read. */
function countGit(repository: Repository, scope: SiteScope): [string, number][] {
  const { store } = repository
  try {
    const git = openGit(repository)
    if (!git) return []
    const main = defaultRevision(repository, git)?.name
    const tips = new Set<string>()
    const blobs = new Set<string>()
    let [folders, files] = [0, 0]
    const counted = new Map<string, Counted>()
    for (const { name, oid, peeled } of readRefs(store.database, git.name, 'refs/')) {
      const tip = peeled ?? oid
      const commit = tip === null ? undefined : unlessUnreadable(() => commitOf(git, tip))
      if (commit === undefined) continue
      tips.add(commit)
      const branch = /^refs\/heads\/(.*)/s.exec(name)?.[1]
      const isShown =
        name.startsWith('refs/tags/') ||
        (branch !== undefined && (scope.allRefs || branch === main))
      if (!isShown) continue
      const all = countTree(git.objects, readCommit(git.objects, commit).tree, counted, blobs)
      folders += all.folders
      files += all.files
    }
    const limit = Math.min(scope.commits, MOST_COMMITS)
    const commits = limit === 0 ? [] : walkCommits(git.objects, [...tips], { limit })
    let count = 0
    for (const _ of commits) count++
    return [
      ['/:owner/:repo/commit/:oid', count],
      ['/:owner/:repo/tree/:rest+', folders],
      ['/:owner/:repo/blob/:rest+', files],
      ['/:owner/:repo/raw/:rest+', blobs.size],
    ]
  } catch (error) {
    if (isBroken(error)) return []
    throw error
  }
}

/** Commits of a repository that are counted. */
const MOST_COMMITS = 1_000_000

interface Counted {
  readonly folders: number
  readonly files: number
}

/** A folder with all that is in it; each tree is read once. */
function countTree(
  objects: ObjectStore,
  oid: string,
  counted: Map<string, Counted>,
  blobs: Set<string>,
  depth = 0,
): Counted {
  const known = counted.get(oid)
  if (known) return known
  let [folders, files] = [1, 0]
  for (const entry of depth < DEEPEST ? parseTree(readTree(objects, oid)) : []) {
    if (isSubmodule(entry)) continue
    if (isFolder(entry)) {
      const inner = countTree(objects, entry.oid, counted, blobs, depth + 1)
      folders += inner.folders
      files += inner.files
    } else {
      files++
      blobs.add(entry.oid)
    }
  }
  const all = { folders, files }
  counted.set(oid, all)
  return all
}

const DEEPEST = 200
