import type { GitObject } from './git-object.ts'

type Unpacked = Omit<GitObject, 'oid'>

// Objects that others are made of are often asked for again.
const KEPT_BYTES = 32 * 2 ** 20

/** Objects by where they begin; those not needed for longest go first. */
export function openKeptObjects() {
  const kept = new Map<number, Unpacked>()
  let bytes = 0
  return {
    get(start: number): Unpacked | undefined {
      const found = kept.get(start)
      if (found === undefined) return undefined
      kept.delete(start)
      kept.set(start, found)
      return found
    },
    add(start: number, object: Unpacked): void {
      if (object.content.length > KEPT_BYTES / 4 || kept.has(start)) return
      kept.set(start, object)
      bytes += object.content.length
      for (const [oldest, { content }] of kept) {
        if (bytes <= KEPT_BYTES) break
        kept.delete(oldest)
        bytes -= content.length
      }
    },
  }
}
