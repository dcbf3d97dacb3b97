import { fork, type StdioOptions } from 'node:child_process'
import { getCompileCacheDir } from 'node:module'
import { dirname, extname } from 'node:path'
import self from 'node:process'
import type { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type ResourceLimits, Worker } from 'node:worker_threads'
import type { Order, Reply } from './messages.ts'

/** How a thread or process is started. */
export interface StartOptions {
  readonly in: 'thread' | 'process'
  /** Limits of V8 for a thread. */
  readonly heap?: ResourceLimits | undefined
  /** The environment of a process. Default that of this one. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined
  /** The standard streams of a process. Default none. */
  readonly streams?: Streams | undefined
}

/** Standard streams of a process. Where one is that of this process, it is inherited, so that a terminal stays a terminal. */
export interface Streams {
  /** The text on standard input; without it that of this process. */
  readonly input?: string | undefined
  readonly stdout: Writable
  readonly stderr: Writable
}

/** A thread or process that runs programs. */
export interface Side {
  readonly pid?: number | undefined
  isAlive(): boolean
  send(order: Order, memory?: readonly ArrayBuffer[]): void
  /** Keeps this process alive, or no longer does so. */
  hold(isHeld: boolean): void
  /** Asks for the end of the call that is under way. */
  cancel(id: number): void
  kill(): void
  /** Lets a process end that has nothing to do. */
  leave(): void
  /** Resolves with how it ended, when all of its messages and output have arrived. */
  readonly ended: Promise<Error>
}

/** The end of a thread or process that was not to end. */
export class WorkerEnded extends Error {
  /** Such as `was ended by SIGKILL`. */
  readonly how: string

  constructor(place: 'thread' | 'process', how: string, options?: ErrorOptions) {
    super(`the ${place} ${how}`, options)
    this.how = how
  }
}

const { url, filename } = import.meta
const SERVE = new URL(`serve${extname(filename)}`, url)

/** Starts a thread or process for the programs of a table: a file that exports `PROGRAMS`. */
export const startWorker = (
  table: URL,
  options: StartOptions,
  receive: (reply: Reply) => void,
): Side =>
  options.in === 'thread'
    ? startThread(table, options, receive)
    : startProcess(table, options, receive)

function startThread(table: URL, { heap }: StartOptions, receive: (reply: Reply) => void): Side {
  const worker = new Worker(SERVE, {
    workerData: table.href,
    execArgv: [],
    ...(heap && { resourceLimits: heap }),
  })
  let isAlive = true
  let fault: Error | undefined
  const ended = new Promise<Error>((resolve) => {
    worker.on('exit', () => {
      isAlive = false
      resolve(fault ?? new WorkerEnded('thread', 'has ended'))
    })
  })
  worker.on('message', receive).on('error', (error: Error) => {
    isAlive = false
    fault = error
  })
  return {
    isAlive: () => isAlive,
    send: (order, memory = []) => worker.postMessage(order, [...memory]),
    hold: (isHeld) => (isHeld ? worker.ref() : worker.unref()),
    cancel: (id) => worker.postMessage({ id, cancel: true } satisfies Order),
    kill: () => void worker.terminate(),
    leave: () => void worker.terminate(),
    ended,
  }
}

// A child process takes the code that was compiled for this one.
const compiled = getCompileCacheDir?.()
const COMPILED = compiled === undefined ? {} : { NODE_COMPILE_CACHE: dirname(compiled) }

/** Characters of its standard error that are part of the message when a process ends. */
const TOLD = 4000

function startProcess(
  table: URL,
  { env, streams }: StartOptions,
  receive: (reply: Reply) => void,
): Side {
  const child = fork(SERVE, [String(self.pid), table.href], {
    serialization: 'advanced',
    stdio: stdioOf(streams),
    env: { ...COMPILED, ...(env ?? self.env) },
  })
  const { channel, stdin, stdout, stderr } = child
  let told = ''
  if (!streams) {
    stderr?.on('data', (piece: Buffer) => {
      told = `${told}${piece}`.slice(-TOLD)
    })
  }
  let fault: Error | undefined
  const note = (error: Error) => {
    fault ??= error
  }
  stdin?.on('error', () => {}).end(streams?.input) // it may end before it has read everything
  const outputs = [
    streams && stdout && pipeline(stdout, streams.stdout, { end: false }).catch(note),
    streams && stderr && pipeline(stderr, streams.stderr, { end: false }).catch(note),
  ]
  const ended = new Promise<Error>((resolve) => {
    // After its start an error is a message to a process that has ended, and its end says so.
    child.on('error', (error) => {
      if (child.pid === undefined) resolve(error)
    })
    child.on('close', async (code, signal) => {
      await Promise.all(outputs)
      const how = signal ? `was ended by ${signal}` : `ended with exit code ${code}`
      resolve(fault ?? new WorkerEnded('process', [how, told.trim()].filter(Boolean).join(': ')))
    })
  })
  child.on('message', receive)
  return {
    pid: child.pid,
    isAlive: () => child.connected && child.exitCode === null && child.signalCode === null,
    send: (order) => void child.send(order, () => {}),
    hold(isHeld) {
      const change = isHeld ? 'ref' : 'unref'
      child[change]()
      channel?.[change]()
      for (const stream of [stdout, stderr]) (stream as Socket | null)?.[change]?.()
    },
    cancel: () => void child.kill('SIGTERM'),
    kill: () => void child.kill('SIGKILL'),
    leave: () => void child.send({ leave: true } satisfies Order, () => {}),
    ended,
  }
}

type Socket = { ref?(): void; unref?(): void }

function stdioOf(streams: Streams | undefined): StdioOptions {
  if (!streams) return ['ignore', 'ignore', 'pipe', 'ipc']
  const { input, stdout, stderr } = streams
  return [
    input === undefined ? 'inherit' : 'pipe',
    stdout === self.stdout ? 'inherit' : 'pipe',
    stderr === self.stderr ? 'inherit' : 'pipe',
    'ipc',
  ]
}
