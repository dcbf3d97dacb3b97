/** Bytes that are written and checked at a time. */
const BLOCK = 2 ** 18

/**
 * Joins the pieces of a connection, of which a GiB has tens of thousands, to blocks: while one is written and checked, the
 * next one fills.
 */
export class BlockBuffer {
  readonly #use: (block: Uint8Array) => Promise<void>
  #block = Buffer.allocUnsafeSlow(BLOCK)
  #length = 0
  #using: Promise<void> = Promise.resolve()

  /** @param use what is done with a block, one after the other */
  constructor(use: (block: Uint8Array) => Promise<void>) {
    this.#use = use
  }

  /** Adds a copy of a piece. Throws what `use` has thrown. */
  async add(piece: Uint8Array): Promise<void> {
    for (let at = 0; at < piece.length; ) {
      const part = piece.subarray(at, at + BLOCK - this.#length)
      this.#block.set(part, this.#length)
      this.#length += part.length
      at += part.length
      if (this.#length === BLOCK) await this.#pass()
    }
  }

  /** Passes on what has been added, and waits until it has been used. Throws what `use` has thrown. */
  async flush(): Promise<void> {
    if (this.#length > 0) await this.#pass()
    await this.#using
  }

  async #pass(): Promise<void> {
    await this.#using
    this.#using = this.#use(this.#block.subarray(0, this.#length))
    this.#using.catch(() => {}) // The next call throws it.
    this.#block = Buffer.allocUnsafeSlow(BLOCK)
    this.#length = 0
  }
}
