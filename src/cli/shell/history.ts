import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import type { Io } from '../command/io.ts'
import { isOwnFolder, makeOwnFolder } from '../process/own-folder.ts'
import { joinLines } from './split-statements.ts'

const MOST = 1_000

export interface History {
  /** The newest first, as readline has them. */
  readonly lines: readonly string[]
  add(lines: readonly string[]): void
}

/** What was typed into earlier shells, in the user's state folder. Where it cannot be kept, it is not. */
export function openHistory({ env }: Pick<Io, 'env'>): History {
  const state = env.XDG_STATE_HOME || join(env.HOME || homedir(), '.local/state')
  const folder = join(state, 'migration-archive')
  const path = join(folder, 'history')
  // What others may have written there is not to be offered for running.
  const lines = isOwnFolder(folder) ? read(path) : []
  // Two shells may add to it at once, so it is only made shorter where it has become far too long.
  if (lines.length > 2 * MOST)
    attempt(() => writeFileSync(path, `${lines.slice(-MOST).join('\n')}\n`))
  return {
    lines: lines.slice(-MOST).reverse(),
    add: (lines) =>
      attempt(() => {
        makeOwnFolder(folder)
        appendFileSync(path, `${lines.join('\n')}\n`, { mode: 0o600 })
      }),
  }
}

/** What was typed as one line, or line by line where one would not mean the same. */
export const asLines = (typed: string): string[] => {
  const joined = joinLines(typed.trim())
  return joined === undefined ? typed.split('\n').filter((line) => line.trim() !== '') : [joined]
}

function read(path: string): string[] {
  try {
    return readFileSync(path, 'utf8').split('\n').filter(Boolean)
  } catch {
    return []
  }
}

function attempt(work: () => void): void {
  try {
    work()
  } catch {
    // A history is no reason to stop.
  }
}
