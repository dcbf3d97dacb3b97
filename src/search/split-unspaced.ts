// Thai and Lao, Burmese, Khmer, then Kana and Chinese characters, also those beyond the first plane.
const UNSPACED =
  /[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\uff66-\uff9f]|[\ud840-\ud8bf][\udc00-\udfff]/g
const SEPARATOR = '\u200b'

/**
 * Puts an invisible separator behind each character of writings that set no spaces between words: the index
 * would take a whole sentence for one word.
 */
export const splitUnspaced = (text: string): string => text.replace(UNSPACED, `$&${SEPARATOR}`)

/** Takes the separators away again, and others of this sort, which nobody sees. */
export const joinUnspaced = (text: string): string => text.replaceAll(SEPARATOR, '')
