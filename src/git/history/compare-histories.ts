import { ArchiveError } from '../../base/errors.ts'
import type { ObjectStore } from '../objects/object-store.ts'
import { createCommitQueue, createCommitReader } from './walk-commits.ts'

/** How the history of one commit differs from that of another. */
export interface Divergence {
  /** The best commits that both have; none if they have nothing in common. */
  readonly bases: readonly string[]
  /** Commits that only the second one has, newest first. */
  readonly ahead: readonly string[]
  /** How many only the first one has. */
  readonly behind: number
}

/** Commits that are looked at. */
const MOST = 100_000

const BEFORE = 1
const AFTER = 2
const BOTH = BEFORE | AFTER
/** It is an ancestor of a commit that both have. */
const STALE = 4
const BASE = 8

/**
 * Compares the histories of two commits as `git log before..after` and `git merge-base --all` do, in some 200 bytes for each
 * commit since they parted.
 *
 * @param after the second commit, or several as if they were merged
 * @throws `git-too-large` if there are more than `limit` such commits, by default 100,000; `git-object-missing` or `git-
 *   object-damaged`
 */
export function compareHistories(
  objects: ObjectStore,
  before: string,
  after: string | readonly string[],
  limit = MOST,
): Divergence {
  const { linksOf } = createCommitReader(objects)
  const queue = createCommitQueue()
  const flags = new Map<string, number>()
  const waiting = new Set<string>()
  // Waiting commits that may lead to more than common history.
  let open = 0
  const reach = (oid: string, more: number) => {
    const known = flags.get(oid) ?? 0
    const now = known | more
    if (now === known) return
    if (flags.size === limit && known === 0) {
      throw new ArchiveError(
        'git-too-large',
        `more than ${limit} commits would have to be compared`,
      )
    }
    flags.set(oid, now)
    const isStale = (now & STALE) !== 0
    if (waiting.has(oid)) {
      if (isStale && (known & STALE) === 0) open--
      return
    }
    waiting.add(oid)
    if (!isStale) open++
    queue.add(linksOf(oid))
  }
  reach(before, BEFORE)
  for (const oid of [after].flat()) reach(oid, AFTER)
  const order: string[] = []
  while (open > 0) {
    const commit = queue.next()
    if (!commit) break
    const { oid, parents } = commit
    waiting.delete(oid)
    const now = flags.get(oid) ?? 0
    if ((now & STALE) === 0) open--
    if (now === AFTER) order.push(oid)
    const isBase = (now & (BOTH | STALE)) === BOTH
    if (isBase) flags.set(oid, now | BASE)
    const passed = (now & (BOTH | STALE)) | (isBase ? STALE : 0)
    for (const parent of parents) reach(parent, passed)
  }
  const bases = [...flags].filter(([, one]) => (one & (BASE | STALE)) === BASE)
  let behind = 0
  // Commits that still wait are stale, and so have both flags.
  for (const one of flags.values()) if ((one & BOTH) === BEFORE) behind++
  return {
    behind,
    bases: bases.map(([oid]) => oid),
    // Dates that go backwards may show a commit before it is known to be common.
    ahead: [...new Set(order)].filter((oid) => ((flags.get(oid) ?? 0) & BOTH) === AFTER),
  }
}
