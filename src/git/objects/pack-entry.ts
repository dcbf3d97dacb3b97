import { ArchiveError } from '../../base/errors.ts'
import type { CheckSize, GitObject, ObjectType } from '../parse/git-object.ts'
import { applyDelta, type DeltaResult, readDeltaHead } from './delta.ts'
import { inflate, inflateHead } from './inflate.ts'
import type { RandomAccessFile } from './random-access-file.ts'
import { inMemory, type SeekableBytes } from './seekable-bytes.ts'

/** The header of a packed object, stored whole or as a delta. */
export interface PackEntry {
  /** Undefined for a delta, which is of its base's type. */
  type: ObjectType | undefined
  /** Where the base begins in this pack, or its id. */
  base: number | string | undefined
  /** Bytes of the object, or of the delta. */
  size: number
  /** Where the compressed data begin. */
  data: number
}

const TYPES: Record<number, ObjectType> = { 1: 'commit', 2: 'tree', 3: 'blob', 4: 'tag' }
const OFFSET_DELTA = 6
const NAMED_DELTA = 7
// Two numbers of at most ten bytes, or one and an id.
const LONGEST = 32

/** Reads the head of the object that begins at `start`. Throws `git-object-damaged`. */
export function readPackEntry(pack: RandomAccessFile, start: number): PackEntry {
  const head = pack.read(start, LONGEST)
  let at = 0
  const next = (): number => {
    const byte = head[at++]
    if (byte === undefined) throw damaged(pack, start, 'the pack ends here')
    return byte
  }
  let byte = next()
  const kind = (byte >> 4) & 7
  let size = byte & 15
  for (let scale = 16; byte > 127; scale *= 128) {
    byte = next()
    size += (byte & 127) * scale
  }
  let base: number | string | undefined
  if (kind === OFFSET_DELTA) {
    byte = next()
    let distance = byte & 127
    while (byte > 127) {
      byte = next()
      distance = (distance + 1) * 128 + (byte & 127)
    }
    if (distance === 0 || distance > start)
      throw damaged(pack, start, 'its delta base is outside the pack')
    base = start - distance
  } else if (kind === NAMED_DELTA) {
    base = head.toString('hex', at, at + 20)
    at += 20
  } else if (TYPES[kind] === undefined) {
    throw damaged(pack, start, `unknown object type ${kind}`)
  }
  return { type: TYPES[kind], base, size, data: start + at }
}

/** An error for a damaged object at `start`. */
export const damaged = (pack: RandomAccessFile, start: number, fault: string, cause?: unknown) =>
  new ArchiveError(
    'git-object-damaged',
    `the object at byte ${start} is damaged: ${fault}`,
    { entry: pack.path },
    cause,
  )

/** A delta and its offset in the pack. */
export type PackDelta = PackEntry & { start: number }

/** The size of the object that a delta produces. Throws `git-object-damaged`. */
export const sizeOfDelta = (pack: RandomAccessFile, delta: PackDelta): number =>
  checked(pack, delta, () => readDeltaHead(inMemory(inflateHead(pack, delta.data, 32))).size)

/** The size of the object at `start`, read from its header. Throws `git-object-damaged`. */
export function sizeInPack(pack: RandomAccessFile, start: number): number {
  const entry = readPackEntry(pack, start)
  return entry.type === undefined ? sizeOfDelta(pack, { ...entry, start }) : entry.size
}

/** Applies a delta to a base in memory. Throws `git-object-damaged`. */
export function applyPackDelta(
  pack: RandomAccessFile,
  delta: PackDelta,
  { type, content: base }: Omit<GitObject, 'oid'>,
  checkSize: CheckSize,
): DeltaResult {
  checkSize(delta.size, type)
  const content = inMemory(inflate(pack, delta.data, delta.size))
  return applyStoredDelta(pack, delta, { base: inMemory(base), content, type, checkSize })
}

/** Applies a delta to a base in memory or in a temporary file. Throws `git-object-damaged`. */
export function applyStoredDelta(
  pack: RandomAccessFile,
  delta: PackDelta,
  {
    base,
    content,
    type,
    checkSize,
  }: { base: SeekableBytes; content: SeekableBytes; type: ObjectType; checkSize: CheckSize },
): DeltaResult {
  const check = (size: number) => checkSize(size, type)
  const { size, fill } = checked(pack, delta, () => applyDelta(base, content, check))
  return { size, fill: (room) => checked(pack, delta, () => fill(room)) }
}

function checked<T>(pack: RandomAccessFile, { start }: PackDelta, work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    throw damaged(pack, start, error.message, error)
  }
}
