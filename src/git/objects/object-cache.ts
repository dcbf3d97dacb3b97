// What they take, all of them together.
const KEPT_BYTES = 32 * 2 ** 20
/** Bytes of one that is kept, at most. */
export const LARGEST_KEPT = KEPT_BYTES / 4

/** Objects that are likely asked for again, up to 32 MiB; those not needed for longest go first. */
export function openKeptObjects<Key, T extends { readonly content: Buffer }>() {
  const kept = new Map<Key, T>()
  let bytes = 0
  return {
    get(key: Key): T | undefined {
      const found = kept.get(key)
      if (found === undefined) return undefined
      // A Map keeps the order of insertion: the first is what was not needed for longest.
      kept.delete(key)
      kept.set(key, found)
      return found
    },
    add(key: Key, object: T): void {
      if (object.content.length > LARGEST_KEPT || kept.has(key)) return
      kept.set(key, object)
      bytes += object.content.length
      for (const [oldest, { content }] of kept) {
        if (bytes <= KEPT_BYTES) break
        kept.delete(oldest)
        bytes -= content.length
      }
    },
  }
}
