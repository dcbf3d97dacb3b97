import { type ChildProcess, fork } from 'node:child_process'
import { extname, join } from 'node:path'
import { ArchiveError } from '../../errors.ts'
import { limitChild, type ProcessLimits } from '../../query/limit-child.ts'
import type { Task, TaskOutcome } from './task-program.ts'

const { dirname, filename } = import.meta
const PROGRAM = join(dirname, `task-program${extname(filename)}`)

/** The most that a statement may take: ten seconds and 400 MiB. */
export const STATEMENT_LIMITS: ProcessLimits = { seconds: 10, bytes: 400 * 2 ** 20 }
/** A check reads the whole database. */
export const CHECK_LIMITS: ProcessLimits = { seconds: 1800, bytes: 800 * 2 ** 20 }

/** Processes at a time, and orders that wait for one. */
const MOST_RUNNING = 2
const MOST_WAITING = 16

let running = 0
const waiting: (() => void)[] = []

/**
 * Runs a query or a check in a child process: in this one SQLite cannot be interrupted, and would hold up all other pages.
 *
 * @throws `query-timeout` or `limit-memory` beyond the limits, or if too many wait; what the process says
 */
export async function runTask(order: Task, limits: ProcessLimits): Promise<TaskOutcome> {
  if (running >= MOST_RUNNING) {
    if (waiting.length >= MOST_WAITING) {
      throw new ArchiveError('query-timeout', 'too many questions are being answered: try again')
    }
    await new Promise<void>((resolve) => waiting.push(resolve))
  }
  running++
  try {
    const outcome = await run(order, limits)
    if (!('message' in outcome)) return outcome
    if (outcome.code === undefined) throw new Error(outcome.message)
    throw new ArchiveError(outcome.code, outcome.message)
  } finally {
    running--
    waiting.shift()?.()
  }
}

/** A process that waits for the next order: to start one takes longer than most answers. */
let idle: { readonly child: ChildProcess; readonly clock: NodeJS.Timeout } | undefined
/** Milliseconds that it waits. */
const IDLE = 30_000

function takeChild(): ChildProcess {
  const { child, clock } = idle ?? {}
  idle = undefined
  clearTimeout(clock)
  if (child?.connected) return child
  return fork(PROGRAM, {
    serialization: 'advanced',
    execArgv: [],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
}

/** Keeps one process; it ends with this one. */
function giveBack(child: ChildProcess): void {
  if (idle || !child.connected) {
    child.kill('SIGKILL')
    return
  }
  child.unref()
  child.channel?.unref()
  const clock = setTimeout(() => {
    idle = undefined
    child.kill('SIGKILL')
  }, IDLE)
  clock.unref()
  idle = { child, clock }
}

async function run(order: Task, limits: ProcessLimits): Promise<TaskOutcome> {
  const child = takeChild()
  child.ref()
  child.channel?.ref()
  const watch = limitChild(child, limits, order.task === 'check' ? 'the check' : undefined)
  try {
    const outcome = await new Promise<TaskOutcome | undefined>((resolve, reject) => {
      child.once('message', (message: TaskOutcome) => resolve(message))
      child.once('exit', () => resolve(undefined))
      child.once('error', reject)
      // If the child has ended already, its exit event says so.
      child.send(order, () => {})
    })
    watch.throwIfKilled()
    if (!outcome) throw new Error('the process that answers has ended')
    giveBack(child)
    return outcome
  } finally {
    watch.end()
    child.removeAllListeners()
  }
}
