import type { Bytes } from '../../base/streams.ts'

const MARK = Buffer.from('\ufeff')

/** The beginning of a record fits into this many bytes. */
const OVERLAP = 4096

/** A window that moves forward through a file and grows as far as a reader looks ahead. */
export class ByteWindow {
  /** The bytes in the window. */
  bytes: Buffer = Buffer.alloc(0)
  /** The position of the window in the file. */
  offset = 0
  readonly #source: AsyncIterator<Uint8Array>
  #memory = Buffer.alloc(0)
  /** Bytes at the end of the memory that are not used. */
  #free = 0
  #skipped: Buffer[] | undefined
  #room = 0

  constructor(bytes: Bytes) {
    this.#source = bytes[Symbol.asyncIterator]()
  }

  /** Adds the next chunk; returns false at the end of the file. */
  async more(): Promise<boolean> {
    const { done, value } = await this.#source.next()
    if (done) return false
    const { length } = this.bytes
    const end = length + value.length
    const start = this.#memory.length - this.#free
    if (this.#free < value.length) {
      // Twice what is kept, so that a long element is not copied for each chunk of it.
      this.#memory = Buffer.allocUnsafeSlow(Math.max(end, 2 * length))
      this.#memory.set(this.bytes)
      this.#memory.set(value, length)
      this.#free = this.#memory.length - end
      this.bytes = this.#memory.subarray(0, end)
    } else {
      this.#memory.set(value, start)
      this.#free -= value.length
      this.bytes = this.#memory.subarray(start - length, start + value.length)
    }
    return true
  }

  /** Releases the source. */
  async close(): Promise<void> {
    await this.#source.return?.()
  }

  /** The first byte; undefined at the end of the file. */
  async peek(): Promise<number | undefined> {
    while (this.bytes.length === 0) if (!(await this.more())) return undefined
    return this.bytes[0]
  }

  /** Moves past a byte order mark. */
  async skipMark(): Promise<void> {
    while (this.bytes.length < MARK.length && (await this.more()));
    if (this.bytes.subarray(0, MARK.length).equals(MARK)) this.drop(MARK.length)
  }

  drop(length: number): void {
    if (this.#skipped && this.#room > 0) {
      const part = this.bytes.subarray(0, Math.min(length, this.#room))
      this.#skipped.push(part)
      this.#room -= part.length
    }
    this.bytes = this.bytes.subarray(length)
    this.offset += length
  }

  /**
   * Moves to the first match of the pattern at least `after` bytes from here, or to the end of the file if there is no
   * match or no pattern. Returns the bytes skipped, at most `room` of them.
   */
  async skipTo(pattern: RegExp | undefined, after: number, room: number): Promise<Buffer> {
    this.#room = room
    this.#skipped = []
    await this.#skip(pattern, after)
    const skipped = Buffer.concat(this.#skipped)
    this.#skipped = undefined
    return skipped
  }

  async #skip(pattern: RegExp | undefined, after: number): Promise<void> {
    let from = after
    do {
      const { length } = this.bytes
      if (pattern) {
        pattern.lastIndex = from
        const found = pattern.exec(this.bytes.toString('latin1'))
        if (found) return this.drop(found.index)
      }
      this.drop(Math.min(length, Math.max(from, pattern ? length - OVERLAP : length)))
      from = 0
    } while (await this.more())
    this.drop(this.bytes.length)
  }
}
