/** A name as an SQL identifier. Always quoted: records and archives name things as they like. */
export const quoteName = (name: string): string => `"${name.replaceAll('"', '""')}"`

/** A text as an SQL string. */
export const quoteText = (text: string): string => `'${text.replaceAll("'", "''")}'`
