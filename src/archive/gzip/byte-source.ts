import type { Bytes } from '../../base/streams.ts'

/** Bytes to read piece by piece. A reader can put back what it does not need. */
export class ByteSource {
  readonly #iterator: AsyncIterator<Uint8Array>
  #returned: Uint8Array | undefined
  #bytesRead = 0

  constructor(bytes: Bytes) {
    this.#iterator = bytes[Symbol.asyncIterator]()
  }

  /** Bytes received so far, including those put back. */
  get bytesRead(): number {
    return this.#bytesRead
  }

  /** The offset of the next byte. */
  get position(): number {
    return this.#bytesRead - (this.#returned?.length ?? 0)
  }

  /** The next piece of any size; `undefined` after the last. */
  async next(): Promise<Uint8Array | undefined> {
    const returned = this.#returned
    this.#returned = undefined
    if (returned) return returned
    const { done, value } = await this.#iterator.next()
    if (done) return undefined
    this.#bytesRead += value.length
    return value
  }

  /** Puts the end of the last piece back. */
  unread(bytes: Uint8Array): void {
    if (bytes.length > 0) this.#returned = bytes
  }

  /** The next `size` bytes; fewer if there are no more. */
  async take(size: number): Promise<Buffer> {
    const taken: Uint8Array[] = []
    for (let missing = size; missing > 0; missing -= taken.at(-1)?.length ?? 0) {
      const piece = await this.next()
      if (!piece) break
      taken.push(piece.subarray(0, missing))
      this.unread(piece.subarray(missing))
    }
    return Buffer.concat(taken)
  }

  /** Closes the source, even if bytes remain. */
  async close(): Promise<void> {
    await this.#iterator.return?.()
  }
}
