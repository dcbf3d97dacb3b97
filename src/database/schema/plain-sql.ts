const TOKENS = /--[^\n]*|('(?:[^']|'')*'|"(?:[^"]|"")*"|\w+|[^\s\w])/g

/** A statement without comments, its words and marks one space apart. Two definitions are the same if these are. */
export const plainSql = (sql: string): string =>
  [...sql.matchAll(TOKENS)].flatMap(([, token]) => token ?? []).join(' ')
