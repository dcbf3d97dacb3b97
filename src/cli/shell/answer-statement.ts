import type { Database } from '../../database/open-database.ts'
import type { SqlValue } from '../../query/run-query.ts'
import { runQuery } from '../../query/run-query.ts'
import { FORMATS, type FormatName } from '../output/formats.ts'
import { shownOnTerminal } from '../output/shown-on-terminal.ts'
import { stylesFor } from '../output/styles.ts'
import type { Piece } from '../output/write-all.ts'
import { explainQuery } from '../sources/explain-query.ts'
import type { Pieces } from './open-screen.ts'

/** A statement and the format of its rows. It can be sent to another process. */
export interface AskedStatement {
  sql: string
  parameters: Record<string, SqlValue>
  format: FormatName
  headers: boolean
  csvSafe: boolean
  /** Maximum width of a table. */
  width?: number | undefined
  terminal: boolean
  colours: boolean
}

/** Runs a statement and formats its rows, piece by piece. Throws as `runQuery` does, with advice. */
export function answerStatement(database: Database, asked: AskedStatement): Pieces {
  const pieces = writtenRows(database, asked)
  return asked.terminal && asked.format === 'raw' ? shownOnTerminal(pieces) : pieces
}

function* writtenRows(
  database: Database,
  { sql, parameters, colours, format, ...options }: AskedStatement,
): Generator<Piece> {
  try {
    const env = colours ? { CLICOLOR_FORCE: '1' } : { NO_COLOR: '1' }
    const styles = stylesFor({ isTTY: colours }, env)
    yield* FORMATS[format].format(runQuery(database, sql, parameters), { ...options, styles })
  } catch (error) {
    throw explainQuery(error, sql, database)
  }
}
