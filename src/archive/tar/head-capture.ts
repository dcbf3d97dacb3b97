import { asBuffer } from '../../base/streams.ts'
import { BLOCK } from './tar-header.ts'

/** Bytes of headers kept per entry; a few names need no more. */
const MOST_HEAD = 64 * 1024

/** Collects the headers of a tar that is read piece by piece. */
export class HeadCapture {
  /** The offset in the tar at which the next header begins or continues. */
  #start = 0
  /** The parts of the header in earlier pieces. */
  #before: Buffer[] = []
  #length = 0
  #piece: Buffer = Buffer.alloc(0)
  #position = 0

  /** Continues with the next piece; the previous one is no longer needed. */
  add(piece: Uint8Array): void {
    const rest = this.#rest(this.#position + this.#piece.length)
    this.#length += rest.length
    if (this.#length <= MOST_HEAD) this.#before.push(Buffer.from(rest))
    this.#start += rest.length
    this.#position += this.#piece.length
    this.#piece = asBuffer(piece)
  }

  /** The header that ends here, if wanted. The next one begins at the block after the content. */
  take(end: number, endOfContent: number, isWanted: boolean): Buffer | undefined {
    const rest = this.#rest(end)
    const isKept = isWanted && this.#length + rest.length <= MOST_HEAD
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
