import { type MessagePort, receiveMessageOnPort } from 'node:worker_threads'
import { ROOM, type WorkerBatch, type WorkerEvent } from './worker-messages.ts'

/** BatchSender in all: one is being filled, some are in use, the others wait to be taken. */
const BATCHES = 8

/** What stands in a batch, however few bytes it has. */
const MOST_EVENTS = 1000

/** Collects events and bytes, and hands them over a batch at a time; stops the thread while too many were not taken. */
export interface BatchSender {
  /** Adds an event, and its bytes: at most `ROOM`. */
  add(event: WorkerEvent, bytes?: Uint8Array): void
  handOver(): void
}

/** BatchSender for `port`, which sends back their memory once it is not used any more, and then changes `returns`. */
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
    // A batch without bytes has memory too, so that there is an end to how many are on their way.
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
