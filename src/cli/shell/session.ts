import { checkNeeds } from '../../query/check-needs.ts'
import type { SavedQuery } from '../../query/parse-saved-query.ts'
import type { Io } from '../command/io.ts'
import type { FormatName } from '../output/formats.ts'
import { parametersOf } from '../sources/query-parameters.ts'
import type { AskedStatement } from './answer-statement.ts'
import type { AskedSource } from './asked-source.ts'
import type { Screen } from './open-screen.ts'

/** The state of a shell. */
export interface Session {
  readonly source: AskedSource
  readonly io: Io
  /** Parameters for all statements, in pairs. */
  readonly pairs: readonly string[]
  format: FormatName
  headers: boolean
  readonly csvSafe: boolean
  /** Columns of the terminal, if there is no pager. */
  readonly width?: number | undefined
  readonly colours: boolean
  /** The destination of results. */
  readonly screen: Screen
  /** The file that receives results instead of the screen. */
  file?: (Screen & { close(): Promise<void> }) | undefined
  /** Runs a statement and writes its result. */
  run(asked: AskedStatement, screen: Screen): Promise<unknown>
}

/** Runs a statement, and writes its result to the screen or the file. */
export async function ask(
  query: SavedQuery,
  pairs: readonly string[],
  session: Session,
): Promise<void> {
  const { source, format, headers, csvSafe, file } = session
  try {
    checkNeeds(query, source.has)
  } catch (error) {
    throw source.explain(error, query.sql)
  }
  const terminal = session.io.stdout.isTTY === true && !file
  const asked: AskedStatement = {
    sql: query.sql,
    parameters: await parametersOf(pairs, query, source.openNames),
    format,
    headers,
    csvSafe,
    terminal,
    width: terminal ? session.width : undefined,
    colours: session.colours && !file,
  }
  await show(session, (screen) => session.run(asked, screen))
}

/** Writes to the screen or the file. */
export async function show(
  session: Pick<Session, 'screen' | 'file'>,
  work: (screen: Screen) => Promise<unknown>,
): Promise<void> {
  const screen = session.file ?? session.screen
  try {
    await work(screen)
  } finally {
    await screen.end()
  }
}
