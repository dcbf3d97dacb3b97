import { asBuffer } from '../../streams.ts'
import { BLOCK } from './tar-header.ts'

/** Bytes of headers that are kept of one entry: more than a few names take is not worth it. */
const MOST_HEAD = 64 * 1024

/** Collects what stands before the contents of a tar, while it is fed piece by piece. */
export class HeadCapture {
  /** Where in the tar the next head begins, or goes on. */
  #start = 0
  /** What earlier pieces had of it. */
  #before: Buffer[] = []
  #length = 0
  #piece: Buffer = Buffer.alloc(0)
  #position = 0

  /** Goes on to the next piece, of which the one before is no longer needed. */
  add(piece: Uint8Array): void {
    const rest = this.#rest(this.#position + this.#piece.length)
    this.#length += rest.length
    if (this.#length <= MOST_HEAD) this.#before.push(Buffer.from(rest))
    this.#start += rest.length
    this.#position += this.#piece.length
    this.#piece = asBuffer(piece)
  }

  /** The head that ends here; the next one begins at the block after the content. */
  take(end: number, endOfContent: number): Buffer | undefined {
    const rest = this.#rest(end)
    const isKept = this.#length + rest.length <= MOST_HEAD
    const head = isKept ? Buffer.concat([...this.#before, rest]) : undefined
    this.#before = []
    this.#length = 0
    this.#start = Math.ceil(endOfContent / BLOCK) * BLOCK
    return head
  }

  #rest(end: number): Buffer {
    const from = Math.max(0, this.#start - this.#position)
    return this.#piece.subarray(from, Math.max(from, end - this.#position))
  }
}
