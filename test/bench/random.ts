/** A seeded generator (sfc32): the same seed, stream and index give the same numbers on every machine. */
export class Random {
  #a: number
  #b: number
  #c: number
  #count = 1

  constructor(seed: number, stream: number, index: number) {
    this.#a = seed | 0
    this.#b = stream | 0
    this.#c = index | 0
    for (let i = 0; i < 12; i++) this.next()
  }

  /** Any 32-bit unsigned integer. */
  next(): number {
    const sum = (this.#a + this.#b + this.#count++) | 0
    this.#a = this.#b ^ (this.#b >>> 9)
    this.#b = (this.#c + (this.#c << 3)) | 0
    this.#c = (((this.#c << 21) | (this.#c >>> 11)) + sum) | 0
    return sum >>> 0
  }

  /** At least 0, less than 1. */
  fraction(): number {
    return this.next() / 0x1_0000_0000
  }

  /** An integer from 0 up to, but not including, `limit`. */
  below(limit: number): number {
    return Math.floor(this.fraction() * limit)
  }

  /** An integer below `limit`, small ones far more often than large ones. */
  skewed(limit: number): number {
    return Math.floor(this.fraction() ** 2 * limit)
  }

  chance(probability: number): boolean {
    return this.fraction() < probability
  }

  pick<T>(items: readonly T[]): T {
    const item = items[this.below(items.length)]
    if (item === undefined) throw new RangeError('Nothing to pick from')
    return item
  }

  /** `length` hexadecimal digits, a multiple of 8. */
  hex(length: number): string {
    let digits = ''
    while (digits.length < length) digits += this.next().toString(16).padStart(8, '0')
    return digits
  }

  uuid(): string {
    const hex = this.hex(32)
    return [0, 8, 12, 16, 20].map((at, i) => hex.slice(at, [8, 12, 16, 20, 32][i])).join('-')
  }
}

/** Puts the items in a random order, in place. */
export function shuffle<T>(items: T[], random: Random): T[] {
  for (let i = items.length - 1; i > 0; i--) {
    const other = random.below(i + 1)
    const item = items[i] as T
    items[i] = items[other] as T
    items[other] = item
  }
  return items
}
