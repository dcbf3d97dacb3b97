import { MessageChannel, type MessagePort } from 'node:worker_threads'
import { expect, onTestFinished, test } from 'vitest'
import { openBatches } from '../../src/reading/open-batches.ts'
import { readEvents } from '../../src/reading/read-events.ts'
import type { ReadingBatch } from '../../src/reading/reading-event.ts'
import type { Reading } from '../../src/reading/start-reading.ts'

/** What takes from a port, as if a thread were behind it. */
function readingFrom(port: MessagePort): Reading {
  const batches: ReadingBatch[] = []
  let wake = () => {}
  port.on('message', (batch) => {
    batches.push(batch)
    wake()
  })
  return {
    async take() {
      while (batches.length === 0) {
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      }
      return batches.shift() as ReadingBatch
    },
    giveBack: (memory) => port.postMessage(memory, [memory]),
    async end() {
      port.close()
    },
  }
}

function bothEnds() {
  const { port1, port2 } = new MessageChannel()
  const batches = openBatches(port1, () => 7)
  const reading = readingFrom(port2)
  onTestFinished(() => void reading.end())
  return { batches, events: readEvents(reading, undefined) }
}

test('one entry may come in more pieces than all batches have room for', async () => {
  const { batches, events } = bothEnds()
  const pieces = Array.from({ length: 20_000 }, (_, i) => Buffer.from(String(i)))
  const sent = (async () => {
    for (const piece of pieces) {
      await batches.makeRoom(piece.length)
      batches.addBytes({ piece: piece.length }, piece)
    }
    batches.add({ over: true })
    await batches.handOver()
  })()
  const found: unknown[] = []
  for (let event = await events.next(); Buffer.isBuffer(event); event = await events.next()) {
    found.push(event)
  }
  await sent
  // Those that came first are still what they were.
  expect(found).toEqual(pieces)
  expect(events.bytesRead()).toBe(7)
})

test('whoever sends waits until what was sent is taken', async () => {
  const { batches, events } = bothEnds()
  let sent = 0
  const sending = (async () => {
    for (; sent < 30; sent++) {
      batches.addBytes({ piece: 1 }, Buffer.of(sent))
      await batches.handOver()
    }
  })()
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect(sent).toBeLessThan(10)
  for (let i = 0; i < 30; i++) {
    expect(await events.next()).toEqual(Buffer.of(i))
    events.release()
  }
  await sending
})
