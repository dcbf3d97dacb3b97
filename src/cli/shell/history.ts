import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Io } from '../io.ts'

const MOST = 1_000

export interface History {
  /** The newest first, as readline has them. */
  readonly lines: readonly string[]
  add(input: string): void
}

/** What was typed into earlier shells, in the user's state folder. Where it cannot be kept, it is not. */
export function openHistory({ env }: Pick<Io, 'env'>): History {
  const state = env.XDG_STATE_HOME || join(env.HOME || homedir(), '.local/state')
  const path = join(state, 'migration-archive', 'history')
  const lines = read(path)
  // Two shells may add to it at once, so it is only made shorter where it has become far too long.
  if (lines.length > 2 * MOST)
    attempt(() => writeFileSync(path, `${lines.slice(-MOST).join('\n')}\n`))
  return {
    lines: lines.slice(-MOST).reverse(),
    add: (input) =>
      attempt(() => {
        mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
        appendFileSync(path, `${asLine(input)}\n`, { mode: 0o600 })
      }),
  }
}

/** A statement of several lines as one, if it means the same then. */
export const asLine = (input: string): string =>
  /['"`[]|--/.test(input)
    ? (input.trim().split('\n').at(-1) ?? '')
    : input.trim().replace(/\s*\n\s*/g, ' ')

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
