/**
 * How much the suite tries of what is costly and alike. Each run of the suite tries a sixth, at random, so that many runs try
 * all; with `PROPERTY_RUNS=1`, as in CI, each tries all.
 */
const SHARE = Number(process.env.PROPERTY_RUNS ?? 1 / 6)

/** How many cases a property looks at; more than `most` if `PROPERTY_RUNS` is above 1. */
export const runs = (most: number): number => Math.max(2, Math.round(most * SHARE))

/** Some of these, in any order, or all of them. */
export function someOf<T>(all: readonly T[]): T[] {
  const rest = [...all]
  const count = Math.min(rest.length, runs(rest.length))
  return Array.from({ length: count }, () => {
    const [taken] = rest.splice(Math.floor(Math.random() * rest.length), 1)
    return taken as T
  })
}
