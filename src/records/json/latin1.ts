/** Decodes UTF-8 whose bytes are given as characters (latin1). */
export const decodeUtf8 = (bytes: string): string => Buffer.from(bytes, 'latin1').toString('utf8')

/** A copy of the text, so that V8 does not keep the whole file alive for a slice of it. */
export const copyOf = (bytes: string): string => Buffer.from(bytes, 'latin1').toString('latin1')
