import { setImmediate } from 'node:timers/promises'
import { isBroken } from '../../../git/objects/git-object.ts'
import type { Commit } from '../../../git/parse/parse-commit.ts'

/** Commits to walk for a `Link` to the last page, whatever page is asked for. */
export const COUNTED = 10_000

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

  /** Whether there may be more than are counted: the same for all pages, however far others went. */
  get isOpen(): boolean {
    return !this.#isDone || this.#seen > COUNTED
  }

  oids(offset: number, limit: number): string[] {
    const end = Math.min(offset + limit, this.#count)
    return Array.from({ length: Math.max(0, end - offset) }, (_, i) =>
      this.#oids.toString('hex', (offset + i) * OID, (offset + i + 1) * OID),
    )
  }

  /** Walks until this many commits are known, and at least as far as they are counted. Requests wait for each other. */
  reach(wanted: number): Promise<void> {
    this.#work = this.#work.then(() => this.#goOn(wanted))
    return this.#work
  }

  async #goOn(wanted: number): Promise<void> {
    while (!this.#isDone && (this.#count < wanted || this.#seen <= COUNTED)) {
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
    } catch (error) {
      if (!isBroken(error)) throw error
      this.#isDone = true
    }
  }

  #add(oid: string): void {
    const at = this.#count * OID
    if (at === this.#oids.length) this.#oids = Buffer.concat([this.#oids, Buffer.alloc(at)])
    this.#oids.write(oid, at, 'hex')
    this.#count++
  }
}
