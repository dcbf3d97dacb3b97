/** Plants values that stand nowhere else, so that each tells where it came from. */

/** Where a value was planted. */
export interface Cell {
  /** The type of value, such as `email`. */
  kind: string
  /** How it is written, such as `in angle brackets`. */
  form: string
  /** Which member, file or part of Git holds it. */
  place: string
  /** The encoding around it, such as `percent-encoded`. */
  clothes: string
}

/** Writes a text with a value; whatever must not be left of it goes through `make`. */
export interface Form {
  kind: string
  name: string
  write: (make: Maker) => string
}

/** Makes the parts of a value. */
export interface Maker {
  /** A token: its prefix, and so many random characters. */
  token: (prefix: string, length: number, alphabet?: string) => string
  /** A word of lower-case letters that stands nowhere else. */
  word: (length?: number) => string
  /** A number below a bound. */
  below: (bound: number) => number
  /** Says that a text must not be left. */
  hide: (text: string) => string
  /** Makes a record of a person with this name or login. */
  person: (person: { name?: string; login?: string }) => void
}

const MIXED = 'a9Bc3DeF7gH1iJ5kL0mN2oP4qR6sT8uVwXyZ'
const LETTERS = 'abcdefghijklmnopqrstuvwxyz'
/** Characters of what is looked for, at most. */
const LONGEST = 10

/** Plants values, and knows all of them. */
export class Planter {
  /** What must not be left, in lower case, and where it was planted. */
  readonly hidden = new Map<string, Cell>()
  readonly people: { name?: string; login?: string }[] = []
  /** The number of values. */
  count = 0
  readonly seed: number
  #state: number

  /** @param seed `FC_SEED` repeats the values of a seed */
  constructor(seed = Number(process.env.FC_SEED ?? 1)) {
    this.seed = seed
    this.#state = Math.imul(seed, 0x9e3779b9)
  }

  /** A text with a new value: with few characters, one may come twice. */
  plant(form: Form, place: string, clothes: string): string {
    this.count++
    const cell = { kind: form.kind, form: form.name, place, clothes }
    for (;;) {
      const { text, hidden, people } = this.#write(form)
      if (hidden.some((part) => this.hidden.has(part))) continue
      for (const part of hidden) this.hidden.set(part, cell)
      this.people.push(...people)
      return text
    }
  }

  #write(form: Form) {
    const hidden: string[] = []
    const people: { name?: string; login?: string }[] = []
    const hide = (text: string) => {
      // A value that is cut short is still a leak: both of its ends are looked for.
      for (const part of [text.slice(0, LONGEST), text.slice(-LONGEST)]) {
        hidden.push(part.toLowerCase())
      }
      return text
    }
    const random = (length: number, alphabet: string) =>
      Array.from({ length }, () => alphabet[this.#below(alphabet.length)]).join('')
    const text = form.write({
      token: (prefix, length, alphabet = MIXED) => {
        const body = random(length, alphabet)
        // Eight hexadecimal digits are four bytes, which stand in a pack by chance.
        return prefix + (length < LONGEST ? body : hide(body))
      },
      word: (length = 10) => hide(random(length, LETTERS)),
      below: (bound) => this.#below(bound),
      hide: (text) => {
        hidden.push(text.toLowerCase())
        return text
      },
      person: (person) => void people.push(person),
    })
    return { text, hidden, people }
  }

  /** The numbers of a generator that is always the same (mulberry32). */
  #below(bound: number): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0
    let t = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) % bound
  }
}
