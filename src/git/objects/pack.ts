import { ArchiveError } from '../../base/errors.ts'
import type { CheckSize, GitObject, ObjectType, StreamedObject } from '../parse/git-object.ts'
import type { DeltaResult } from './delta.ts'
import { CHUNK, inflate, inflateInChunks } from './inflate.ts'
import { type createObjectCache, LARGEST_CACHED } from './object-cache.ts'
import {
  applyPackDelta,
  applyStoredDelta,
  damaged,
  type PackDelta,
  type PackEntry,
  readPackEntry,
  sizeInPack,
  sizeOfDelta,
} from './pack-entry.ts'
import { readPackIndex } from './pack-index.ts'
import type { RandomAccessFile } from './random-access-file.ts'
import { inMemory, openSeekableBytes } from './seekable-bytes.ts'

/** An object of a pack, whose id is not known. */
export type Unpacked = Omit<GitObject, 'oid'>
type Streamed = Omit<StreamedObject, 'oid'>
/** An object that is stored whole, and its offset. */
type Whole = PackEntry & { type: ObjectType; start: number }
/** The deltas from an object (first) back to a whole base, inflated if it is cached. */
interface Chain {
  base: Unpacked | Whole
  deltas: PackDelta[]
}

/** A pack whose objects are read one by one. */
export interface Pack {
  /** Number of objects. */
  readonly count: number
  placeOf(oid: string): number | undefined
  /** Undefined if the object is not there, or if it or a delta base exceeds `limit` bytes. */
  find(oid: string, limit?: number): Unpacked | undefined
  /** Streams an object; the base of a large delta goes to a temporary file. */
  stream(oid: string): Streamed | undefined
  /** Streams the object that begins at an offset. Throws `git-object-damaged` or `git-too-large`. */
  streamAt(start: number): Streamed
  /** The size of an object, read from its header. */
  sizeOf(oid: string): number | undefined
  startingWith(digits: string, limit: number): string[]
}

// Git makes no longer chains; a longer one may be a cycle.
const LONGEST_CHAIN = 4_095
// Git makes no chains across packs, but other programs do.
const MOST_PACKS = 50
// Git makes deltas against another pack only for transfer.
const MOST_ELSEWHERE = 64 * 2 ** 20
// A few bytes of deltas can expand to terabytes.
const MOST_MADE = 64 * 2 ** 30

const tooMuchMade = (pack: RandomAccessFile, total: number) =>
  new ArchiveError(
    'git-too-large',
    `the deltas of this object expand to ${total} bytes; the limit is ${MOST_MADE}`,
    { entry: pack.path },
  )

async function* piecesOf({ size, fill }: DeltaResult): AsyncGenerator<Buffer> {
  for (let at = 0; at < size; at += CHUNK) {
    const room = Buffer.allocUnsafe(Math.min(CHUNK, size - at))
    fill(room)
    yield room
  }
}

