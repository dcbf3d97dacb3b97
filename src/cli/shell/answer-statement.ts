import type { SqlValue } from '../../query/run-query.ts'
import { FORMATS, type FormatName } from '../output/formats.ts'
import { shownOnTerminal } from '../output/shown-on-terminal.ts'
import { stylesFor } from '../output/styles.ts'
import { inBatches, type Piece } from '../output/write-all.ts'
import type { AskedSource } from './asked-source.ts'
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
export function answerStatement(source: AskedSource, asked: AskedStatement): Pieces {
  const pieces = writtenRows(source, asked)
  return asked.terminal && asked.format === 'raw' ? shownOnTerminal(pieces) : pieces
}

async function* writtenRows(
  source: AskedSource,
  { sql, parameters, colours, format, ...options }: AskedStatement,
): AsyncGenerator<Piece> {
  try {
    const env = colours ? { CLICOLOR_FORCE: '1' } : { NO_COLOR: '1' }
    const styles = stylesFor({ isTTY: colours }, env)
    const result = await source.ask(sql, parameters)
    try {
      yield* inBatches(FORMATS[format].format(result, { ...options, styles }))
    } finally {
      if ('close' in result) result.close?.()
    }
  } catch (error) {
    throw source.explain(error, sql)
  }
}
