import { createLruCache } from '../../base/lru-cache.ts'

/** Bytes of all objects in a cache, at most. */
const CAPACITY = 32 * 2 ** 20
/** Bytes of one object in a cache, at most. */
export const LARGEST_CACHED = CAPACITY / 4

// Bytes of an entry beside the content: most objects are small.
const ENTRY = 256

/**
 * A cache of up to 32 MiB of objects, or `capacity` bytes. Objects above 8 MiB are not cached, and small ones are copied: Node.js
 * cuts small buffers from pieces of 64 KiB, which one of them keeps as a whole.
 */
export function createObjectCache<Key, T extends { readonly content: Buffer }>(
  capacity = CAPACITY,
) {
  const { get, set } = createLruCache<Key, T>(capacity, ({ content }) => content.length + ENTRY)
  return {
    get,
    set(key: Key, object: T): void {
      const { content } = object
      if (content.length > LARGEST_CACHED) return
      const isPart = content.buffer.byteLength > 2 * content.length
      set(key, isPart ? { ...object, content: copyOf(content) } : object)
    },
  }
}

/** A copy in memory of its own. */
function copyOf(content: Buffer): Buffer {
  const copy = Buffer.allocUnsafeSlow(content.length)
  content.copy(copy)
  return copy
}