export function createPackReader(
  pack: RandomAccessFile,
  indexFile: RandomAccessFile,
  {
    find,
    checkSize,
    cache: shared,
    origin,
  }: {
    /** Finds an object anywhere, for a delta whose base is elsewhere. */
    find: (oid: string, limit: number) => Unpacked | undefined
    checkSize: CheckSize
    /** Delta bases of all packs, by their offsets counted from `origin`. */
    cache: ReturnType<typeof createObjectCache<number, Unpacked>>
    origin: number
  },
): Pack {
  const index = readPackIndex(indexFile)
  const cache = {
    get: (start: number) => shared.get(origin + start),
    set: (start: number, object: Unpacked) => shared.set(origin + start, object),
  }
  let depth = 0

  function baseElsewhere(oid: string, start: number): Unpacked {
    if (depth === MOST_PACKS) throw damaged(pack, start, 'its delta bases form a cycle')
    depth++
    try {
      const base = find(oid, MOST_ELSEWHERE)
      if (base) return base
    } finally {
      depth--
    }
    throw damaged(pack, start, `its delta base ${oid} is missing, or too large for another pack`)
  }

  function chainOf(start: number): Chain {
    const deltas: PackDelta[] = []
    for (let at = start; ; ) {
      const known = cache.get(at)
      if (known) return { base: known, deltas }
      const entry = readPackEntry(pack, at)
      const { type } = entry
      checkSize(entry.size, type)
      if (type !== undefined) return { base: { ...entry, type, start: at }, deltas }
      if (deltas.push({ ...entry, start: at }) > LONGEST_CHAIN) {
        throw damaged(pack, start, `more than ${LONGEST_CHAIN} deltas lead to it`)
      }
      const inPack = typeof entry.base === 'number' ? entry.base : index.offsetOf(entry.base ?? '')
      // A base given by id may follow its delta and form a cycle: the length limit catches that.
      if (inPack === undefined) return { base: baseElsewhere(String(entry.base), at), deltas }
      at = inPack
    }
  }

  /** Undefined if an object in the chain exceeds `limit` bytes. */
  function read({ base, deltas }: Chain, limit: number): Unpacked | undefined {
    const { type } = base
    if ('content' in base) return makeOf(base, deltas, limit)
    if (base.size > limit) return undefined
    const whole = { type, content: inflate(pack, base.data, base.size) }
    if (deltas.length > 0) cache.set(base.start, whole)
    return makeOf(whole, deltas, limit)
  }

  function stream({ base, deltas }: Chain): Streamed {
    const [last] = deltas
    if ('content' in base || last) {
      const held = read({ base, deltas: [...deltas] }, LARGEST_CACHED)
      if (held) return { ...held, size: held.content.length, content: [held.content] }
    }
    const { type } = base
    const whole = 'content' in base ? undefined : inflateInChunks(pack, base.data, base.size)
    if (last === undefined && whole) return { type, size: (base as Whole).size, content: whole }
    const size = last ? sizeOfDelta(pack, last) : 0
    checkSize(size, type)
    return { type, size, content: madeInFiles({ base, deltas }) }
  }

  /** Applies deltas to large objects, at most two of which are in temporary files at a time. */
  async function* madeInFiles({ base, deltas }: Chain): AsyncGenerator<Buffer> {
    const { type } = base
    let total = 0
    let like =
      'content' in base
        ? inMemory(base.content)
        : await openSeekableBytes({
            size: base.size,
            content: inflateInChunks(pack, base.data, base.size),
          })
    try {
      for (const delta of deltas.toReversed()) {
        const content = await openSeekableBytes({
          size: delta.size,
          content: inflateInChunks(pack, delta.data, delta.size),
        })
        try {
          const made = applyStoredDelta(pack, delta, { base: like, content, type, checkSize })
          total += made.size
          if (total > MOST_MADE) throw tooMuchMade(pack, total)
          if (delta === deltas[0]) yield* piecesOf(made)
          else {
            const former = like
            like = await openSeekableBytes({ size: made.size, content: piecesOf(made) })
            former.close()
          }
        } finally {
          content.close()
        }
      }
    } finally {
      like.close()
    }
  }

  /** Applies deltas, the last one first; undefined if a result exceeds `limit` bytes. */
  function makeOf(
    { type, content: first }: Unpacked,
    deltas: PackDelta[],
    limit: number,
  ): Unpacked | undefined {
    let content = first
    let spare: Buffer | undefined
    for (const delta of deltas.reverse()) {
      if (delta.size > limit) return undefined
      const { size, fill } = applyPackDelta(pack, delta, { type, content }, checkSize)
      if (size > limit) return undefined
      const room =
        spare && spare.length >= size ? spare.subarray(0, size) : Buffer.allocUnsafe(size)
      fill(room)
      // Large results are not cached: two buffers serve a whole chain.
      spare = content.length > LARGEST_CACHED && content !== first ? content : undefined
      content = room
      cache.set(delta.start, { type, content })
    }
    return { type, content }
  }

  return {
    count: index.count,
    placeOf: index.placeOf,
    find(oid, most = Number.POSITIVE_INFINITY) {
      const offset = index.offsetOf(oid)
      return offset === undefined ? undefined : read(chainOf(offset), most)
    },
    stream(oid) {
      const offset = index.offsetOf(oid)
      return offset === undefined ? undefined : stream(chainOf(offset))
    },
    streamAt(start) {
      const { base, deltas } = chainOf(start)
      if ('content' in base || deltas.length > 0 || base.size > LARGEST_CACHED) {
        return stream({ base, deltas })
      }
      // Objects that follow may be deltas of it.
      const whole = { type: base.type, content: inflate(pack, base.data, base.size) }
      cache.set(start, whole)
      return { type: base.type, size: base.size, content: [whole.content] }
    },
    sizeOf(oid) {
      const start = index.offsetOf(oid)
      return start === undefined ? undefined : sizeInPack(pack, start)
    },
    startingWith: index.startingWith,
  }
}
