import type { Plan, PlannedThread } from './plan-files.ts'

/** Batches of threads, in order, that no other thread of the processor has taken. `taken` is the number of those that somebody has. */
export function* takeBatches(
  plan: Plan,
  taken: Int32Array<SharedArrayBuffer>,
): Generator<PlannedThread[]> {
  let place = 0
  let next = Atomics.add(taken, 0, 1)
  for (const batch of plan.batches()) {
    if (place++ !== next) continue
    yield batch
    next = Atomics.add(taken, 0, 1)
  }
}
