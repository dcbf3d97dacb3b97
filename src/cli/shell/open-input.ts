import { parseSavedQuery } from '../../query/parse-saved-query.ts'
import { runDotCommand } from './dot-commands.ts'
import { ask, type Session } from './session.ts'
import { hasStatement, splitStatements } from './split-statements.ts'

/** Reads input line by line, and runs complete statements. */
export interface Input {
  /** The incomplete statement. */
  readonly pending: string
  /** Returns true to end the shell. */
  accept(line: string): Promise<boolean>
  /** Runs a last statement without a semicolon. */
  finish(): Promise<void>
  drop(): void
}

export function openInput(session: Session): Input {
  let pending = ''
  return {
    get pending() {
      return pending
    },
    async accept(line) {
      if (!hasStatement(pending)) {
        // These words begin no statement.
        const command = /^(help|quit|exit)\s*;?$/i.test(line.trim())
          ? `.${line.trim().toLowerCase()}`
          : line.trim()
        if (command.startsWith('.')) return runDotCommand(command, session)
      }
      const { statements, rest } = splitStatements(`${pending}${line}\n`)
      pending = rest.trim() === '' ? '' : rest
      for (const sql of statements) await ask(parseSavedQuery(sql.trim()), session.pairs, session)
      return false
    },
    async finish() {
      const rest = pending
      pending = ''
      if (hasStatement(rest)) await ask(parseSavedQuery(rest.trim()), session.pairs, session)
    },
    drop: () => {
      pending = ''
    },
  }
}
