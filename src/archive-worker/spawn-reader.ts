import { setImmediate } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import type { WorkerBatch, WorkerData, WorkerOrder } from './worker-messages.ts'

/** A thread that reads. */
export interface Reading {
  /** The next batch, once it is there. Throws what ended the thread, or the signal's reason. */
  take(): Promise<WorkerBatch>
  /** Lets the thread fill the memory of a batch anew. */
  giveBack(memory: ArrayBuffer): void
  end(): Promise<unknown>
}

// The name of this file tells whether it was compiled.
const THREAD = new URL(import.meta.url.replace(/spawn-reader(?=\.\w+$)/, 'worker'))

// Almost all that it makes is thrown away at once; V8 in Node.js 22 would give 40 MiB of room to that.
const LIMITS = { maxYoungGenerationSizeMb: 3 }

export function spawnReader(
  order: WorkerOrder,
  signal: AbortSignal | undefined,
  thread = THREAD,
): Reading {
  const returns = new Int32Array(new SharedArrayBuffer(4))
  const workerData: WorkerData = { ...order, returns }
  const worker = new Worker(thread, { workerData, execArgv: [], resourceLimits: LIMITS })
  const arrived: WorkerBatch[] = []
  let fault: { error: unknown } | undefined
  let wake = () => {}
  const fail = (error: unknown) => {
    fault ??= { error }
    wake()
  }
  const abort = () => fail(signal?.reason)
  worker.on('message', (batch: WorkerBatch) => {
    arrived.push(batch)
    wake()
  })
  worker.on('error', fail)
  worker.on('exit', () => fail(new Error('the thread that reads the archive has ended')))
  signal?.addEventListener('abort', abort)
  return {
    async take() {
      // Node.js hands over a thousand messages before it looks at timers and signals, as long as there is a next one.
      await setImmediate()
      for (;;) {
        signal?.throwIfAborted()
        const batch = arrived.shift()
        if (batch) return batch
        if (fault) throw fault.error
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      }
    },
    giveBack(memory) {
      worker.postMessage(memory, [memory])
      Atomics.add(returns, 0, 1)
      Atomics.notify(returns, 0)
    },
    end() {
      signal?.removeEventListener('abort', abort)
      return worker.terminate()
    },
  }
}
