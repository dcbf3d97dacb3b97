import { setImmediate } from 'node:timers/promises'
import { isBroken } from '../../../git/objects/git-object.ts'
import type { Commit } from '../../../git/parse/parse-commit.ts'

/** Up to this many commits are counted, which a `Link` to the last page needs. */
export const COUNTED = 10_000

/** Commits after which other requests have their turn. */
const TURN = 100

/** Bytes of an object ID. */
const OID = 20

/**
 * The commits of a walk, which goes only as far as somebody asked. Their IDs are kept, so that a deep page takes no longer
 * than the first once it was reached.
 */
export class CommitList {
  readonly #walk: Iterator<Commit>
  readonly #isWanted: (commit: Commit) => boolean
  #oids = Buffer.alloc(64 * OID)
  #count = 0
  #isDone = false
  #work: Promise<void> = Promise.resolve()

  constructor(walk: Iterator<Commit>, isWanted: (commit: Commit) => boolean = () => true) {
    this.#walk = walk
    this.#isWanted = isWanted
  }

  /** Commits that are known. */
  get count(): number {
    return this.#count
  }

  /** Whether they are all. */
  get isDone(): boolean {
    return this.#isDone
  }

  oids(offset: number, limit: number): string[] {
    const end = Math.min(offset + limit, this.#count)
    return Array.from({ length: Math.max(0, end - offset) }, (_, i) =>
      this.#oids.toString('hex', (offset + i) * OID, (offset + i + 1) * OID),
    )
  }

  /** Walks until so many are known, and as far as is counted; requests wait for each other. */
  reach(wanted: number): Promise<void> {
    this.#work = this.#work.then(() => this.#goOn(Math.max(wanted, COUNTED + 1)))
    return this.#work
  }

  async #goOn(wanted: number): Promise<void> {
    for (let seen = 1; !this.#isDone && this.#count < wanted; seen++) {
      const commit = this.#next()
      if (!commit) this.#isDone = true
      else if (this.#isWanted(commit)) this.#add(commit.oid)
      if (seen % TURN === 0) await setImmediate()
    }
  }

  /** History ends where a commit is missing or damaged. */
  #next(): Commit | undefined {
    try {
      return this.#walk.next().value
    } catch (error) {
      if (isBroken(error)) return undefined
      throw error
    }
  }

  #add(oid: string): void {
    const at = this.#count * OID
    if (at === this.#oids.length) this.#oids = Buffer.concat([this.#oids, Buffer.alloc(at)])
    this.#oids.write(oid, at, 'hex')
    this.#count++
  }
}
