import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { type MessagePort, receiveMessageOnPort } from 'node:worker_threads'
import { ROOM, type WorkerBatch, type WorkerEvent } from './worker-messages.ts'

/** The number of batches: one is being filled, some are in use, the others wait. */
const BATCHES = 8

/** Events in a batch, at most. */
const MOST_EVENTS = 1000

/**
 * Batches between collections of garbage: 64 MiB. V8 moves a buffer that it meets twice in use to its old objects. On its
 * own it would release these when 64 MiB of buffers are among them; after as many bytes of an archive there are 10 MiB.
 */
const COLLECT_AFTER = 128

/** Collects events and bytes and sends them in batches. Blocks the thread while too many batches wait. */
export interface BatchSender {
  add(event: WorkerEvent): void
  /** Adds at most `ROOM` bytes of the current entry. */
  addPiece(bytes: Uint8Array): void
  /** Makes as many of the following bytes, at most `ROOM`, one piece. */
  reserve(bytes: number): void
  handOver(): void
}

/** A sender to `port`, which returns the memory of used batches and then changes `returns`. */
export function createBatchSender(
  port: MessagePort,
  returns: Int32Array,
  bytesRead: () => number,
  collect = collectGarbage,
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
  let batches = 0
  const handOver = () => {
    if (++batches % COLLECT_AFTER === 0) collect()
    // A batch without bytes has memory too, which limits the number of batches in transit.
    const bytes = memory ?? takeFree()
    const batch: WorkerBatch = { events, bytes, bytesRead: bytesRead() }
    port.postMessage(batch, [bytes])
    events = []
    memory = undefined
    used = 0
  }
  const add = (event: WorkerEvent) => {
    if (events.length === MOST_EVENTS) handOver()
    events.push(event)
  }
  return {
    handOver,
    add,
    reserve(bytes) {
      if (used + bytes > ROOM) handOver()
    },
    addPiece(bytes) {
      if (used + bytes.length > ROOM) handOver()
      const last = events.at(-1)
      if (last && 'piece' in last) last.piece += bytes.length
      else add({ piece: bytes.length })
      memory ??= takeFree()
      new Uint8Array(memory).set(bytes, used)
      used += bytes.length
    },
  }
}

let collector: (() => void) | undefined

function collectGarbage(): void {
  if (!collector) {
    setFlagsFromString('--expose-gc')
    collector = runInNewContext('gc') as () => void
  }
  collector()
}
