/** A set of object ids that takes one bit per packed object. */
interface OidSet {
  /** False if the id was there already. */
  add(oid: string): boolean
  has(oid: string): boolean
}

/** Numbers packed objects. */
export interface NumberedObjects {
  placeOf(oid: string): number | undefined
}

// Neighbouring trees share most entries: remembering recent ids saves index lookups.
const MOST_RECENT = 50_000

/** Creates an empty set. The first 50,000 ids need no lookup at all. */
export function createOidSet(objects: NumberedObjects): OidSet {
  let bits = new Uint8Array(1024)
  const others = new Set<string>()
  const recent = new Set<string>()
  /** Whether the other parts hold all ids, not only `recent`. */
  let isMarked = false
  const mark = (oid: string): boolean => {
    const place = objects.placeOf(oid)
    if (place === undefined) return others.size !== others.add(oid).size
    const byte = place >> 3
    if (byte >= bits.length) {
      const more = new Uint8Array(2 * (byte + 1))
      more.set(bits)
      bits = more
    }
    const mask = 1 << (place & 7)
    const isNew = ((bits[byte] as number) & mask) === 0
    bits[byte] = (bits[byte] as number) | mask
    return isNew
  }
  return {
    add(oid) {
      if (recent.has(oid)) return false
      if (recent.size === MOST_RECENT) {
        if (!isMarked) for (const one of recent) mark(one)
        isMarked = true
        recent.clear()
      }
      recent.add(oid)
      return isMarked ? mark(oid) : true
    },
    has(oid) {
      if (recent.has(oid)) return true
      if (!isMarked) return false
      if (others.has(oid)) return true
      const place = objects.placeOf(oid)
      return place !== undefined && ((bits[place >> 3] ?? 0) & (1 << (place & 7))) !== 0
    },
  }
}
