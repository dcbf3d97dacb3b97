import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { makeFolder, PRIVATE } from '../../files/make-folder.ts'
import type { Io } from '../command/io.ts'
import { isOwnFolder } from '../process/own-folder.ts'
import { joinLines } from './split-statements.ts'

const MOST = 1_000

export interface History {
  /** The newest first, as in readline. */
  readonly lines: readonly string[]
  add(lines: readonly string[]): void
}

/** The input of earlier shells, in the user's state folder. Errors are ignored. */
export function createHistory({ env }: Pick<Io, 'env'>): History {
  const state = env.XDG_STATE_HOME || join(env.HOME || homedir(), '.local/state')
  const folder = join(state, 'migration-archive')
  const path = join(folder, 'history')
  // Never offer lines that another user may have written.
  const lines = isOwnFolder(folder) ? read(path) : []
  // Other shells may append at the same time, so it is shortened only if it is far too long.
  if (lines.length > 2 * MOST)
    attempt(() => writeFileSync(path, `${lines.slice(-MOST).join('\n')}\n`))
  return {
    lines: lines.slice(-MOST).reverse(),
    add: (lines) =>
      attempt(() => {
        makeFolder(folder, PRIVATE)
        appendFileSync(path, `${lines.join('\n')}\n`, { mode: 0o600 })
      }),
  }
}

/** Input as one line, or as several if joining them would change the meaning. */
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
    // The shell works without a history.
  }
}
