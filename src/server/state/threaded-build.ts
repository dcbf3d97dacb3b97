import { Worker } from 'node:worker_threads'
import type { BuildOrder } from './build-migration.ts'
import type { BuildMessage, BuildReport } from './build-worker.ts'

/** A thread that builds one archive at a time. It starts with the first, and ends when it has been idle for a while. */
export interface ThreadedBuild {
  /** Rejects if the thread itself ends. After `signal` it may finish what SQLite does, but not for long. */
  build(order: BuildOrder, signal: AbortSignal): Promise<BuildReport>
  close(): void
}

/** Milliseconds that the thread waits for another build: to start it takes longer than a small archive. */
const LINGER = 10_000
/** Milliseconds in which it must have stopped. */
const STOP = 2000

// The name of this file tells whether it was compiled.
const THREAD = new URL(import.meta.url.replace(/threaded-build(?=\.\w+$)/, 'build-worker'))

export function createThreadedBuild(): ThreadedBuild {
  let worker: Worker | undefined
  let lingering: NodeJS.Timeout | undefined
  const end = () => {
    clearTimeout(lingering)
    void worker?.terminate()
    worker = undefined
  }
  const start = () => {
    const started = new Worker(THREAD, { execArgv: [] })
    const forget = () => {
      if (worker === started) worker = undefined
    }
    started.on('error', forget).on('exit', forget)
    return started
  }
  return {
    async build(order, signal) {
      clearTimeout(lingering)
      worker ??= start()
      const thread = worker
      thread.ref()
      try {
        return await exchange(thread, order, signal)
      } finally {
        thread.unref()
        lingering = setTimeout(end, LINGER)
        lingering.unref()
      }
    },
    close: end,
  }
}

function exchange(thread: Worker, order: BuildOrder, signal: AbortSignal): Promise<BuildReport> {
  return new Promise<BuildReport>((resolve, reject) => {
    let limit: NodeJS.Timeout | undefined
    const send = (message: BuildMessage) => thread.postMessage(message)
    const stop = () => {
      send('stop')
      limit = setTimeout(() => void thread.terminate(), STOP)
    }
    const settle = (work: () => void) => {
      clearTimeout(limit)
      signal.removeEventListener('abort', stop)
      thread.off('message', done).off('error', fail).off('exit', ended)
      work()
    }
    const done = (report: BuildReport) => settle(() => resolve(report))
    const fail = (error: Error) => settle(() => reject(error))
    const ended = () => settle(() => reject(new Error('the thread that builds has ended')))
    thread.on('message', done).on('error', fail).on('exit', ended)
    signal.addEventListener('abort', stop)
    send(order)
    if (signal.aborted) stop()
  })
}
