import { createLruCache } from '../../base/lru-cache.ts'

/** Bytes of all objects in a cache, at most. */
const CAPACITY = 32 * 2 ** 20
/** Bytes of one object in a cache, at most. */
export const LARGEST_CACHED = CAPACITY / 4

// Bytes of an entry beside the content: most objects are small.
const ENTRY = 256

/** A cache of up to 32 MiB of objects, or `capacity` bytes. Objects above 8 MiB are not cached. */
export function createObjectCache<Key, T extends { readonly content: Buffer }>(
  capacity = CAPACITY,
) {
  const { get, set } = createLruCache<Key, T>(capacity, ({ content }) => content.length + ENTRY)
  return {
    get,
    set(key: Key, object: T): void {
      if (object.content.length <= LARGEST_CACHED) set(key, object)
    },
  }
}
