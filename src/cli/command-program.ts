import { setImmediate as turn } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { throwIfInterrupted } from '../base/errors.ts'
import { SIGNAL_EXITS } from './command/exit-codes.ts'
import type { Io } from './command/io.ts'
import { main } from './main.ts'
import type { RunCommand } from './process/run-in-process.ts'
import { watchYoungSpace } from './process/young-space.ts'

/** The program of a process that runs a command line with its own streams. */
export const runCommand: RunCommand = (argv, { signal }) => main(argv, processIo(signal))

/** The signals that end a command. */
export const SIGNALS = Object.keys(SIGNAL_EXITS) as (keyof typeof SIGNAL_EXITS)[]

/** The streams and the environment of this process, for a command. */
export function processIo(signal: AbortSignal): Io {
  const { stdin, stdout, stderr, env } = process
  // Ignore a closed standard error.
  stderr.on('error', () => {})
  const young = watchYoungSpace(Number.parseInt(process.versions.node, 10))
  return {
    stdin,
    stdout,
    stderr,
    env,
    signal,
    collectYoung,
    onHangup: (work) => void process.removeAllListeners('SIGHUP').on('SIGHUP', work),
    keepYoungSpace: young.keep,
    growYoungSpace: young.grow,
    compileInLessMemory,
    async mayEndAtOnce() {
      // A signal that came while modules were loaded is seen in a later turn, when what else was ready has been done.
      for (let turns = 0; turns < 5; turns++) await turn()
      throwIfInterrupted(signal)
      for (const name of SIGNALS) process.removeAllListeners(name)
    },
  }
}

/**
 * Leaves out the compiler of V8 between the fast one and the one for hot functions. Its threads leave 20 MiB of free memory
 * behind. A server takes no more time without it; a load takes a tenth more.
 */
function compileInLessMemory(): void {
  // A flag of V8 in Node.js 22 to 24.
  if (Number.parseInt(process.versions.node, 10) <= 24) setFlagsFromString('--no-maglev')
}

let collect: ((options: { type: 'minor' }) => void) | undefined

/**
 * V8 collects young objects when there are many, but those of a network stream are few and hold a buffer each: 60 MiB of
 * buffers gather, until V8 collects old objects as well, again and again, which is a third of the time of a download.
 */
function collectYoung(): void {
  if (!collect) {
    setFlagsFromString('--expose-gc')
    collect = runInNewContext('gc') as typeof collect
  }
  collect?.({ type: 'minor' })
}
