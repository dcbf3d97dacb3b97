import type { ArchiveEntry, ArchiveForm, ReadOptions } from '../archive/entry.ts'
import type { OpenedArchive } from '../archive/open-archive.ts'
import { throwIfInterrupted } from '../base/errors.ts'
import type { Bytes } from '../base/streams.ts'
import { type EventReader, readEvents } from './read-events.ts'
import { spawnReader } from './spawn-reader.ts'
import type { OverEvent, WorkerOrder } from './worker-messages.ts'

export interface ReadEntry extends ArchiveEntry {
  /** The content without copies: each piece is valid only until the next is requested. */
  passing?: Bytes
  /** The CRC-32 of a record file, once all of its content was read, if `hash` is requested. */
  crc32?: () => number | undefined
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
    throwIfInterrupted(signal)
    const reading = spawnReader(order, signal)
    try {
      events = readEvents(reading, report)
      let event = await events.next()
      while ('entry' in event) {
        const pieces = piecesOf(events)
        yield { ...event.entry, ...pieces }
        for await (const _ of pieces.passing);
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

/** The pieces of the current content. A reader that stops early leaves the rest to the next one. */
function piecesOf(events: EventReader): Required<Pick<ReadEntry, 'content' | 'passing' | 'crc32'>> {
  let over: OverEvent | undefined
  const next = async (isPassing: boolean): Promise<IteratorResult<Uint8Array>> => {
    if (over) return { done: true, value: undefined }
    const event = await events.next(isPassing)
    if (Buffer.isBuffer(event)) return { done: false, value: event }
    if (!('over' in event)) throw new TypeError('expected a piece of the content or its end')
    over = event
    return { done: true, value: undefined }
  }
  const pieces = (isPassing: boolean): Bytes => ({
    [Symbol.asyncIterator]: () => ({ next: () => next(isPassing) }),
  })
  return { content: pieces(false), passing: pieces(true), crc32: () => over?.crc32 }
}
