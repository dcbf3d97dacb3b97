import { ArchiveError, type Report } from '../base/errors.ts'
import type { Reading } from './spawn-reader.ts'
import type { EndEvent, EntryEvent, OverEvent, WorkerBatch } from './worker-messages.ts'

/** BatchSender that may be kept from being filled anew; of what comes after these there are copies. */
const MOST_LENT = 3

/** The events of a reading thread, one by one. */
export interface EventReader {
  /**
   * The next event. Problems are reported instead. Bytes are valid until `release`, or with `isPassing` until the next
   * event is requested. Throws the error that stopped the thread.
   */
  next(isPassing?: boolean): Promise<EntryEvent | Buffer | OverEvent | EndEvent>
  /** Call when the bytes of all events so far are no longer used. */
  release(): void
  bytesRead(): number
}

export function readEvents(reading: Reading, report: Report | undefined): EventReader {
  const lent: ArrayBuffer[] = []
  let batch: WorkerBatch | undefined
  let [seen, used] = [0, 0]

  const nextBatch = async () => {
    if (batch && lent.length < MOST_LENT) lent.push(batch.bytes)
    else if (batch) reading.giveBack(batch.bytes)
    batch = await reading.take()
    seen = 0
    used = 0
    return batch
  }
  const bytesOf = ({ bytes }: WorkerBatch, length: number, isPassing: boolean): Buffer => {
    const part = Buffer.from(bytes, used, length)
    used += length
    return isPassing || lent.length < MOST_LENT ? part : Buffer.from(part)
  }
  return {
    async next(isPassing = false) {
      for (;;) {
        const event = batch?.events[seen++]
        if (batch === undefined || event === undefined) await nextBatch()
        else if ('problem' in event) report?.(event.problem)
        else if ('fault' in event) throw event.fault
        else if ('refusal' in event) {
          const { code, message, place, cause, limit } = event.refusal
          throw new ArchiveError(code, message, place, cause, { limit })
        } else if ('piece' in event) return bytesOf(batch, event.piece, isPassing)
        else return event
      }
    },
    release() {
      for (const memory of lent.splice(0)) reading.giveBack(memory)
    },
    bytesRead: () => batch?.bytesRead ?? 0,
  }
}
