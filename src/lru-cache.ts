/** The most recently used values, up to a total weight. */
export interface LruCache<Key, Value> {
  get(key: Key): Value | undefined
  /** Adds a value, or replaces the one there, and drops the least recently used ones that no longer fit. */
  set(key: Key, value: Value): void
}

/** An empty cache. Without `weigh`, `capacity` is the number of values. */
export function createLruCache<Key, Value extends NonNullable<unknown>>(
  capacity: number,
  weigh: (value: Value) => number = () => 1,
): LruCache<Key, Value> {
  // A Map keeps the order of insertion: its first key is the least recently used one.
  const values = new Map<Key, Value>()
  let weight = 0
  const remove = (key: Key, value: Value) => {
    values.delete(key)
    weight -= weigh(value)
  }
  return {
    get(key) {
      const value = values.get(key)
      if (value === undefined) return undefined
      values.delete(key)
      values.set(key, value)
      return value
    },
    set(key, value) {
      const former = values.get(key)
      if (former !== undefined) remove(key, former)
      values.set(key, value)
      weight += weigh(value)
      for (const [oldest, each] of values) {
        if (weight <= capacity) break
        remove(oldest, each)
      }
    },
  }
}
