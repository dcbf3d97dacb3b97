import { applyDelta, readDeltaHead } from './apply-delta.ts'
import type { GitObject } from './git-object.ts'
import { inflate, inflateHead } from './inflate.ts'
import { openPackIndex } from './open-pack-index.ts'
import { damaged, type PackEntry, readPackEntry } from './read-pack-entry.ts'
import type { StoredFile } from './stored-file.ts'

type Unpacked = Omit<GitObject, 'oid'>

/** A pack of which objects are read one by one. */
export interface Pack {
  /** Number of objects. */
  readonly count: number
  placeOf(oid: string): number | undefined
  find(oid: string): Unpacked | undefined
  /** Bytes of an object, without reading it. */
  sizeOf(oid: string): number | undefined
  startingWith(digits: string, most: number): string[]
}

// Git makes no longer chains, and whoever does may have made a circle.
const LONGEST_CHAIN = 4_095
// Git makes none at all that lead from pack to pack, but other programs do.
const MOST_PACKS = 50
// Objects that others are made of are often asked for again.
const KEPT_BYTES = 32 * 2 ** 20

export function openPack(
  pack: StoredFile,
  indexFile: StoredFile,
  {
    find,
    checkSize,
  }: {
    /** An object in whatever place, for a delta whose base is elsewhere. */
    find: (oid: string) => Unpacked | undefined
    checkSize: (size: number) => void
  },
): Pack {
  const index = openPackIndex(indexFile)
  const kept = openKept()
  let depth = 0

  function baseElsewhere(oid: string, start: number): Unpacked {
    if (depth === MOST_PACKS) throw damaged(pack, start, 'its bases go in a circle')
    depth++
    try {
      const base = find(oid)
      if (base) return base
    } finally {
      depth--
    }
    throw damaged(pack, start, `its base ${oid} is missing`)
  }

  /** What is different on the way from a whole object to this one, and that object. */
  function chainOf(start: number): { base: Unpacked; deltas: (PackEntry & { start: number })[] } {
    const deltas: (PackEntry & { start: number })[] = []
    for (let at = start; ; ) {
      const known = kept.get(at)
      if (known) return { base: known, deltas }
      const entry = readPackEntry(pack, at)
      checkSize(entry.size)
      if (entry.type !== undefined) {
        const base = { type: entry.type, content: inflate(pack, entry.data, entry.size) }
        if (deltas.length > 0) kept.add(at, base)
        return { base, deltas }
      }
      if (deltas.push({ ...entry, start: at }) > LONGEST_CHAIN) {
        throw damaged(pack, start, `more than ${LONGEST_CHAIN} deltas lead to it`)
      }
      const inPack = typeof entry.base === 'number' ? entry.base : index.offsetOf(entry.base ?? '')
      // A base by name may come after what is made of it, and so be in a circle: the length tells.
      if (inPack === undefined) return { base: baseElsewhere(String(entry.base), at), deltas }
      at = inPack
    }
  }

  function readAt(start: number): Unpacked {
    const { base, deltas } = chainOf(start)
    const { type } = base
    let { content } = base
    for (const entry of deltas.reverse()) {
      content = makeOf(content, entry)
      kept.add(entry.start, { type, content })
    }
    return { type, content }
  }

  function makeOf(base: Buffer, { start, data, size }: PackEntry & { start: number }): Buffer {
    const delta = inflate(pack, data, size)
    return inDelta(start, () => applyDelta(base, delta, checkSize))
  }

  function inDelta<T>(start: number, work: () => T): T {
    try {
      return work()
    } catch (error) {
      if (!(error instanceof RangeError)) throw error
      throw damaged(pack, start, error.message, error)
    }
  }

  return {
    count: index.count,
    placeOf: index.placeOf,
    find(oid) {
      const offset = index.offsetOf(oid)
      return offset === undefined ? undefined : readAt(offset)
    },
    sizeOf(oid) {
      const offset = index.offsetOf(oid)
      if (offset === undefined) return undefined
      const { type, size, data } = readPackEntry(pack, offset)
      return type === undefined
        ? inDelta(offset, () => readDeltaHead(inflateHead(pack, data, 32)).size)
        : size
    },
    startingWith: index.startingWith,
  }
}

/** Objects by where they begin; those not needed for longest go first. */
function openKept() {
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
