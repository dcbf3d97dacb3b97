import type { ObjectStore } from './object-store.ts'

const FEWEST = 7

/** Abbreviates ids as Git does: longer in large repositories, and always unique. */
export function createAbbreviator(objects: ObjectStore): (oid: string) => string {
  // Half as many digits as the number of objects has bits, rounded up.
  const bits = Math.floor(Math.log2(Math.max(1, objects.packed))) + 1
  const usual = Math.max(FEWEST, Math.ceil(bits / 2))
  return (oid) => {
    let length = usual
    while (length < oid.length && objects.startingWith(oid.slice(0, length)).length > 1) length++
    return oid.slice(0, length)
  }
}
