import { closeSync, ftruncateSync, openSync, readSync, writeSync } from 'node:fs'
import { ArchiveError } from '../../base/errors.ts'
import { isDiskFull } from '../../files/attempt.ts'
import type { Database } from '../database.ts'

/** Bytes of a page of a new database. */
export const PAGE = 16384

/** The most pages that are reserved, or written, at a time. */
const MOST = 64
/** A reservation is an eighth of all pages reserved before, so that few are left over in a small database. */
const SHARE = 8

/** The page that holds the byte 2^30, on which SQLite puts its locks, is never used (file format, section 1.4). */
const LOCK_PAGE = 2 ** 30 / PAGE + 1

/** Where the header of the file has these 32-bit numbers (section 1.3). */
const [CHANGES, PAGES, FREE_TRUNK, FREE_PAGES, VALID_FOR, HEADER] = [24, 28, 32, 36, 92, 100]

/**
 * Facts in the header on which pages and rows depend: the offset, the number of bytes, and the only value that is
 * written here.
 */
const FORM: readonly [what: string, at: number, bytes: number, value: number][] = [
  ['bytes of a page', 16, 2, PAGE],
  ['format for writing, with a rollback journal', 18, 1, 1],
  ['reserved bytes at the end of each page', 20, 1, 0],
  ['schema format, with the integers 0 and 1', 44, 4, 4],
  ['page for auto-vacuum', 52, 4, 0],
  ['encoding, UTF-8', 56, 4, 1],
]

/**
 * Appends pages to a new database while SQLite has it open. Reserves them between two transactions of SQLite, by raising
 * the number of pages in the header. SQLite leaves these alone, because no table, index or list of free pages names them, so
 * they can be written at any time. Pages that are left over become free pages in the end.
 */
export class PageFile {
  readonly #database: Database
  readonly #finalPath: string
  #file: number | undefined
  /** Reserved pages from `#next` to `#end`. */
  #next = 0
  #end = 0
  #reserved = 0
  readonly #waiting = Buffer.alloc(MOST * PAGE)
  /** The first waiting page, and how many wait. */
  #first = 0
  #count = 0

  /** @param finalPath the path that the file will have, for errors */
  constructor(database: Database, path: string, finalPath: string) {
    this.#database = database
    this.#finalPath = finalPath
    this.#file = openSync(path, 'r+')
  }

  /** Returns the number of a new page, which the caller must write. Commits the transaction of SQLite from time to time. */
  allocate(): number {
    if (this.#next === LOCK_PAGE) this.#next++
    if (this.#next >= this.#end) this.#reserve()
    return this.#next++
  }

  write(page: number, content: Uint8Array): void {
    const follows = page === this.#first + this.#count && this.#count < MOST
    if (!follows) {
      this.#flush()
      this.#first = page
    }
    this.#waiting.set(content, this.#count++ * PAGE)
  }

  /** Writes pages that SQLite knows, such as roots of tables, and begins a transaction that sees all pages. */
  finish(known: ReadonlyMap<number, Uint8Array>): void {
    this.#flush()
    this.#between((header) => {
      for (const [page, content] of known) this.#put(page, content)
      this.#freeRest(header)
    }, true)
  }

  /** Must be called if `finish` was not. */
  close(): void {
    if (this.#file !== undefined) closeSync(this.#file)
    this.#file = undefined
  }

  #reserve(): void {
    const pages = Math.min(MOST, Math.max(1, Math.floor(this.#reserved / SHARE)))
    this.#between((header) => {
      this.#next = header.readUInt32BE(PAGES) + 1
      if (this.#next === LOCK_PAGE) this.#next++
      this.#end = this.#next + pages
      header.writeUInt32BE(this.#end - 1, PAGES)
      this.#orFull(() => ftruncateSync(this.#open(), (this.#end - 1) * PAGE))
    })
    this.#reserved += pages
  }

  /** Changes the file while SQLite has no transaction, and makes SQLite notice the change. */
  #between(change: (header: Buffer) => void, isLast = false): void {
    this.#database.exec('COMMIT')
    const header = Buffer.alloc(HEADER)
    readSync(this.#open(), header, 0, HEADER, 0)
    for (const [what, at, bytes, value] of FORM) {
      if (header.readUIntBE(at, bytes) !== value) throw new TypeError(`${what}: not ${value}`)
    }
    change(header)
    const changes = (header.readUInt32BE(CHANGES) + 1) >>> 0
    header.writeUInt32BE(changes, CHANGES)
    header.writeUInt32BE(changes, VALID_FOR)
    this.#writeAt(header, 0)
    // Closing the file releases all locks of this process on it, but SQLite holds none at this moment.
    if (isLast) this.close()
    this.#database.exec('BEGIN')
  }

  /** Frees the pages left over: the first becomes a trunk of the list of free pages, the others its leaves (section 1.5). */
  #freeRest(header: Buffer): void {
    const left: number[] = []
    for (let page = this.#next; page < this.#end; page++) if (page !== LOCK_PAGE) left.push(page)
    const [trunk, ...leaves] = left
    if (trunk === undefined) return
    const content = Buffer.alloc(PAGE)
    const numbers = [header.readUInt32BE(FREE_TRUNK), leaves.length, ...leaves]
    for (const [i, number] of numbers.entries()) content.writeUInt32BE(number, i * 4)
    this.#put(trunk, content)
    header.writeUInt32BE(trunk, FREE_TRUNK)
    header.writeUInt32BE(header.readUInt32BE(FREE_PAGES) + left.length, FREE_PAGES)
    this.#next = this.#end
  }

  #flush(): void {
    if (this.#count > 0) this.#put(this.#first, this.#waiting.subarray(0, this.#count * PAGE))
    this.#count = 0
  }

  #open(): number {
    if (this.#file === undefined) throw new TypeError('the file is closed')
    return this.#file
  }

  #put(page: number, content: Uint8Array): void {
    this.#writeAt(content, (page - 1) * PAGE)
  }

  #writeAt(content: Uint8Array, position: number): void {
    this.#orFull(() => {
      for (let done = 0; done < content.length; ) {
        done += writeSync(this.#open(), content, done, content.length - done, position + done)
      }
    })
  }

  #orFull(work: () => void): void {
    try {
      work()
    } catch (error) {
      const { message } = error as Error
      const code = isDiskFull(error) ? 'database-full' : 'output-refused'
      throw new ArchiveError(code, message, { archive: this.#finalPath }, error)
    }
  }
}
