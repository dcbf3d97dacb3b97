import { type ChildProcess, spawn } from 'node:child_process'
import { extname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { limitChild, type ProcessLimits } from '../../query/limit-child.ts'
import type { ExitCode } from '../command/exit-codes.ts'
import type { Io, Output } from '../command/io.ts'
import { UsageError } from '../command/usage-error.ts'
import { childOptions } from './end-with-parent.ts'

const { dirname, filename } = import.meta
const BINARY = join(dirname, '../..', `bin${extname(filename)}`)

/** The option that `secondsOf` parses. */
export const TIMEOUT_OPTION = {
  type: 'string',
  value: '<seconds>',
  describe: 'Stop after this many seconds, with exit code 3 [off]',
} as const

/** Parses a number of seconds. Throws `UsageError`. */
export function secondsOf(typed: string | undefined): number | undefined {
  if (typed === undefined || typed === 'off') return undefined
  // A timer of Node.js is limited to 2³¹ milliseconds.
  if (/^\d{1,6}(\.\d+)?$/.test(typed) && Number(typed) > 0) return Number(typed)
  throw new UsageError(`--timeout takes seconds or off, not ${JSON.stringify(typed)}`)
}

/**
 * Runs a command line in a child process, because SQLite cannot be interrupted in this one, with `input` on its standard input.
 * Returns its exit code. Throws `query-timeout` or `limit-memory` at a limit.
 */
export async function runInTime(
  argv: readonly string[],
  { input, ...limits }: { input: string } & ProcessLimits,
  { stdout, stderr, env, signal }: Io,
): Promise<ExitCode> {
  const stdio = ['pipe', given(stdout, process.stdout), given(stderr, process.stderr)] as const
  const child = spawn(process.execPath, [...childOptions(), BINARY, ...argv], {
    ...{ stdio: [...stdio], env },
  })
  const stop = () => child.kill('SIGKILL')
  const watch = limitChild(child, limits)
  signal?.addEventListener('abort', stop)
  try {
    child.stdin?.on('error', () => {}) // it may end before it has read everything
    child.stdin?.end(input)
    const [code] = await Promise.all([
      ended(child),
      child.stdout && pipeline(child.stdout, asNode(stdout), { end: false }),
      child.stderr && pipeline(child.stderr, asNode(stderr), { end: false }),
    ])
    watch.throwIfKilled()
    signal?.throwIfAborted()
    return code
  } finally {
    watch.end()
    signal?.removeEventListener('abort', stop)
    stop()
  }
}

/** The child inherits our own streams, so that it sees a terminal as a terminal, and a closed pipe where it writes. */
const given = (stream: Output, ours: Output) => (stream === ours ? 'inherit' : 'pipe')

const ended = (child: ChildProcess): Promise<ExitCode> =>
  new Promise((resolve, reject) => {
    child.on('error', reject).on('close', (code) => resolve((code ?? 130) as ExitCode))
  })

/** The stream without `SafeText`: the other process has already escaped its output. */
const asNode = (stream: Output) => stream as unknown as NodeJS.WritableStream
