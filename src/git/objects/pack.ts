import { ArchiveError } from '../../errors.ts'
import type { DeltaResult } from './delta.ts'
import type { CheckSize, GitObject, ObjectType, StreamedObject } from './git-object.ts'
import { CHUNK, inflate, inflateInChunks } from './inflate.ts'
import { createObjectCache, LARGEST_CACHED } from './object-cache.ts'
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
  /** Nor if it, or what it is made of, takes more than `most` bytes. */
  find(oid: string, most?: number): Unpacked | undefined
  /** The same, large content piece by piece as it is unpacked; of a large delta its base is in a temporary file. */
  stream(oid: string): Streamed | undefined
  /** Bytes of an object, without reading it. */
  sizeOf(oid: string): number | undefined
  startingWith(digits: string, most: number): string[]
}

// Git makes no longer chains, and whoever does may have made a circle.
const LONGEST_CHAIN = 4_095
// Git makes none at all that lead from pack to pack, but other programs do.
const MOST_PACKS = 50
// Nor does Git make deltas of what is in another pack, but for sending.
const MOST_ELSEWHERE = 64 * 2 ** 20
// A few bytes can ask for terabytes, one made of the other.
const MOST_MADE = 64 * 2 ** 30

const tooMuchMade = (pack: RandomAccessFile, total: number) =>
  new ArchiveError(
    'git-too-large',
    `to make this object, ${total} bytes of others are made, of ${MOST_MADE}`,
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
  }: {
    /** An object in whatever place, for a delta whose base is elsewhere. */
    find: (oid: string, most: number) => Unpacked | undefined
    checkSize: CheckSize
  },
): Pack {
  const index = readPackIndex(indexFile)
  // Objects by where they begin, for others that are made of them.
  const cache = createObjectCache<number, Unpacked>()
  let depth = 0

  function baseElsewhere(oid: string, start: number): Unpacked {
    if (depth === MOST_PACKS) throw damaged(pack, start, 'its bases go in a circle')
    depth++
    try {
      const base = find(oid, MOST_ELSEWHERE)
      if (base) return base
    } finally {
      depth--
    }
    throw damaged(pack, start, `its base ${oid} is missing, or too large to be in another pack`)
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
      // A base by name may come after what is made of it, and so be in a circle: the length tells.
      if (inPack === undefined) return { base: baseElsewhere(String(entry.base), at), deltas }
      at = inPack
    }
  }

  /** Undefined where an object on the way would take more than `most` bytes. */
  function read({ base, deltas }: Chain, most: number): Unpacked | undefined {
    const { type } = base
    if ('content' in base) return makeOf(base, deltas, most)
    if (base.size > most) return undefined
    const whole = { type, content: inflate(pack, base.data, base.size) }
    if (deltas.length > 0) cache.set(base.start, whole)
    return makeOf(whole, deltas, most)
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

  /** What is made of large objects, of which two at a time are in temporary files. */
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

  /** The content of what deltas lead to, the last of them first; undefined where any takes more than `most` bytes. */
  function makeOf(
    { type, content: first }: Unpacked,
    deltas: PackDelta[],
    most: number,
  ): Unpacked | undefined {
    let content = first
    let spare: Buffer | undefined
    for (const delta of deltas.reverse()) {
      if (delta.size > most) return undefined
      const { size, fill } = applyPackDelta(pack, delta, { type, content }, checkSize)
      if (size > most) return undefined
      const room =
        spare && spare.length >= size ? spare.subarray(0, size) : Buffer.allocUnsafe(size)
      fill(room)
      // Large ones are kept by nobody: of a long chain, two are enough.
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
    sizeOf(oid) {
      const start = index.offsetOf(oid)
      return start === undefined ? undefined : sizeInPack(pack, start)
    },
    startingWith: index.startingWith,
  }
}
