import { closeSync, constants, openSync, readFileSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { isOwnFolder, makeOwnFolder } from '../../files/own-folder.ts'
import type { Io } from '../command/io.ts'
import { joinLines } from './split-statements.ts'

const MOST = 1_000

const { O_APPEND, O_CREAT, O_RDONLY, O_TRUNC, O_WRONLY } = constants
// Windows has no such flag.
const NO_LINK = constants.O_NOFOLLOW ?? 0

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
  if (lines.length > 2 * MOST) {
    attempt(() => write(path, O_WRONLY | O_TRUNC, lines.slice(-MOST)))
  }
  return {
    lines: lines.slice(-MOST).reverse(),
    add: (lines) =>
      attempt(() => {
        makeOwnFolder(folder)
        write(path, O_WRONLY | O_APPEND | O_CREAT, lines)
      }),
  }
}

/** Input as one line, or as several if joining them would change the meaning. */
export const asLines = (text: string): string[] => {
  const joined = joinLines(text.trim())
  return joined === undefined ? text.split('\n').filter((line) => line.trim() !== '') : [joined]
}

function read(path: string): string[] {
  let file: number | undefined
  try {
    file = openSync(path, O_RDONLY | NO_LINK)
    return readFileSync(file, 'utf8').split('\n').filter(Boolean)
  } catch {
    return []
  } finally {
    if (file !== undefined) closeSync(file)
  }
}

function write(path: string, flags: number, lines: readonly string[]): void {
  const file = openSync(path, flags | NO_LINK, 0o600)
  try {
    writeFileSync(file, `${lines.join('\n')}\n`)
  } finally {
    closeSync(file)
  }
}

function attempt(work: () => void): void {
  try {
    work()
  } catch {
    // The shell works without a history.
  }
}
