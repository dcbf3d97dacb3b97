import type { MessagePort } from 'node:worker_threads'
import type { ReadingBatch, ReadingEvent } from './reading-event.ts'
import { ROOM } from './reading-event.ts'

/** Batches in all: one is being filled, some are in use, the others wait to be taken. */
const BATCHES = 8

/** What stands in a batch, however few bytes it has. */
const MOST_EVENTS = 1000

/** Collects events and bytes, and hands them over a batch at a time; waits while too many were not taken. */
export interface Batches {
  add(event: ReadingEvent): void
  /** Makes sure that so many bytes, at most `ROOM`, find room in one batch with what is added next. */
  makeRoom(bytes: number): Promise<void>
  addBytes(event: ReadingEvent, bytes: Uint8Array): void
  handOver(): Promise<void>
}

/** Batches for `port`, which sends back their memory once it is not used any more. */
export function openBatches(port: MessagePort, bytesRead: () => number): Batches {
  const free = Array.from({ length: BATCHES }, () => new ArrayBuffer(ROOM))
  let events: ReadingEvent[] = []
  let bytes = new Uint8Array(free.pop() as ArrayBuffer)
  let used = 0
  let wake = () => {}
  port.on('message', (memory: ArrayBuffer) => {
    free.push(memory)
    wake()
  })

  const handOver = async () => {
    const batch: ReadingBatch = { events, bytes: bytes.buffer, bytesRead: bytesRead() }
    port.postMessage(batch, [bytes.buffer])
    while (free.length === 0) {
      await new Promise<void>((resolve) => {
        wake = resolve
      })
    }
    events = []
    bytes = new Uint8Array(free.pop() as ArrayBuffer)
    used = 0
  }

  return {
    handOver,
    add(event) {
      events.push(event)
    },
    async makeRoom(length) {
      if (used + length > ROOM || events.length >= MOST_EVENTS) await handOver()
    },
    addBytes(event, added) {
      events.push(event)
      bytes.set(added, used)
      used += added.length
    },
  }
}
