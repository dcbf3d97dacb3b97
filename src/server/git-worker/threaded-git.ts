import { Worker } from 'node:worker_threads'
import { busy } from '../http/http-error.ts'
import type { GitJob, GitMessage, GitReply, GitSource } from './git-worker.ts'

/** A thread for long jobs on Git data. It starts with the first job, and ends when it has been idle for a while. */
export interface ThreadedGit {
  /** The bytes that a job makes. Throws `HttpError` 503 if too many are under way. */
  write(source: GitSource, job: GitJob): AsyncGenerator<Uint8Array>
  close(): void
}

/** Milliseconds that the thread waits for another job. */
const LINGER = 10_000
/** Jobs at a time. */
const MOST = 32
/** MB of JavaScript objects in the thread. With more the thread ends, but not the server. */
const MOST_MEMORY = 512

// The name of this file tells whether it was compiled.
const THREAD = new URL(import.meta.url.replace(/threaded-git(?=\.\w+$)/, 'git-worker'))

type Listener = (reply: GitReply) => void

export function createThreadedGit(): ThreadedGit {
  let worker: Worker | undefined
  let lingering: NodeJS.Timeout | undefined
  let count = 0
  const listeners = new Map<number, Listener>()

  const start = (): Worker => {
    const limits = { maxOldGenerationSizeMb: MOST_MEMORY }
    const started = new Worker(THREAD, { execArgv: [], resourceLimits: limits })
    const fail = (failure: string) => {
      if (worker !== started) return
      worker = undefined
      for (const [id, listen] of listeners) listen({ id, failure })
    }
    started.on('message', (reply: GitReply) => listeners.get(reply.id)?.(reply))
    started.on('error', (error: Error) => fail(error.stack ?? error.message))
    started.on('exit', () => fail('the thread for Git data has ended'))
    return started
  }
  const end = () => {
    clearTimeout(lingering)
    const ended = worker
    worker = undefined
    for (const [id, listen] of listeners) listen({ id, failure: 'the server stops' })
    void ended?.terminate()
  }

  return {
    async *write(open, job) {
      if (listeners.size >= MOST) throw busy(10)
      clearTimeout(lingering)
      worker ??= start()
      const thread = worker
      thread.ref()
      const id = ++count
      const send = (message: GitMessage) => thread.postMessage(message)
      let waiting: Listener | undefined
      // A failure between two requests is reported at the next one.
      let told: GitReply | undefined
      listeners.set(id, (reply) => {
        if (!waiting) told = reply
        waiting?.(reply)
        waiting = undefined
      })
      const next = () =>
        new Promise<GitReply>((resolve) => {
          if (told) return resolve(told)
          waiting = resolve
          send({ id, wants: 'more' })
        })
      try {
        send({ id, open, job })
        for (;;) {
          const reply = await next()
          if ('failure' in reply) throw new Error(reply.failure)
          yield reply.bytes
          if (reply.isLast) return
        }
      } finally {
        listeners.delete(id)
        send({ id, wants: 'nothing' })
        if (listeners.size === 0) {
          thread.unref()
          lingering = setTimeout(end, LINGER)
          lingering.unref()
        }
      }
    },
    close: end,
  }
}
