/** A real pseudo-terminal, made by script(1), at which a test types and reads as a person would. */

import { spawn, spawnSync } from 'node:child_process'
import { onTestFinished } from 'vitest'
import { describeWhere } from './describe-where.ts'
import { BINARY, COMPILE_CACHE } from './run-command.ts'

/** Describes tests on a terminal, with these programs beside script(1), or skips them. */
export function describeOnTerminal(
  name: string,
  tests: () => void,
  programs: readonly string[] = [],
): void {
  const missing = ['script', ...programs].filter(
    (program) => spawnSync(program, ['--version']).status !== 0,
  )
  const sentence = missing.length > 0 ? `no ${missing.join(', ')} here; install it` : undefined
  describeWhere(name, 'MARC_TOOLS', sentence, tests)
}

// Only for the message of a test that fails.
const PATIENCE = 15_000

export interface TerminalWindow {
  /** Types these keys. */
  type(keys: string): void
  /** Waits until what was not read yet shows this, and answers with what it showed up to there. */
  until(wanted: string | RegExp): Promise<string>
  /** Waits for the end. */
  ended: Promise<number | null>
}

/** Runs `marc` with these words on a terminal of 80 columns and 24 rows, in the folder that `inFolder` made. */
export const openTerminal = (
  words: string,
  env: Record<string, string> = {},
  size?: { columns: number },
): TerminalWindow => openProgram(`'${process.execPath}' '${BINARY}' ${words}`, env, size)

/** Runs any program on such a terminal. */
export function openProgram(
  program: string,
  env: Record<string, string> = {},
  { columns } = { columns: 80 },
): TerminalWindow {
  const line = `stty cols ${columns} rows 24; exec ${program}`
  const child = spawn('script', ['-qec', line, '/dev/null'], {
    env: {
      PATH: process.env.PATH,
      HOME: '.',
      TERM: 'xterm',
      SHELL: '/bin/sh',
      NO_COLOR: '1',
      ...COMPILE_CACHE,
      XDG_CACHE_HOME: '.cache',
      XDG_STATE_HOME: '.state',
      ...env,
    },
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  let unread = ''
  let look = () => {}
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    unread += text
    look()
  })
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve))
  return {
    ended,
    type: (keys) => void child.stdin.write(keys),
    until: (wanted) =>
      new Promise((resolve, reject) => {
        const miss = (why: string) =>
          reject(new Error(`${why} ${wanted} in: ${JSON.stringify(unread)}`))
        const clock = setTimeout(miss, PATIENCE, 'waited in vain for')
        look = () => {
          const found = typeof wanted === 'string' ? unread.indexOf(wanted) : unread.search(wanted)
          if (found < 0) return
          const length =
            typeof wanted === 'string' ? wanted.length : (unread.match(wanted)?.[0].length ?? 0)
          const shown = unread.slice(0, found + length)
          unread = unread.slice(found + length)
          look = () => {}
          clearTimeout(clock)
          resolve(shown)
        }
        look()
        void ended.then(() => miss('ended before'))
      }),
  }
}
