import { type MessagePort, receiveMessageOnPort } from 'node:worker_threads'
import { ROOM, type WorkerBatch, type WorkerEvent } from './worker-messages.ts'

/** The number of batches: one is being filled, some are in use, the others wait. */
const BATCHES = 8

/** Events in a batch, at most. */
const MOST_EVENTS = 1000

/** Collects events and bytes and sends them in batches. Blocks the thread while too many batches wait. */
export interface BatchSender {
  /** Adds an event, and its bytes: at most `ROOM`. */
  add(event: WorkerEvent, bytes?: Uint8Array): void
  handOver(): void
}

/** A sender to `port`, which returns the memory of used batches and then changes `returns`. */
export function createBatchSender(
  port: MessagePort,
  returns: Int32Array,
  bytesRead: () => number,
): BatchSender {
  const free = Array.from({ length: BATCHES }, () => new ArrayBuffer(ROOM))
  const takeFree = (): ArrayBuffer => {
    for (;;) {
      const seen = Atomics.load(returns, 0)
      const returned = receiveMessageOnPort(port)
      if (returned) free.push(returned.message)
      const memory = free.pop()
      if (memory) return memory
      Atomics.wait(returns, 0, seen)
    }
  }
  let events: WorkerEvent[] = []
  let memory: ArrayBuffer | undefined
  let used = 0
  const handOver = () => {
    // A batch without bytes has memory too, which limits the number of batches in transit.
    const bytes = memory ?? takeFree()
    const batch: WorkerBatch = { events, bytes, bytesRead: bytesRead() }
    port.postMessage(batch, [bytes])
    events = []
    memory = undefined
    used = 0
  }
  return {
    handOver,
    add(event, bytes) {
      if (used + (bytes?.length ?? 0) > ROOM || events.length === MOST_EVENTS) handOver()
      events.push(event)
      if (!bytes) return
      memory ??= takeFree()
      new Uint8Array(memory).set(bytes, used)
      used += bytes.length
    },
  }
}
