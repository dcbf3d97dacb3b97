import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8'

/** Bytes of the space: 4 MiB hold many batches of records. It has them twice, because the collector copies survivors. */
const ENOUGH = 2 * 4 * 2 ** 20
/** How often a timer looks at it, in milliseconds. */
const INTERVAL = 250

/** The space of V8 for young objects. */
export interface YoungSpace {
  /** Keeps it at its size from now on: during long synchronous work no timer can watch it grow. */
  keep(): void
  /**
   * Lets it grow to the size that lasting work needs, at once, and keeps it there. From now on old objects are collected when
   * there are an eighth more of them, not several times as many: strings of large records are old at once.
   */
  grow(): void
}

/**
 * Watches V8's space for young objects, and keeps its size while it is large enough: V8 makes it smaller when little was
 * allocated for a while, as during a long statement of SQLite. Almost all parsed objects are garbage at
 * once, but V8 would let the space grow to 100 MiB, and waking threads that help to collect so few survivors takes longer than
 * collecting without them. These are flags of V8 in Node.js 22 to 24. V8 reads the maximum size only at start, but the growth
 * factor at any time. Setting it before a thread starts would cost more than it saves, because V8 then compiles again what
 * Node.js brings compiled.
 *
 * @param major the version of Node.js
 */
export function watchYoungSpace(major: number): YoungSpace {
  let factor = 2
  const growBy = (wanted: 1 | 2) => {
    if (wanted !== factor && major <= 24) setFlagsFromString(`--semi-space-growth-factor=${wanted}`)
    factor = wanted
  }
  const watch = setInterval(() => growBy(sizeOfYoung() < ENOUGH ? 2 : 1), INTERVAL).unref()
  const keep = () => {
    clearInterval(watch)
    growBy(1)
  }
  if (major <= 24) setFlagsFromString('--no-parallel-scavenge')
  return {
    keep,
    grow() {
      // V8 doubles the space when as many bytes have survived as it holds.
      const alive: number[][] = []
      for (let i = 0; i < 64 && sizeOfYoung() < ENOUGH; i++) {
        for (let j = 0; j < 64; j++) alive.push(new Array<number>(512).fill(i))
      }
      keep()
      if (major <= 24) setFlagsFromString('--heap-growing-percent=12')
    },
  }
}

const sizeOfYoung = (): number =>
  getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space')?.space_size ??
  ENOUGH
