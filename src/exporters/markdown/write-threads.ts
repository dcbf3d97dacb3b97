import { availableParallelism } from 'node:os'
import { setImmediate } from 'node:timers/promises'
import { throwIfInterrupted } from '../../base/errors.ts'
import type { Library } from '../../reading/library.ts'
import { LISTS } from '../../reading/threads/list-threads.ts'
import { stream } from '../../work/call.ts'
import type { Chosen } from './chosen.ts'
import { KINDS } from './plan-files.ts'
import { isShort, renderFiles, type ThreadFile } from './render-files.ts'
import type { renderShare, Share } from './render-share.ts'
import { renderThreads } from './render-threads.ts'
import { takeBatches } from './take-batches.ts'
import { writePieces } from './write-pieces.ts'
import type { Writing } from './writing.ts'

/** The databases and records whose threads are rendered. */
export type Sharing = Omit<Share, 'taken'>

/** Work on threads that a second thread of the processor may have a share of. */
export interface SharedWork {
  /** The number of batches that a thread of the processor has taken. */
  readonly taken: Int32Array<SharedArrayBuffer>
  /** Files that a second thread of the processor renders; undefined without one. */
  readonly others: AsyncIterable<readonly ThreadFile[]> | undefined
  /** Aborts when the work is given up, with the reason. */
  readonly signal: AbortSignal
  /** Gives up the work that is not done yet. */
  halt(reason?: unknown): void
}

/** With fewer threads than these, to start a second thread of the processor takes longer than to write them. */
const WORTH = 1000

/** Megabytes of the young objects of a second thread: almost all are garbage at once. */
const HEAP = { maxYoungGenerationSizeMb: 3 }

/** Starts a second thread of the processor where there are many threads. It plans all files while this one does. */
export function shareThreads(
  library: Library,
  chosen: Chosen,
  sharing: Sharing,
  signal: AbortSignal | undefined,
): SharedWork {
  const taken = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
  const failing = new AbortController()
  const shared = {
    taken,
    signal: AbortSignal.any([failing.signal, ...(signal ? [signal] : [])]),
    halt: (reason: unknown) => failing.abort(reason),
  }
  if (availableParallelism() === 1 || !areMany(library, chosen)) {
    return { ...shared, others: undefined }
  }
  const batches = stream<typeof renderShare>(
    'markdown',
    { ...sharing, taken },
    { in: 'thread', heap: HEAP, signal: shared.signal },
  )
  return { ...shared, others: begun(batches) }
}

function areMany({ stores }: Library, chosen: Chosen): boolean {
  let threads = 0
  for (const store of stores) {
    for (const { table } of Object.values(KINDS).map((list) => LISTS[list])) {
      const some = `SELECT 1 FROM ${table} AS o WHERE ${chosen.condition(store, table)} LIMIT ${WORTH}`
      threads += store.count(`SELECT count(*) FROM (${some})`)
    }
  }
  return threads >= WORTH
}

/** Asks for the first piece at once, before anybody reads the pieces. */
function begun<T>(pieces: AsyncGenerator<T>): AsyncIterable<T> {
  const first = pieces.next()
  // It may fail before somebody waits for it.
  first.catch(() => {})
  return (async function* () {
    const { done, value } = await first
    if (done) return
    yield value
    yield* pieces
  })()
}

/** Writes the file of every thread, and notes their facts for lists. */
export async function writeThreads(writing: Writing, shared: SharedWork): Promise<void> {
  const { signal, halt } = shared
  const own = { ...writing, signal }
  // The first error is the reason.
  await Promise.all([writeOwn(own, shared).catch(halt), writeOthers(own, shared).catch(halt)])
  signal.throwIfAborted()
  writing.plan.endNotes()
}

async function writeOwn(writing: Writing, { taken }: SharedWork): Promise<void> {
  for (const batch of takeBatches(writing.plan, taken)) {
    for (const files of renderFiles(batch, writing)) await writeFiles(files, writing)
    // Lets what the other thread has rendered come in.
    await setImmediate()
  }
}

async function writeOthers(writing: Writing, { others }: SharedWork): Promise<void> {
  for await (const files of others ?? []) await writeFiles(files, writing)
}

async function writeFiles(files: readonly ThreadFile[], writing: Writing): Promise<void> {
  const { output, signal } = writing
  throwIfInterrupted(signal)
  for (const file of output.putAll(files.filter(isShort))) {
    noteThread(file, writing)
    throwIfInterrupted(signal)
  }
  for (const file of files) {
    if (isShort(file)) continue
    for (const { planned, line, pieces } of renderThreads([file.planned], writing)) {
      await writePieces(output, file.file, pieces)
      noteThread({ planned, line }, writing)
      throwIfInterrupted(signal)
    }
  }
}

function noteThread(
  { planned, line }: Pick<ThreadFile, 'planned' | 'line'>,
  { plan, progress }: Writing,
): void {
  plan.note(planned.id, line)
  progress()
}
