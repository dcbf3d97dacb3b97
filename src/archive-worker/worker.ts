/** Runs in a worker thread: reads the archive that `workerData` names, and sends events. */

import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import { crc32 } from 'node:zlib'
import type { ArchiveEntry } from '../archive/entry.ts'
import { roleOf } from '../archive/entry-role.ts'
import { openArchive } from '../archive/open-archive.ts'
import { ArchiveError, type Problem } from '../base/errors.ts'
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
  const isSummed = hash && roleOf(entry.path).role === 'records'
  let sum = 0
  for await (const piece of content) {
    if (isSummed) sum = crc32(piece, sum)
    for (let start = 0; start < piece.length; start += ROOM) {
      batches.addPiece(piece.subarray(start, start + ROOM))
    }
  }
  batches.add(isSummed ? { over: true, crc32: sum } : { over: true })
}

function eventOf(error: unknown): WorkerEvent {
  if (!(error instanceof ArchiveError)) return { fault: error }
  const { code, message, place, cause, limit } = error
  return { refusal: { code, message, place, cause, limit } }
}
