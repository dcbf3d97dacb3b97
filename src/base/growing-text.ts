/** Bytes of a new buffer. */
const ROOM = 512 * 1024

/** Up to this length a loop is faster than a call of `Buffer.write`. */
const SHORT = 48

/**
 * A long text of many short ones, as UTF-8. They are written as they come: to join strings and encode them takes twice the
 * time.
 */
export class GrowingText {
  #bytes = Buffer.allocUnsafeSlow(ROOM)
  #length = 0

  /** Bytes so far. */
  get length(): number {
    return this.#length
  }

  add(text: string): void {
    // No character of a JavaScript string takes more than three bytes.
    const most = text.length < ROOM ? text.length * 3 : Buffer.byteLength(text)
    if (this.#length + most > this.#bytes.length) this.#grow(this.#length + most)
    if (text.length > SHORT || !this.#addAscii(text)) {
      this.#length += this.#bytes.write(text, this.#length)
    }
  }

  #addAscii(text: string): boolean {
    const bytes = this.#bytes
    const at = this.#length
    for (let i = 0; i < text.length; i++) {
      const code = text.charCodeAt(i)
      if (code > 0x7f) return false
      bytes[at + i] = code
    }
    this.#length += text.length
    return true
  }

  /** All bytes, which are the caller's from then on. */
  take(): Buffer {
    const bytes = this.#bytes.subarray(0, this.#length)
    this.#bytes = Buffer.allocUnsafeSlow(ROOM)
    this.#length = 0
    return bytes
  }

  /** All bytes, until the next text is added. */
  borrow(): Buffer {
    const bytes = this.#bytes.subarray(0, this.#length)
    this.#length = 0
    return bytes
  }

  #grow(needed: number): void {
    const larger = Buffer.allocUnsafeSlow(Math.max(needed, this.#bytes.length * 2))
    this.#bytes.copy(larger, 0, 0, this.#length)
    this.#bytes = larger
  }
}
