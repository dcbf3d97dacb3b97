import { type ChildProcess, spawn } from 'node:child_process'
import { extname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { ArchiveError } from '../../errors.ts'
import { residentBytes } from '../../query/resident-bytes.ts'
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

/** Milliseconds between two looks at the memory of a process. */
const LOOK = 20

/**
 * Runs a command line in a child process, because SQLite cannot be interrupted in this one, with `input` on its standard input.
 * Returns its exit code. Kills it and throws `query-timeout` after `seconds`, or `limit-memory` if it uses more than `memory`
 * bytes.
 */
export async function runInTime(
  argv: readonly string[],
  { input, seconds, memory }: { input: string; seconds?: number | undefined; memory?: number },
  { stdout, stderr, env, signal }: Io,
): Promise<ExitCode> {
  const stdio = ['pipe', given(stdout, process.stdout), given(stderr, process.stderr)] as const
  const child = spawn(process.execPath, [...childOptions(), BINARY, ...argv], {
    ...{ stdio: [...stdio], env },
  })
  let late = false
  const stop = () => child.kill('SIGKILL')
  const clock =
    seconds === undefined
      ? undefined
      : setTimeout(() => {
          late = true
          stop()
        }, seconds * 1000)
  let large = false
  const watch = setInterval(() => {
    if (memory === undefined || residentBytes(child.pid) <= memory) return
    large = true
    stop()
  }, LOOK)
  signal?.addEventListener('abort', stop)
  try {
    child.stdin?.on('error', () => {}) // it may end before it has read everything
    child.stdin?.end(input)
    const [code] = await Promise.all([
      ended(child),
      child.stdout && pipeline(child.stdout, asNode(stdout), { end: false }),
      child.stderr && pipeline(child.stderr, asNode(stderr), { end: false }),
    ])
    if (late) throw new ArchiveError('query-timeout', `not finished after ${seconds} seconds`)
    if (large) {
      const message = `the statement needs more than ${memory} bytes`
      throw new ArchiveError('limit-memory', message).over({ allowed: Number(memory) })
    }
    signal?.throwIfAborted()
    return code
  } finally {
    clearTimeout(clock)
    clearInterval(watch)
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
