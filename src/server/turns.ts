import { setImmediate } from 'node:timers/promises'

/** Milliseconds of work after which other requests have their turn. */
const LONGEST = 5

/** Creates a function to be awaited between pieces of long work: now and then it lets other requests be answered. */
export function createTurns(): () => Promise<void> | undefined {
  let began = performance.now()
  const pass = async () => {
    await setImmediate()
    began = performance.now()
  }
  return () => (performance.now() - began < LONGEST ? undefined : pass())
}

/** The same pieces, with turns for other requests between them. */
export async function* inTurns<T>(pieces: AsyncIterable<T> | Iterable<T>): AsyncGenerator<T> {
  const turn = createTurns()
  for await (const piece of pieces) {
    yield piece
    await turn()
  }
}
