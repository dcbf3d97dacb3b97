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
  const entries = new Map<Key, { readonly key: Key; readonly value: Value }>()
  let weight = 0
  const remove = (key: Key, value: Value) => {
    entries.delete(key)
    weight -= weigh(value)
  }
  return {
    get(key) {
      const entry = entries.get(key)
      if (entry === undefined) return undefined
      entries.delete(key)
      // An equal key of the caller may be part of a long text, which it would keep in memory.
      entries.set(entry.key, entry)
      return entry.value
    },
    set(key, value) {
      const former = entries.get(key)
      if (former !== undefined) remove(former.key, former.value)
      entries.set(key, { key, value })
      weight += weigh(value)
      for (const [oldest, each] of entries) {
        if (weight <= capacity) break
        remove(oldest, each.value)
      }
    },
  }
}
