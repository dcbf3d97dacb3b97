/** Runs in a worker thread: reads the archive that `workerData` names, and sends events. */

import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import type { ArchiveEntry } from '../archive/entry.ts'
import { roleOf } from '../archive/entry-role.ts'
import { openArchive } from '../archive/open-archive.ts'
import { ArchiveError, type Problem } from '../errors.ts'
import type { JsonForm } from '../records/write-records.ts'
import { type Bytes, withCrc32 } from '../streams.ts'
import { createBatchSender } from './batch-sender.ts'
import { ROOM, type WorkerData, type WorkerEvent } from './worker-messages.ts'

const port = parentPort as MessagePort
const { path, limits, hash, headers, runs, returns } = workerData as WorkerData
// Imported on demand, because the kinds take time to load.
const canonical = runs && {
  ...(await import('../records/canonical/read-canonical.ts')),
  ...(await import('../records/kinds/kind-of-record.ts')),
}
const form: Partial<JsonForm> = {}
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
  const role = roleOf(entry.path)
  const mayBeCanonical = canonical && role.role === 'records' && entry.size <= ROOM
  const kind = mayBeCanonical ? canonical.kindNamed(role.stem) : undefined
  if (!canonical || !kind) {
    batches.add({ entry })
    return addPieces(content)
  }
  const { bytes: watched, sum } = withCrc32(content)
  const reading = canonical.readCanonical(kind, watched, 'batches', { limits, form })
  const { found, bytes } = await reading.catch((error) => {
    // Surface the error when the entry is read.
    batches.add({ entry })
    throw error
  })
  if (!found) {
    batches.add({ entry })
    return addPieces(bytes)
  }
  batches.add({ entry, recordFile: { runs: found.length, crc32: sum(), form } })
  for (const { json, ...run } of found) {
    batches.add({ run, length: json.length }, json)
  }
}

async function addPieces(content: Bytes): Promise<void> {
  for await (const piece of content) {
    for (let start = 0; start < piece.length; start += ROOM) {
      const part = piece.subarray(start, start + ROOM)
      batches.add({ piece: part.length }, part)
    }
  }
  batches.add({ over: true })
}

function eventOf(error: unknown): WorkerEvent {
  if (!(error instanceof ArchiveError)) return { fault: error }
  const { code, message, place, cause, limit } = error
  return { refusal: { code, message, place, cause, limit } }
}
