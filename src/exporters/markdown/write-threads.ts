import { availableParallelism } from 'node:os'
import { setImmediate } from 'node:timers/promises'
import { throwIfInterrupted } from '../../base/errors.ts'
import { stream } from '../../work/call.ts'
import type { PlannedThread, ThreadLine } from './plan-files.ts'
import type { renderShare, Share } from './render-share.ts'
import { renderThreads } from './render-threads.ts'
import { takeBatches } from './take-batches.ts'
import { writePieces } from './write-pieces.ts'
import type { Writing } from './writing.ts'

/** The databases and records whose threads are rendered. */
export type Sharing = Omit<Share, 'taken'>

/** With fewer threads than these, to start a second thread of the processor takes longer than to write them. */
const WORTH = 1000

/** Megabytes of the young objects of a second thread: almost all are garbage at once. */
const HEAP = { maxYoungGenerationSizeMb: 3 }

/** Writes the file of every thread, and notes their facts for lists. A second thread of the processor renders some of many. */
export async function writeThreads(writing: Writing, sharing: Sharing): Promise<void> {
  const { plan } = writing
  const taken = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
  const failing = new AbortController()
  const signal = AbortSignal.any([failing.signal, ...(writing.signal ? [writing.signal] : [])])
  const shared = { ...writing, signal }
  // The first error is the reason.
  const halt = (error: unknown) => failing.abort(error)
  const isShared = plan.threads >= WORTH && availableParallelism() > 1
  await Promise.all([
    writeOwn(shared, taken).catch(halt),
    isShared && writeOthers(shared, { ...sharing, taken }).catch(halt),
  ])
  failing.signal.throwIfAborted()
  plan.endNotes()
}

async function writeOwn(writing: Writing, taken: Int32Array<SharedArrayBuffer>): Promise<void> {
  for (const batch of takeBatches(writing.plan, taken)) {
    await writeBatch(batch, writing)
    // Lets what the other thread has rendered come in.
    await setImmediate()
  }
}

async function writeOthers(writing: Writing, share: Share): Promise<void> {
  const { signal } = writing
  const batches = stream<typeof renderShare>('markdown', share, {
    in: 'thread',
    heap: HEAP,
    signal,
  })
  for await (const files of batches) {
    for (const { planned, line, text } of files) {
      if (text === undefined) await writeBatch([planned], writing)
      else await writeThread(planned, line, () => [text], writing)
    }
  }
}

async function writeBatch(batch: readonly PlannedThread[], writing: Writing): Promise<void> {
  for (const { planned, line, pieces } of renderThreads(batch, writing)) {
    await writeThread(planned, line, pieces, writing)
  }
}

async function writeThread(
  { id, file }: PlannedThread,
  line: ThreadLine,
  pieces: () => Iterable<string>,
  { plan, output, signal, progress }: Writing,
): Promise<void> {
  throwIfInterrupted(signal)
  await writePieces(output, file, pieces)
  plan.note(id, line)
  progress()
}
