import type { ArchiveEntry, ArchiveForm, ReadOptions } from '../archive/entry.ts'
import type { OpenedArchive } from '../archive/open-archive.ts'
import type { CanonicalBatch } from '../records/canonical/read-canonical.ts'
import { asBytes, type Bytes } from '../streams.ts'
import { type EventReader, readEvents } from './read-events.ts'
import { spawnReader } from './spawn-reader.ts'
import type { CanonicalFileFacts, WorkerOrder } from './worker-messages.ts'

/** An entry. If all records of a file are canonical, they are in `runs` rather than in the content. */
export interface CanonicalFile extends Omit<CanonicalFileFacts, 'runs'> {
  runs: CanonicalBatch[]
}

export interface ReadEntry extends ArchiveEntry {
  recordFile?: CanonicalFile
  /** The content without copies: each piece is valid only until the next is requested. */
  passing?: Bytes
}

/** An archive being read. The content of an entry is valid until the next entry is requested. */
export interface ReadArchive extends Pick<OpenedArchive, 'form' | 'bytesRead' | 'sha256'> {
  entries: AsyncGenerator<ReadEntry>
}

/**
 * Reads an archive like `openArchive`, but in a worker thread, a few MiB ahead of the caller. So the caller, which takes
 * long to process entries, does not wait while chunks are decompressed.
 */
export function readInWorker(
  order: WorkerOrder,
  { report, signal }: Pick<ReadOptions, 'report' | 'signal'>,
): ReadArchive {
  const form: ArchiveForm = {}
  let sha256 = ''
  let events: EventReader | undefined

  async function* entries(): AsyncGenerator<ReadEntry> {
    signal?.throwIfAborted()
    const reading = spawnReader(order, signal)
    try {
      events = readEvents(reading, report)
      let event = await events.next()
      while ('entry' in event) {
        const { entry, recordFile } = event
        if (recordFile)
          yield { ...entry, content: asBytes([]), recordFile: await readRuns(events, recordFile) }
        else {
          const pieces = piecesOf(events)
          yield { ...entry, ...pieces }
          for await (const _ of pieces.passing);
        }
        events.release()
        event = await events.next()
      }
      if (!('end' in event)) throw new TypeError('expected an entry or the end')
      Object.assign(form, event.end.form)
      sha256 = event.end.sha256
    } finally {
      await reading.end()
    }
  }
  return {
    entries: entries(),
    form,
    bytesRead: () => events?.bytesRead() ?? 0,
    sha256: () => sha256,
  }
}

async function readRuns(events: EventReader, facts: CanonicalFileFacts): Promise<CanonicalFile> {
  const runs: CanonicalBatch[] = []
  while (runs.length < facts.runs) runs.push((await events.next()) as CanonicalBatch)
  return { ...facts, runs }
}

/** The pieces of the current content. A reader that stops early leaves the rest to the next one. */
function piecesOf(events: EventReader): { content: Bytes; passing: Bytes } {
  let isOver = false
  const next = async (isPassing: boolean): Promise<IteratorResult<Uint8Array>> => {
    const event = isOver ? undefined : await events.next(isPassing)
    if (Buffer.isBuffer(event)) return { done: false, value: event }
    isOver = true
    return { done: true, value: undefined }
  }
  const pieces = (isPassing: boolean): Bytes => ({
    [Symbol.asyncIterator]: () => ({ next: () => next(isPassing) }),
  })
  return { content: pieces(false), passing: pieces(true) }
}
