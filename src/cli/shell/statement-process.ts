import type { AskedDatabase } from '../../database/sources/open-asked.ts'
import { stream } from '../../work/call.ts'
import type { Run } from '../../work/run.ts'
import type { Piece } from '../output/write-all.ts'
import type { AskedStatement } from './answer-statement.ts'
import type { Screen } from './open-screen.ts'

/** The program that runs a statement: `statement-program.ts`. */
export type RunStatement = Run<
  { source: StatementSource; asked: AskedStatement },
  AsyncIterable<Piece>
>

/** A database, several that are attached, or the folders of datasets. */
export type StatementSource = AskedDatabase | readonly string[]

export interface StatementProcess {
  /** Writes the result of a statement. Throws as `runQuery` does, and `interrupted`. */
  run(asked: AskedStatement, screen: Screen): Promise<void>
  /** Stops the running statement, if any. */
  stop(): void
}

/**
 * Runs the statements of a shell in a process, because SQLite can be stopped only with its process.
 *
 * @param sourceFor what answers a statement
 */
export function createStatementProcess(
  sourceFor: (sql: string) => Promise<StatementSource>,
): StatementProcess {
  let running = new AbortController()
  return {
    async run(asked, screen) {
      running = new AbortController()
      const { signal } = running
      const source = await sourceFor(asked.sql)
      // If nobody reads the rest, the process ends.
      await screen.write(
        stream<RunStatement>('statement', { source, asked }, { in: 'process', signal }),
      )
    },
    stop: () => running.abort(),
  }
}
