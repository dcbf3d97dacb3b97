import type { ThreadKind } from '../../reading/threads/thread-facts.ts'

/** A thread of a database, with the bytes of its texts. */
interface Measured {
  readonly store: number
  readonly kind: ThreadKind
  readonly bytes: number
}

/** Threads that are read together, and their bytes. */
const BATCH = 100
const BATCH_BYTES = 2 ** 18

/** Groups threads of one kind and database that follow each other, as many as may be read together. */
export function* batchThreads<T extends Measured>(threads: Iterable<T>): Generator<T[]> {
  let batch: T[] = []
  let bytes = 0
  for (const thread of threads) {
    const [first] = batch
    const isOther = first && (first.kind !== thread.kind || first.store !== thread.store)
    if (first && (isOther || batch.length === BATCH || bytes + thread.bytes > BATCH_BYTES)) {
      yield batch
      batch = []
      bytes = 0
    }
    batch.push(thread)
    bytes += thread.bytes
  }
  if (batch.length > 0) yield batch
}
