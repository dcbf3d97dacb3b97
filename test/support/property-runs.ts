/**
 * How much the suite tries of what is costly and alike. Each run of the suite tries a sixth, at random, so that many runs try
 * all; with `PROPERTY_RUNS=1` each tries all. With `FC_SEED`, which CI prints, a run tries the same again.
 */
const SHARE = Number(process.env.PROPERTY_RUNS ?? 1 / 6)

/** How many cases a property looks at; more than `most` if `PROPERTY_RUNS` is above 1. */
export const runs = (most: number): number => Math.max(2, Math.round(most * SHARE))

/** Some of these, in any order, or all of them. */
export function someOf<T>(all: readonly T[]): T[] {
  const rest = [...all]
  const count = Math.min(rest.length, runs(rest.length))
  return Array.from({ length: count }, () => {
    const [taken] = rest.splice(Math.floor(random() * rest.length), 1)
    return taken as T
  })
}

const { FC_SEED } = process.env
let state = Number(FC_SEED) >>> 0

/** A number from 0 to 1, the next one of the seed if there is one. */
export function random(): number {
  if (FC_SEED === undefined) return Math.random()
  // The linear congruential generator of "Numerical Recipes": its upper bits are good enough for a choice.
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
  return state / 2 ** 32
}
