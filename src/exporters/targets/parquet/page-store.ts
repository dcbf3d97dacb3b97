import { openScratchFile } from '../../../files/scratch-file.ts'

/** Bytes of pages that wait in memory, for one file. */
const MOST_IN_MEMORY = 256 * 1024

/** Bytes that are read from the temporary file at a time. */
const PIECE = 64 * 1024

/** A page that waits, or where it lies in the temporary file. */
export type StoredPage = Uint8Array | { readonly at: number; readonly length: number }

/**
 * Pages wait here until their row group is complete, because all pages of a column lie together. Those beyond that
 * wait in a temporary file.
 */
export class PageStore {
  readonly #rest = openScratchFile()
  #inMemory = 0

  /** Keeps a page, which lies in several pieces. */
  keep(pieces: readonly Uint8Array[]): StoredPage {
    const length = pieces.reduce((sum, piece) => sum + piece.length, 0)
    if (this.#inMemory + length <= MOST_IN_MEMORY) {
      this.#inMemory += length
      return Buffer.concat(pieces)
    }
    const at = this.#rest.size
    for (const piece of pieces) this.#rest.append(piece)
    return { at, length }
  }

  /** The bytes of a page, in pieces. */
  *read(stored: StoredPage): Generator<Uint8Array> {
    if (stored instanceof Uint8Array) return yield stored
    for (let done = 0; done < stored.length; done += PIECE) {
      yield this.#rest.read(stored.at + done, Math.min(PIECE, stored.length - done))
    }
  }

  /** Forgets all pages. */
  clear(): void {
    this.#inMemory = 0
    this.#rest.clear()
  }

  close(): void {
    this.#rest.close()
  }
}
