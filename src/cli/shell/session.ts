import type { Database } from '../../database/open-database.ts'
import type { SavedQuery } from '../../query/parse-saved-query.ts'
import type { Io } from '../command/io.ts'
import { parametersOf } from '../options/query-parameters.ts'
import type { FormatName } from '../output/formats.ts'
import { checkNeeds } from '../sources/explain-query.ts'
import type { AskedStatement } from './answer-statement.ts'
import type { Screen } from './open-screen.ts'

/** A shell as its commands see and change it. */
export interface Session {
  readonly database: Database
  readonly io: Io
  /** Parameters for all statements, in pairs. */
  readonly pairs: readonly string[]
  format: FormatName
  headers: boolean
  readonly csvSafe: boolean
  /** Columns of a terminal that is not paged. */
  readonly width?: number | undefined
  readonly colours: boolean
  /** Where answers go. */
  readonly screen: Screen
  /** The file that answers go to instead. */
  file?: (Screen & { close(): Promise<void> }) | undefined
  /** Runs a statement and writes its answer. */
  run(asked: AskedStatement, screen: Screen): Promise<unknown>
}

/** Runs a statement, and shows its answer on the screen or writes it to the file. */
export async function ask(
  query: SavedQuery,
  pairs: readonly string[],
  session: Session,
): Promise<void> {
  const { database, format, headers, csvSafe, file } = session
  checkNeeds(query, database)
  const terminal = session.io.stdout.isTTY === true && !file
  const asked: AskedStatement = {
    ...{ sql: query.sql, parameters: await parametersOf(pairs, query, database) },
    ...{ format, headers, csvSafe },
    ...{ terminal, width: terminal ? session.width : undefined },
    colours: session.colours && !file,
  }
  await show(session, (screen) => session.run(asked, screen))
}

/** Lets something be written to where answers go. */
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
