import { createLruCache } from '../../lru-cache.ts'

/** Bytes of all objects in a cache, at most. */
const CAPACITY = 32 * 2 ** 20
/** Bytes of one object in a cache, at most. */
export const LARGEST_CACHED = CAPACITY / 4

/** A cache of up to 32 MiB of objects. Objects above 8 MiB are not cached. */
export function createObjectCache<Key, T extends { readonly content: Buffer }>() {
  const { get, set } = createLruCache<Key, T>(CAPACITY, ({ content }) => content.length)
  return {
    get,
    set(key: Key, object: T): void {
      if (object.content.length <= LARGEST_CACHED) set(key, object)
    },
  }
}
