import { setImmediate } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { orInterrupted, throwIfInterrupted } from '../base/errors.ts'
import type { WorkerBatch, WorkerData, WorkerOrder } from './worker-messages.ts'

/** A worker thread that reads an archive. */
export interface Reading {
  /** Waits for the next batch. Throws the error that ended the thread, or `interrupted`. */
  take(): Promise<WorkerBatch>
  /** Lets the thread reuse the memory of a batch. */
  giveBack(memory: ArrayBuffer): void
  end(): Promise<unknown>
}

// The extension is .js if this was compiled.
const THREAD = new URL(import.meta.url.replace(/spawn-reader(?=\.\w+$)/, 'worker'))

// Almost all of its objects are garbage at once; V8 in Node.js 22 would reserve 40 MiB for them.
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
  const abort = () => fail(orInterrupted(signal?.reason, signal))
  worker.on('message', (batch: WorkerBatch) => {
    arrived.push(batch)
    wake()
  })
  worker.on('error', fail)
  worker.on('exit', () => fail(new Error('the thread that reads the archive has ended')))
  signal?.addEventListener('abort', abort)
  return {
    async take() {
      // Node.js delivers up to a thousand messages before it serves timers and signals.
      await setImmediate()
      for (;;) {
        throwIfInterrupted(signal)
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
