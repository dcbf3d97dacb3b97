/** A name as an SQL identifier. Always quoted, because records and archives may use any name. */
export const quoteName = (name: string): string => `"${name.replaceAll('"', '""')}"`

/** A text as an SQL string. */
export const quoteText = (text: string): string => `'${text.replaceAll("'", "''")}'`
