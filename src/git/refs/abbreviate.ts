import type { Objects } from '../objects/open-objects.ts'

const FEWEST = 7

/** Shortens ids as Git does: the more objects there are the less, and never so that two are alike. */
export function openAbbreviation(objects: Objects): (oid: string) => string {
  // Half as many digits as the number of objects has bits, and one to spare.
  const bits = Math.floor(Math.log2(Math.max(1, objects.packed))) + 1
  const usual = Math.max(FEWEST, Math.ceil(bits / 2))
  return (oid) => {
    let length = usual
    while (length < oid.length && objects.startingWith(oid.slice(0, length)).length > 1) length++
    return oid.slice(0, length)
  }
}
