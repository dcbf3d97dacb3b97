/** Characters of a word that count. */
const LONGEST_WORD = 40

const WORD = /[\p{L}\p{N}\p{Co}]+/gu

// Thai and Lao, Burmese, Khmer, Kana and Chinese characters, including those beyond U+FFFF.
const UNSPACED =
  /[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\uff66-\uff9f]|[\ud840-\ud8bf][\udc00-\udfff]/g
const SEPARATOR = '\u200b'

/**
 * Inserts an invisible separator after each character of scripts without spaces between words. Without it the index would
 * take a whole sentence for one word.
 */
export const splitUnspaced = (text: string): string => text.replace(UNSPACED, `$&${SEPARATOR}`)

/** Removes these separators, including any that were in the text before: they are invisible. */
export const joinUnspaced = (text: string): string => text.replaceAll(SEPARATOR, '')

/** A text without case and marks, so that cafe finds Café. */
export const fold = (text: string): string =>
  text
    .toWellFormed()
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()

/** The words of a text as the index of a site has them, in their order. */
export function wordsOf(text: string): string[] {
  const words = splitUnspaced(fold(text)).match(WORD) ?? []
  return words.map((word) => word.slice(0, LONGEST_WORD).toWellFormed())
}
