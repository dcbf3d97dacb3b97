import { BACKSLASH, endOfPlain, QUOTE } from '../json/end-of-plain.ts'
import type { Column, List, Members } from '../kinds/kind.ts'
import { isColumn } from '../kinds/member-paths.ts'
import { type Prefix, prefixOf, startsWith } from './prefix.ts'

const COMMA = 0x2c
const [MINUS, ZERO, NINE, LIST, END_OF_LIST, OBJECT] = [0x2d, 0x30, 0x39, 0x5b, 0x5d, 0x7b]
export const [TRUE, FALSE, NULL] = [prefixOf('true'), prefixOf('false'), prefixOf('null')]

/** A double is exact for integers of so many digits. */
const MOST_DIGITS = 15

/** The level of the members of a record: 2 x 2 spaces. */
export const RECORD_LEVEL = 2

/** Scans the values of a file. Each method returns where the value ends, or -1 if it is not canonical. */
export class ValueScanner {
  /** The last integer. */
  integer = 0
  /** Bytes that escapes added to the last text. */
  escapes = 0
  /** Bytes of white space so far. */
  white = 0
  /** How the file prints empty arrays, as soon as there is one. */
  emptyArray: 'old' | 'new' | undefined
  readonly #view: DataView

  /** @param view a file with zeros behind it */
  constructor(view: DataView) {
    this.#view = view
  }

  /** The characters of a string, up to its last quote. */
  scanText(at: number): number {
    const view = this.#view
    this.escapes = 0
    for (let p = at; ; ) {
      p = endOfPlain(view, p)
      const byte = view.getUint8(p)
      if (byte === QUOTE) return p
      const length = byte === BACKSLASH ? lengthOfEscape(view, p) : 0
      if (length === 0) return -1
      this.escapes += length - 1
      p += length
    }
  }

  scanInteger(at: number): number {
    const view = this.#view
    const isNegative = view.getUint8(at) === MINUS
    const first = isNegative ? at + 1 : at
    let p = first
    let integer = 0
    for (let byte = view.getUint8(p); byte >= ZERO && byte <= NINE; byte = view.getUint8(++p)) {
      integer = integer * 10 + byte - ZERO
    }
    this.integer = isNegative ? -integer : integer
    const digits = p - first
    if (digits === 0 || digits > MOST_DIGITS) return -1
    // Neither 01 nor -0 is printed.
    const isPrinted = view.getUint8(first) !== ZERO || (digits === 1 && !isNegative)
    return isPrinted ? p : -1
  }

  /** The list or object of a column. */
  scanJson(at: number, column: Column, level: number): number {
    if (column.list) return this.#scanList(at, column.list, level)
    return column.members ? this.#scanObject(at, column.members, level) : this.#scanEmpty(at, level)
  }

  #scanEmpty(at: number, level: number): number {
    const view = this.#view
    if (view.getUint8(at) !== LIST) return -1
    const old = oldEmpty(level)
    const form = view.getUint8(at + 1) === END_OF_LIST ? 'new' : 'old'
    if (form === 'old' && !startsWith(view, at + 1, old)) return -1
    this.emptyArray ??= form
    if (this.emptyArray !== form) return -1
    if (form === 'new') return at + 2
    this.white += old.length - 1
    return at + 1 + old.length
  }

  #scanList(at: number, { element }: List, level: number): number {
    const view = this.#view
    const line = lineAt(level + 1)
    const isEmpty = view.getUint8(at) !== LIST || !startsWith(view, at + 1, line)
    if (isEmpty) return this.#scanEmpty(at, level)
    for (let p = at; ; ) {
      // After the bracket or a comma.
      if (!startsWith(view, p + 1, line)) return -1
      this.white += line.length
      p += 1 + line.length
      p = isColumn(element) ? this.#scanScalar(p) : this.#scanObject(p, element, level + 1)
      if (p < 0) return -1
      if (view.getUint8(p) !== COMMA) return this.#scanEnd(p, endOfList(level))
    }
  }

  /** Some of the members, each at most once and in order. */
  #scanObject(at: number, members: Members, level: number): number {
    const view = this.#view
    if (view.getUint8(at) !== OBJECT) return -1
    const line = lineAt(level + 1)
    let p = at
    for (const { name, column } of shapeOf(members)) {
      if (p > at && view.getUint8(p) !== COMMA) break
      if (!startsWith(view, p + 1, line)) return -1
      const value = p + 1 + line.length
      if (!startsWith(view, value, name)) continue
      // The space after the colon is white, too.
      this.white += line.length + 1
      p = this.#scanMember(value + name.length, column, level + 1)
      if (p < 0) return -1
    }
    return p === at ? -1 : this.#scanEnd(p, endOfObject(level))
  }

  #scanMember(at: number, column: Column, level: number): number {
    if (column.storage !== 'json') return this.#scanScalar(at)
    return startsWith(this.#view, at, NULL) ? at + NULL.length : this.scanJson(at, column, level)
  }

  #scanScalar(at: number): number {
    const view = this.#view
    if (view.getUint8(at) === QUOTE) {
      const end = this.scanText(at + 1)
      return end < 0 ? -1 : end + 1
    }
    for (const word of WORDS) if (startsWith(view, at, word)) return at + word.length
    return this.scanInteger(at)
  }

  #scanEnd(at: number, end: Prefix): number {
    if (!startsWith(this.#view, at, end)) return -1
    this.white += end.length - 1
    return at + end.length
  }
}

const WORDS = [TRUE, FALSE, NULL]

const shapes = new WeakMap<Members, { name: Prefix; column: Column }[]>()

/** The members of an object, each with its name as it is printed. */
function shapeOf(members: Members) {
  const known = shapes.get(members)
  if (known) return known
  const shape = Object.entries(members).map(([name, column]) => ({
    name: prefixOf(`"${name}": `),
    column,
  }))
  shapes.set(members, shape)
  return shape
}

/** Makes a prefix for each level once. */
const perLevel = (textOf: (line: string) => string) => {
  const made: Prefix[] = []
  return (level: number): Prefix => (made[level] ??= prefixOf(textOf(`\n${'  '.repeat(level)}`)))
}
const lineAt = perLevel((line) => line)
const oldEmpty = perLevel((line) => `\n${line}]`)
const endOfList = perLevel((line) => `${line}]`)
const endOfObject = perLevel((line) => `${line}}`)

const tableOf = (characters: string) => {
  const table = new Uint8Array(256)
  for (const byte of Buffer.from(characters)) table[byte] = 1
  return table
}
const SHORT = tableOf('"\\bfnrt')
const [UNICODE, DIGIT_ZERO, DIGIT_ONE] = [0x75, 0x30, 0x31]
// Without those that have a short escape, and without NUL, at which SQLite would end the text.
const CONTROLS = tableOf('1234567bef')
const HEX = tableOf('0123456789abcdef')

/** The length of the escape at `at` if it is the shortest for its character, as `JSON.stringify` writes it; or 0. */
function lengthOfEscape(view: DataView, at: number): number {
  const byte = view.getUint8(at + 1)
  if (SHORT[byte] === 1) return 2
  if (byte !== UNICODE || view.getInt16(at + 2, true) !== 0x3030) return 0
  const tens = view.getUint8(at + 4)
  const table = tens === DIGIT_ZERO ? CONTROLS : tens === DIGIT_ONE ? HEX : undefined
  return table?.[view.getUint8(at + 5)] === 1 ? 6 : 0
}
