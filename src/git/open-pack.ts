import type { CheckSize } from './check-size.ts'
import type { GitObject, ObjectType, StreamedObject } from './git-object.ts'
import { inflate } from './inflate.ts'
import { LARGEST_KEPT, openKeptObjects } from './open-kept-objects.ts'
import { openPackIndex } from './open-pack-index.ts'
import { openPackDelta, type PackDelta, sizeInPack, sizeOfDelta } from './pack-delta.ts'
import { damaged, type PackEntry, readPackEntry } from './read-pack-entry.ts'
import type { StoredFile } from './stored-file.ts'
import { CHUNK, joinPieces, unpack } from './unpack.ts'

type Unpacked = Omit<GitObject, 'oid'>
type Streamed = Omit<StreamedObject, 'oid'>
/** An object that is stored whole, and where that begins. */
type Whole = PackEntry & { type: ObjectType; start: number }
/** What is different on the way from a whole object to another, which comes first; that object unpacked if it is known. */
interface Chain {
  base: Unpacked | Whole
  deltas: PackDelta[]
}

/** A pack of which objects are read one by one. */
export interface Pack {
  /** Number of objects. */
  readonly count: number
  placeOf(oid: string): number | undefined
  find(oid: string): Unpacked | undefined
  /** The same, large content piece by piece as it is unpacked; of a delta its base is held. */
  stream(oid: string): Streamed | undefined
  /** Bytes of an object, without reading it. */
  sizeOf(oid: string): number | undefined
  startingWith(digits: string, most: number): string[]
}

// Git makes no longer chains, and whoever does may have made a circle.
const LONGEST_CHAIN = 4_095
// Git makes none at all that lead from pack to pack, but other programs do.
const MOST_PACKS = 50

export function openPack(
  pack: StoredFile,
  indexFile: StoredFile,
  {
    find,
    checkSize,
  }: {
    /** An object in whatever place, for a delta whose base is elsewhere. */
    find: (oid: string) => Unpacked | undefined
    checkSize: CheckSize
  },
): Pack {
  const index = openPackIndex(indexFile)
  // Objects by where they begin, for others that are made of them.
  const kept = openKeptObjects<number, Unpacked>()
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

  function chainOf(start: number): Chain {
    const deltas: PackDelta[] = []
    for (let at = start; ; ) {
      const known = kept.get(at)
      if (known) return { base: known, deltas }
      const entry = readPackEntry(pack, at)
      const { type } = entry
      checkSize(entry.size, type)
      if (type !== undefined) return { base: { ...entry, type, start: at }, deltas }
      if (deltas.push({ ...entry, start: at }) > LONGEST_CHAIN) {
        throw damaged(pack, start, `more than ${LONGEST_CHAIN} deltas lead to it`)
      }
      const inPack = typeof entry.base === 'number' ? entry.base : index.offsetOf(entry.base ?? '')
      // A base by name may come after what is made of it, and so be in a circle: the length tells.
      if (inPack === undefined) return { base: baseElsewhere(String(entry.base), at), deltas }
      at = inPack
    }
  }

  function read({ base, deltas }: Chain): Unpacked {
    const { type } = base
    if ('content' in base) return { type, content: makeOf(base, deltas) }
    const whole = { type, content: inflate(pack, base.data, base.size) }
    if (deltas.length > 0) kept.add(base.start, whole)
    return { type, content: makeOf(whole, deltas) }
  }

  function stream({ base, deltas }: Chain): Streamed {
    const [last, ...others] = deltas
    if ('content' in base || (last && base.size <= LARGEST_KEPT)) {
      const { type, content } = read({ base, deltas })
      return { type, size: content.length, content: [content] }
    }
    const { type } = base
    const content = unpack(pack, base.data, base.size)
    if (last === undefined) return { type, size: base.size, content }
    const size = sizeOfDelta(pack, last)
    checkSize(size, type)
    return { type, size, content: madeOf({ ...base, content }, last, others) }
  }

  /** What is made of a large object, which alone is held: put together from pieces, as there would be a copy. */
  async function* madeOf(
    base: Streamed,
    last: PackDelta,
    others: PackDelta[],
  ): AsyncGenerator<Buffer> {
    const { type } = base
    const like = makeOf({ type, content: await joinPieces(base) }, others)
    const { size, fill } = openPackDelta(pack, last, { type, content: like }, checkSize)
    for (let at = 0; at < size; at += CHUNK) {
      const room = Buffer.allocUnsafe(Math.min(CHUNK, size - at))
      fill(room)
      yield room
    }
  }

  /** The content of what deltas lead to, the last of them first. */
  function makeOf({ type, content: first }: Unpacked, deltas: PackDelta[]): Buffer {
    let content = first
    for (const delta of deltas.reverse()) {
      const { size, fill } = openPackDelta(pack, delta, { type, content }, checkSize)
      content = Buffer.allocUnsafe(size)
      fill(content)
      kept.add(delta.start, { type, content })
    }
    return content
  }

  return {
    count: index.count,
    placeOf: index.placeOf,
    find(oid) {
      const offset = index.offsetOf(oid)
      return offset === undefined ? undefined : read(chainOf(offset))
    },
    stream(oid) {
      const offset = index.offsetOf(oid)
      return offset === undefined ? undefined : stream(chainOf(offset))
    },
    sizeOf(oid) {
      const start = index.offsetOf(oid)
      return start === undefined ? undefined : sizeInPack(pack, start)
    },
    startingWith: index.startingWith,
  }
}
