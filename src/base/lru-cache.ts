/** Values that were used not long ago, up to a total weight. */
export interface LruCache<Key, Value> {
  get(key: Key): Value | undefined
  /**
   * Adds a value, or replaces the one there, and drops values until all fit: the oldest ones that were not used since they
   * were the oldest before.
   */
  set(key: Key, value: Value): void
  /** Drops all values. */
  clear(): void
}

interface Entry<Key, Value> {
  readonly key: Key
  value: Value
  isUsed: boolean
}

/**
 * An empty cache. Without `weigh`, `capacity` is the number of values. When its turn to be dropped comes, a value that was used is
 * kept as `renewed` returns it, with the same weight.
 */
export function createLruCache<Key, Value extends NonNullable<unknown>>(
  capacity: number,
  weigh: (value: Value) => number = () => 1,
  renewed: (value: Value) => Value = (value) => value,
): LruCache<Key, Value> {
  // A Map keeps the order of insertion. To insert an entry again with each use would take longer than what it saves: one that
  // was used is inserted again when its turn to be dropped comes.
  const entries = new Map<Key, Entry<Key, Value>>()
  // Goes on where it stopped: a new iterator would pass all entries that were removed.
  let oldest = entries.values()
  let weight = 0
  const remove = (key: Key, value: Value) => {
    entries.delete(key)
    weight -= weigh(value)
  }
  const renew = (entry: Entry<Key, Value>) => {
    entry.isUsed = false
    entry.value = renewed(entry.value)
    entries.delete(entry.key)
    // An equal key of a caller may be part of a long text, which it would keep in memory.
    entries.set(entry.key, entry)
  }
  return {
    get(key) {
      const entry = entries.get(key)
      if (entry === undefined) return undefined
      entry.isUsed = true
      return entry.value
    },
    set(key, value) {
      const former = entries.get(key)
      if (former !== undefined) remove(former.key, former.value)
      entries.set(key, { key, value, isUsed: false })
      weight += weigh(value)
      while (weight > capacity) {
        const entry = oldest.next().value
        if (!entry) oldest = entries.values()
        else if (!entry.isUsed) remove(entry.key, entry.value)
        else renew(entry)
      }
    },
    clear() {
      entries.clear()
      oldest = entries.values()
      weight = 0
    },
  }
}
