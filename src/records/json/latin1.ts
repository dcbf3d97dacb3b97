/** Bytes of UTF-8, each a character, as the text they are. */
export const textOf = (bytes: string): string => Buffer.from(bytes, 'latin1').toString('utf8')

/** The same bytes, without the file of which V8 might keep them as a part. */
export const copyOf = (bytes: string): string => Buffer.from(bytes, 'latin1').toString('latin1')
