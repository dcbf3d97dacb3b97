/** Hands over more problems, and more pieces of one entry, than all batches have room for. */

import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import { createBatchSender } from '../../src/archive-worker/batch-sender.ts'

const port = parentPort as MessagePort
const batches = createBatchSender(port, workerData.returns, () => 7)
for (let i = 0; i < 20_000; i++) {
  batches.add({ problem: { code: 'entry-type', place: {}, message: String(i) } })
}
for (let i = 0; i < 20_000; i++) batches.addPiece(Buffer.from(String(i).padStart(5)))
batches.add({ over: true })
batches.handOver()
