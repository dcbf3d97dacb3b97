import { expect } from 'vitest'

/**
 * Milliseconds of processor time that some work takes on this thread: on a busy machine the time of a clock says little, and
 * that of a process has other threads in it.
 */
export function cpuTimeOf(work: () => unknown): number {
  const before = process.threadCpuUsage()
  work()
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1000
}

const TIMES = 8
const ATTEMPTS = 5
const LIMIT = 3

/** Less says nothing: the system counts in steps of 4 ms. Work that is not linear takes much longer, or its size is too small. */
const LEAST = 20

/**
 * Expects that work on one large thing takes about as long as work on eight that are an eighth as large, on any machine: where
 * each part is held against each other one it takes eight times as long.
 *
 * @param prepare makes the work for a size, which is not measured
 * @param size that of the large one, such as characters
 */
export function expectLinear(
  prepare: (size: number) => () => unknown,
  size: number,
  name = '',
): void {
  const [small, large] = [prepare(Math.ceil(size / TIMES)), prepare(size)]
  const smallOnes = () => {
    for (let i = 0; i < TIMES; i++) small()
  }
  // What runs first is compiled, and any run may have to collect garbage: the least time counts.
  let growth = Number.POSITIVE_INFINITY
  for (let i = 0; i < ATTEMPTS && growth >= LIMIT; i++) {
    const expected = Math.max(cpuTimeOf(smallOnes), LEAST)
    growth = Math.min(growth, cpuTimeOf(large) / expected)
  }
  expect(growth, name).toBeLessThan(LIMIT)
}
