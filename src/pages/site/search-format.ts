/**
 * The form of the search index of a site, for the program that writes it and the script that reads it: scripts that call
 * `marc` with an index, a list of words or a list of texts. It imports nothing but the grammar of searches.
 */
import { fold } from '../../search/grammar/words.ts'

/** What `-/search/index.js` holds: scripts by the first number of their texts, and by the first of their words. */
export interface SiteIndex {
  /** How many texts there are. Their numbers begin with 1. */
  readonly count: number
  readonly texts: readonly [first: number, name: string][]
  readonly words: readonly [first: string, name: string][]
}

/**
 * A text: the address of its page, kind, place, author, time, heading and body; and the title that is searched, if that is
 * another than the heading.
 */
export type IndexedText = [
  path: string,
  kind: string,
  place: string,
  author: string,
  time: string,
  heading: string,
  body: string,
  title?: string,
]

/** Where a text has a word: a posting has one of them, or both. */
export const TITLE = 1
export const BODY = 2

/** A filter as the index has it: `label:help wanted`. */
export const filterTerm = (name: string, value: string): string =>
  `${name}:${fold(value).replace(/\s+/g, ' ').trim()}`

/** Digits of a number: five bits each, and one that says whether more follow. */
const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'

const CODES = Uint8Array.from(DIGITS, (digit) => digit.charCodeAt(0))

/**
 * Writes a natural number in as few characters as possible, the lowest digit first.
 *
 * @returns where it ends
 */
export function writeNumber(value: number, to: Uint8Array, start: number): number {
  let at = start
  let rest = value
  for (; rest >= 32; rest = Math.floor(rest / 32)) to[at++] = CODES[32 + (rest % 32)] as number
  to[at++] = CODES[rest] as number
  return at
}

/** Reads postings: each is four times the distance to the text before, and where the word is. */
export function readPostings(text: string, add: (id: number, columns: number) => void): void {
  let id = 0
  for (let i = 0; i < text.length; ) {
    let value = 0
    let power = 1
    let digit = 32
    while (digit >= 32 && i < text.length) {
      digit = DIGITS.indexOf(text.charAt(i++))
      value += (digit % 32) * power
      power *= 32
    }
    id += Math.floor(value / 4)
    add(id, value % 4)
  }
}
