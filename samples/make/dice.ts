/** Chance that comes out the same every time. */
export interface Dice {
  /** A whole number from 0 to below `limit`. */
  below(limit: number): number
  pick<T>(things: readonly T[]): T
}

export function newDice(seed: number): Dice {
  let state = seed
  const below = (limit: number) => {
    // Mulberry32: short, and good enough to tell stories with.
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit
  }
  return { below, pick: <T>(things: readonly T[]) => things[below(things.length)] as T }
}
