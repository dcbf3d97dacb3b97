/**
 * How many cases a property looks at that loads or builds archives: `most` with `PROPERTY_RUNS=1`, more with a larger number,
 * and a third by default, as each run of the suite looks at others.
 */
export const runs = (most: number): number =>
  Math.max(2, Math.round(most * Number(process.env.PROPERTY_RUNS ?? 1 / 3)))
