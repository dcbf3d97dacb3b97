import { copyOf, textOf } from '../json/latin1.ts'

/**
 * Counts texts that archives choose, each byte of them a character; beyond so many different ones only those that it
 * knows already.
 */
export class Counter {
  readonly #counts = new Map<string, { count: number }>()
  readonly #most: number

  constructor(most = Number.POSITIVE_INFINITY) {
    this.#most = most
  }

  add(text: string): void {
    if (this.addKnown(text) || this.#counts.size === this.#most) return
    this.#counts.set(copyOf(text), { count: 1 })
  }

  /** Counts a text that was counted before; false for another. */
  addKnown(text: string): boolean {
    const known = this.#counts.get(text)
    if (known) known.count++
    return known !== undefined
  }

  /** Each text and how often it came, in the order in which they came first. */
  get counts(): [text: string, count: number][] {
    return [...this.#counts].map(([text, { count }]) => [textOf(text), count])
  }
}
