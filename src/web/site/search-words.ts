import { splitUnspaced } from '../../search/parse-search.ts'

/** Characters of a word that count. */
export const LONGEST_WORD = 40

/** Where a text has a word: a posting has one of them, or both. */
export const TITLE = 1
export const BODY = 2

const WORD = /[\p{L}\p{N}\p{Co}]+/gu

/** A text without case and marks, so that cafe finds Café. */
export const fold = (text: string): string =>
  text
    .toWellFormed()
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()

/** The words of a text as the index has them, in their order. The script of a site does the same. */
export function wordsOf(text: string): string[] {
  const words = splitUnspaced(fold(text)).match(WORD) ?? []
  return words.map((word) => word.slice(0, LONGEST_WORD).toWellFormed())
}

/** A filter as the index has it: `label:help wanted`. */
export const filterTerm = (name: string, value: string): string =>
  `${name}:${fold(value).replace(/\s+/g, ' ').trim()}`

/** Digits of a number: five bits each, and one that says whether more follow. */
export const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'

const CODES = Buffer.from(DIGITS)

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
