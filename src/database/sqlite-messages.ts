import { sqliteError } from './connection.ts'

/**
 * The only place that knows the words of SQLite and better-sqlite3. Mistakes in a statement all have the code
 * SQLITE_ERROR, or none, so that only the message says which one it is and names what is wrong.
 */
const MESSAGES = {
  'table-unknown': /^no such table: (\S+)/,
  'column-unknown': /^no such column: (\S+)/,
  'function-unknown': /^no such function: (\S+)/,
  'column-ambiguous': /^ambiguous column name: (\S+)/,
  'syntax-error': /^near "(.*)": syntax error$/s,
  // SQLite takes views apart, and some statements over many databases into too many parts.
  'too-complex':
    /nested too deep$|^too many |^at most \d+ tables|Expression tree is too large|^Recursion limit/,
  'several-statements': /^The supplied SQL string contains more than one statement$/,
  'no-statement': /^The supplied SQL string contains no statements$/,
  'parameter-missing': /^Missing named parameter "(.+)"$/s,
  'parameters-are-named': /^Missing named parameters$/,
  'parameters-too-few': /^Too few parameter values were provided$/,
  'parameters-too-many': /^Too many parameter values were provided$/,
  'index-damaged': /(?:missing from|entries in|non-unique entry in) index (.+)$/s,
} as const

export type StatementFault = keyof typeof MESSAGES

/** The fault of a statement, and the name or word that causes it. */
export interface SqliteMessage {
  fault: StatementFault
  /** Empty if the message has none. */
  name: string
}

/** The meaning of a message of SQLite; undefined if it makes no difference. */
export function parseSqliteMessage(message: string): SqliteMessage | undefined {
  for (const fault of Object.keys(MESSAGES) as StatementFault[]) {
    const found = MESSAGES[fault].exec(message)
    if (found) return { fault, name: found[1] ?? '' }
  }
  return undefined
}

/** The same of an error, or of the error that caused it. */
export function parseSqliteError(error: unknown): SqliteMessage | undefined {
  const cause = sqliteError(error) ?? (error instanceof Error ? (error.cause ?? error) : error)
  return cause instanceof Error ? parseSqliteMessage(cause.message) : undefined
}
