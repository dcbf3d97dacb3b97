import { MessageChannel, receiveMessageOnPort } from 'node:worker_threads'
import { expect, test } from 'vitest'
import { createBatchSender } from '../../src/archive-worker/batch-sender.ts'
import type { WorkerBatch } from '../../src/archive-worker/worker-messages.ts'

/** Sends batches and gives their memory back. Returns how often garbage was collected. */
function send(batches: number, bytes: Uint8Array): number {
  const { port1, port2 } = new MessageChannel()
  const returns = new Int32Array(new SharedArrayBuffer(4))
  let collections = 0
  const sender = createBatchSender(
    port1,
    returns,
    () => 0,
    () => collections++,
  )
  for (let i = 0; i < batches; i++) {
    sender.addPiece(bytes)
    sender.handOver()
    const batch: WorkerBatch = receiveMessageOnPort(port2)?.message
    expect(new Uint8Array(batch.bytes, 0, bytes.length)).toEqual(bytes)
    port2.postMessage(batch.bytes, [batch.bytes])
  }
  port1.close()
  return collections
}

test('A batch has the bytes that were added, in memory that is used again', () => {
  expect(send(20, Uint8Array.of(1, 2, 3))).toBe(0)
})

test('Garbage is collected after many batches, because V8 keeps dead buffers for long', () => {
  expect(send(300, Uint8Array.of(7))).toBe(2)
})
