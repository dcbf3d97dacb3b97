import { setImmediate } from 'node:timers/promises'
import { type LogOptions, stepCommits } from '../../git/history/walk-commits.ts'
import { type GitData, keep } from '../../git/open-git.ts'
import { isBroken } from '../../git/parse/git-object.ts'
import type { Commit } from '../../git/parse/parse-commit.ts'
import { bytesOfPath } from './folders.ts'

/** Commits of a history that are looked at: a list that is longer ends there, and says so. */
const LONGEST = 1_000_000

/** Commits after which other requests may run. */
const TURN = 100

/** Bytes of an object ID. */
const OID = 20

/**
 * The commits of a walk, which goes only as far as requests need. Their IDs are kept, so that a deep page takes no longer
 * than the first once it has been read.
 */
export class CommitList {
  readonly #walk: Iterator<Commit | undefined>
  readonly #isWanted: (commit: Commit) => boolean
  #oids = Buffer.alloc(64 * OID)
  #count = 0
  #seen = 0
  #isDone = false
  #isCut = false
  #work: Promise<void> = Promise.resolve()

  /** @param walk yields undefined for a commit that it looked at and leaves out */
  constructor(
    walk: Iterator<Commit | undefined>,
    isWanted: (commit: Commit) => boolean = () => true,
  ) {
    this.#walk = walk
    this.#isWanted = isWanted
  }

  /** Commits that are known. */
  get count(): number {
    return this.#count
  }

  /**
   * Whether there may be more than the commits that `reach` was told to count: the same for all pages, however far others went.
   *
   * @param counted as `reach` was told
   */
  isOpen(counted: number): boolean {
    return !this.#isDone || this.#seen > counted
  }

  /** Whether the history goes on where the list ends: a commit is missing or damaged, or there are too many. */
  get isCut(): boolean {
    return this.#isCut
  }

  oids(offset: number, limit: number): string[] {
    const end = Math.min(offset + limit, this.#count)
    return Array.from({ length: Math.max(0, end - offset) }, (_, i) =>
      this.#oids.toString('hex', (offset + i) * OID, (offset + i + 1) * OID),
    )
  }

  /**
   * Walks until this many commits are known. Requests wait for each other.
   *
   * @param counted commits to look at for the length of the list, whatever is asked for
   */
  reach(wanted: number, counted = 0): Promise<void> {
    this.#work = this.#work.then(() => this.#goOn(wanted, counted))
    return this.#work
  }

  async #goOn(wanted: number, counted: number): Promise<void> {
    while (!this.#isDone && (this.#count < wanted || this.#seen <= counted)) {
      this.#step()
      if (this.#seen % TURN === 0) await setImmediate()
    }
  }

  /** History ends where a commit is missing or damaged. */
  #step(): void {
    try {
      const { done, value: commit } = this.#walk.next()
      if (done) this.#isDone = true
      else this.#seen++
      if (commit && this.#isWanted(commit)) this.#add(commit.oid)
      if (this.#seen === LONGEST && !this.#isDone) this.#end()
    } catch (error) {
      if (!isBroken(error)) throw error
      this.#end()
    }
  }

  #end(): void {
    this.#isDone = true
    this.#isCut = true
  }

  #add(oid: string): void {
    const at = this.#count * OID
    if (at === this.#oids.length) this.#oids = Buffer.concat([this.#oids, Buffer.alloc(at)])
    this.#oids.write(oid, at, 'hex')
    this.#count++
  }
}

/** Which commits a list has. */
export interface CommitFilter extends Pick<LogOptions, 'since' | 'until'> {
  /** Only those that changed the file or folder at this path; without names, the whole repository. */
  readonly path?: readonly string[] | undefined
  /** Only those that this accepts. Its name says what it accepts: it is a part of what is remembered. */
  readonly who?: { readonly name: string; accepts(commit: Commit): boolean } | undefined
}

/** Histories of a repository that stay open. */
const remember = keep<CommitList>(8)

/** The history of a commit, newest first in the order of `git log`, as far as `reach` is called. */
export function listCommits(
  git: GitData,
  from: string,
  { path = [], since, until, who }: CommitFilter = {},
): CommitList {
  const key = JSON.stringify([from, path, since, until, who?.name])
  return remember(git, key, () => {
    const parts = path.length === 0 ? [] : [bytesOfPath(git, from, path)]
    return new CommitList(stepCommits(git.objects, [from], { parts, since, until }), who?.accepts)
  })
}
