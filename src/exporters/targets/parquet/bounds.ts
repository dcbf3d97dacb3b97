export type Bound = string | number | bigint

/** The minimum and the maximum of values, by which readers skip row groups. */
export class Bounds {
  #minimum: Bound | undefined
  #maximum: Bound | undefined

  add(value: Bound): void {
    const one = wellFormed(value)
    if (this.#minimum === undefined || isBefore(one, this.#minimum)) this.#minimum = one
    if (this.#maximum === undefined || isBefore(this.#maximum, one)) this.#maximum = one
  }

  /** Both as the metadata have them; neither if no value was added. */
  get statistics(): { min_value?: Bound; max_value?: Bound } {
    if (this.#minimum === undefined || this.#maximum === undefined) return {}
    return { min_value: this.#minimum, max_value: this.#maximum }
  }
}

/** A text as it is encoded: U+FFFD in place of half a surrogate pair. */
const wellFormed = (value: Bound) =>
  typeof value === 'string' && !value.isWellFormed() ? value.toWellFormed() : value

/** Whether a value comes before another one: numbers by size, texts by the bytes of their UTF-8. */
function isBefore(one: Bound, other: Bound): boolean {
  if (typeof one !== 'string' || typeof other !== 'string') return one < other
  const shorter = Math.min(one.length, other.length)
  for (let i = 0; i < shorter; i++) {
    const a = one.charCodeAt(i)
    const b = other.charCodeAt(i)
    if (a !== b) return rank(a) < rank(b)
  }
  return one.length < other.length
}

/** In UTF-16 surrogates come before U+E000 to U+FFFF, in UTF-8 the characters that they make come after these. */
const rank = (unit: number): number =>
  unit < 0xd800 ? unit : unit < 0xe000 ? unit + 0x2000 : unit - 0x800
