/** Runs in a worker thread: reads the archive that `workerData` names, and sends events. */

import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import type { ArchiveEntry } from '../archive/entry.ts'
import { openArchive } from '../archive/open-archive.ts'
import { ArchiveError, type Problem } from '../errors.ts'
import { createBatchSender } from './batch-sender.ts'
import { ROOM, type WorkerData, type WorkerEvent } from './worker-messages.ts'

const port = parentPort as MessagePort
const { path, limits, hash, headers, returns } = workerData as WorkerData
let bytesRead = () => 0
const batches = createBatchSender(port, returns, () => bytesRead())

try {
  const report = (problem: Problem) => batches.add({ problem })
  const archive = await openArchive(path, { hash, headers, limits, report })
  bytesRead = archive.bytesRead
  for await (const entry of archive.entries) await addEntry(entry)
  batches.add({ end: { sha256: hash ? archive.sha256() : '', form: archive.form } })
} catch (error) {
  batches.add(eventOf(error))
}
batches.handOver()

async function addEntry({ content, ...entry }: ArchiveEntry): Promise<void> {
  batches.add({ entry })
  // A small file arrives in one piece.
  if (entry.size <= ROOM) batches.reserve(entry.size)
  for await (const piece of content) {
    for (let start = 0; start < piece.length; start += ROOM) {
      batches.addPiece(piece.subarray(start, start + ROOM))
    }
  }
  batches.add({ over: true })
}

function eventOf(error: unknown): WorkerEvent {
  if (!(error instanceof ArchiveError)) return { fault: error }
  const { code, message, place, cause, limit } = error
  return { refusal: { code, message, place, cause, limit } }
}
