import type { Database } from '../../database/open-database.ts'
import { pullRequestRange } from '../history/pull-request-range.ts'
import { type CommitReader, createCommitReader } from '../history/walk-commits.ts'
import type { ObjectStore } from '../objects/object-store.ts'
import { createOidSet } from '../objects/oid-set.ts'
import { type Commit, subjectOf } from '../parse/parse-commit.ts'

/** The pull request that brought a commit. */
export interface Bringing {
  readonly number: number
  readonly url: string
  readonly title: string | null
  /**
   * How it is known: the commit is its merge commit or its head; it came with its merge or is among its rebased commits;
   * or only its title names the pull request, as `Fix it (#12)` does.
   */
  readonly found_by: 'merge commit' | 'head' | 'branch' | 'title'
}

interface Row {
  readonly number: number
  readonly state: string | null
  readonly base: string | null
  readonly head: string | null
  readonly merge: string | null
}

// The most commits of a history that are searched.
const MOST_COMMITS = 500_000
const MOST_RANGES = 1_000

/**
 * Finds the pull requests that added commits to the history of another one. A merge adds all that its first parent
 * does not have. Commits of broken or very long histories may be left out.
 *
 * @param tip the commit whose history has them
 * @param wanted ids of the commits
 * @param reader what reads commits
 * @returns the pull request of each commit that has one
 */
export function findPullRequests(
  database: Database,
  repository: string,
  objects: ObjectStore,
  tip: string,
  wanted: ReadonlySet<string>,
  reader = createCommitReader(objects),
): Map<string, Bringing> {
  const { byMerge, byHead } = readPullRequests(database, repository)
  const found = new Map<string, { number: number; by: Bringing['found_by'] }>()
  const note = (oid: string, number: number | undefined, by: Bringing['found_by']) => {
    if (number !== undefined && wanted.has(oid) && !found.has(oid)) found.set(oid, { number, by })
  }
  for (const oid of wanted) {
    note(oid, byMerge.get(oid)?.number, 'merge commit')
    note(oid, byHead.get(oid)?.number, 'head')
  }
  if (found.size < wanted.size && byMerge.size + byHead.size > 0) {
    for (const { oid, number } of commitsOfBranches(objects, reader, tip, { byMerge, byHead })) {
      note(oid, number, 'branch')
      if (found.size === wanted.size) break
    }
  }
  for (const oid of wanted) {
    if (!found.has(oid)) note(oid, numberInTitle(reader.commitOf(oid)), 'title')
  }
  const details = database.prepare<[string, number], Omit<Bringing, 'found_by' | 'number'>>(
    'SELECT url, title FROM pull_requests WHERE full_name = ? AND number = ? LIMIT 1',
  )
  const known = new Map<number, Omit<Bringing, 'found_by'> | undefined>()
  const detailsOf = (number: number) => {
    if (!known.has(number)) {
      const row = details.get(repository, number)
      known.set(number, row && { number, ...row })
    }
    return known.get(number)
  }
  const brought = new Map<string, Bringing>()
  for (const [oid, { number, by }] of found) {
    const one = detailsOf(number)
    if (one) brought.set(oid, { ...one, found_by: by })
  }
  return brought
}

interface PullRequests {
  /** Merged ones by their merge commit. */
  readonly byMerge: ReadonlyMap<string, Row>
  readonly byHead: ReadonlyMap<string, Row>
}

function readPullRequests(database: Database, repository: string): PullRequests {
  const sql = `SELECT number, state, base_sha AS base, head_sha AS head, merge_commit_sha AS "merge"
    FROM pull_requests WHERE full_name = ?`
  const [byMerge, byHead] = [new Map<string, Row>(), new Map<string, Row>()]
  for (const row of database.prepare<[string], Row>(sql).iterate(repository)) {
    // An unmerged one may name the commit of a test merge.
    if (row.merge && row.state === 'merged') byMerge.set(row.merge, row)
    if (row.head) byHead.set(row.head, row)
  }
  return { byMerge, byHead }
}

interface Brought {
  readonly oid: string
  readonly number: number
}

/**
 * Yields the commits that pull requests brought. Follows branches by first parents, from the oldest merge: a merge
 * adds the commits that no older merge has added.
 */
function* commitsOfBranches(
  objects: ObjectStore,
  reader: CommitReader,
  tip: string,
  { byMerge, byHead }: PullRequests,
): Generator<Brought> {
  const seen = createOidSet(objects)
  const branches: { tip: string; number: number | undefined }[] = [{ tip, number: undefined }]
  let [commits, ranges] = [0, 0]
  for (let branch = branches.pop(); branch; branch = branches.pop()) {
    const { number } = branch
    for (let oid: string | undefined = branch.tip; oid !== undefined && seen.add(oid); ) {
      if (++commits > MOST_COMMITS || !objects.has(oid)) break
      const { parents } = reader.linksOf(oid)
      if (number !== undefined) yield { oid, number }
      const merged = byMerge.get(oid)
      // The oldest branch is taken first, because it is the last one here.
      for (const parent of parents.slice(1)) {
        branches.push({ tip: parent, number: merged?.number ?? number })
      }
      if (merged && parents.length === 1) yield* rebased(objects, reader, oid, merged)
      const head = byHead.get(oid)
      if (head && number === undefined && ++ranges <= MOST_RANGES) {
        for (const one of pullRequestRange(objects, head)?.commits ?? []) {
          yield { oid: one, number: head.number }
        }
      }
      oid = parents[0]
    }
  }
}

/**
 * The commits that a rebase made from those of the head, with the same authors and messages. A squashed commit has
 * another message.
 */
function* rebased(
  objects: ObjectStore,
  { commitOf }: CommitReader,
  merge: string,
  { head, number }: Row,
): Generator<Brought> {
  let [copy, original]: [string | undefined, string | undefined] = [merge, head ?? undefined]
  while (copy && original && copy !== original && objects.has(copy) && objects.has(original)) {
    const [one, other]: [Commit, Commit] = [commitOf(copy), commitOf(original)]
    if (!isCopy(one, other)) return
    yield { oid: copy, number }
    ;[copy, original] = [one.parents[0], other.parents[0]]
  }
}

const isCopy = (left: Commit, right: Commit): boolean =>
  left.message === right.message &&
  left.author.email === right.author.email &&
  left.author.seconds === right.author.seconds

/** The number that the title of a squashed commit or of a merge names. */
function numberInTitle(commit: Commit): number | undefined {
  const subject = subjectOf(commit)
  const [, digits] =
    / \(#(\d{1,9})\)$/.exec(subject) ?? /^Merge pull request #(\d{1,9}) /.exec(subject) ?? []
  return digits === undefined ? undefined : Number(digits)
}
