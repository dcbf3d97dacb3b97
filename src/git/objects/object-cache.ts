import { createLruCache } from '../../base/lru-cache.ts'

/** Bytes of all objects in a cache, at most. */
const CAPACITY = 32 * 2 ** 20
/** Bytes of one object in a cache, at most. */
export const LARGEST_CACHED = CAPACITY / 4

// Bytes of an entry beside the content: most objects are small.
const ENTRY = 256

/** Small objects share buffers of this size. Many buffers of their own would give the garbage collector more work than all else. */
const SHARED = 64 * 2 ** 10
const LARGEST_SHARED = SHARED / 8

/**
 * A cache of up to 32 MiB of objects, or `capacity` bytes. Objects above 8 MiB are not cached. Small ones are copied: Node.js too cuts
 * them from larger pieces, which one of them keeps as a whole. Those of one buffer become old together, as one that was used is
 * copied again.
 */
export function createObjectCache<Key, T extends { readonly content: Buffer }>(
  capacity = CAPACITY,
) {
  let shared = Buffer.alloc(0)
  const copied = (object: T): T => {
    const { content } = object
    const { length } = content
    if (length > LARGEST_SHARED) return object
    if (length > shared.length) shared = Buffer.allocUnsafeSlow(SHARED)
    const copy = shared.subarray(0, length)
    shared = shared.subarray(length)
    content.copy(copy)
    return { ...object, content: copy }
  }
  const weigh = ({ content }: T) => content.length + ENTRY
  const { get, set } = createLruCache<Key, T>(capacity, weigh, copied)
  return {
    get,
    set(key: Key, object: T): void {
      const { content } = object
      if (content.length > LARGEST_CACHED) return
      const isPart = content.buffer.byteLength > 2 * content.length
      set(key, content.length > LARGEST_SHARED && isPart ? alone(object) : copied(object))
    },
  }
}

/** The object in memory of its own. */
function alone<T extends { readonly content: Buffer }>(object: T): T {
  const copy = Buffer.allocUnsafeSlow(object.content.length)
  object.content.copy(copy)
  return { ...object, content: copy }
}
