/** Decodes UTF-8 whose bytes are given as characters (latin1). */
export const decodeUtf8 = (bytes: string): string => Buffer.from(bytes, 'latin1').toString('utf8')

/** The inverse: the UTF-8 of a text, with its bytes as characters. */
export const encodeUtf8 = (text: string): string =>
  OTHER_THAN_ASCII.test(text) ? Buffer.from(text).toString('latin1') : text

const OTHER_THAN_ASCII = /[^\0-\x7f]/

/** A copy of the text, so that V8 does not keep the whole file alive for a slice of it. */
export const copyOf = (bytes: string): string => Buffer.from(bytes, 'latin1').toString('latin1')
