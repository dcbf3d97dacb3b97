import type { Bytes } from '../../streams.ts'

/** Bytes to take piece by piece; what was taken too much can be given back. */
export class ByteSource {
  readonly #iterator: AsyncIterator<Uint8Array>
  #returned: Uint8Array | undefined
  #bytesRead = 0

  constructor(bytes: Bytes) {
    this.#iterator = bytes[Symbol.asyncIterator]()
  }

  /** Bytes that came so far, those given back included. */
  get bytesRead(): number {
    return this.#bytesRead
  }

  /** Where in all bytes the next one stands. */
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

  /** Gives back the end of the last piece. */
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

  /** Lets go of the source, read or not. */
  async close(): Promise<void> {
    await this.#iterator.return?.()
  }
}
