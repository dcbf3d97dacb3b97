import { stream } from '../../work/call.ts'
import type { Run } from '../../work/run.ts'
import type { Piece } from '../output/write-all.ts'
import type { AskedStatement } from './answer-statement.ts'
import type { Screen } from './open-screen.ts'

/** The program that runs a statement: `statement-program.ts`. */
export type RunStatement = Run<{ path: string; asked: AskedStatement }, AsyncIterable<Piece>>

export interface StatementProcess {
  /** Writes the result of a statement. Throws as `runQuery` does, and `interrupted`. */
  run(asked: AskedStatement, screen: Screen): Promise<void>
  /** Stops the running statement, if any. */
  stop(): void
}

/** Runs the statements of a shell in a process, because SQLite can be stopped only with its process. */
export function createStatementProcess(path: string): StatementProcess {
  let running = new AbortController()
  return {
    async run(asked, screen) {
      running = new AbortController()
      const { signal } = running
      // If nobody reads the rest, the process ends.
      await screen.write(
        stream<RunStatement>('statement', { path, asked }, { in: 'process', signal }),
      )
    },
    stop: () => running.abort(),
  }
}
