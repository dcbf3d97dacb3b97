import type { CheckSize } from './check-size.ts'
import type { GitObject, ObjectType } from './git-object.ts'
import { inflate, inflateHead } from './inflate.ts'
import { inMemory, type KeptBytes } from './keep-bytes.ts'
import { type Made, openDelta, readDeltaHead } from './open-delta.ts'
import { damaged, type PackEntry, readPackEntry } from './read-pack-entry.ts'
import type { StoredFile } from './stored-file.ts'

/** An object that is stored as what is different from another one, and where that begins in the pack. */
export type PackDelta = PackEntry & { start: number }

/** Bytes of the object, as the delta says. Throws `git-object-damaged`. */
export const sizeOfDelta = (pack: StoredFile, delta: PackDelta): number =>
  checked(pack, delta, () => readDeltaHead(inMemory(inflateHead(pack, delta.data, 32))).size)

/** Bytes of the object that begins at `start`, without reading it. Throws `git-object-damaged`. */
export function sizeInPack(pack: StoredFile, start: number): number {
  const entry = readPackEntry(pack, start)
  return entry.type === undefined ? sizeOfDelta(pack, { ...entry, start }) : entry.size
}

/** Makes the object of the one that it is like, as `openDelta` does. Throws `git-object-damaged`. */
export function openPackDelta(
  pack: StoredFile,
  delta: PackDelta,
  { type, content: base }: Omit<GitObject, 'oid'>,
  checkSize: CheckSize,
): Made {
  checkSize(delta.size, type)
  const content = inMemory(inflate(pack, delta.data, delta.size))
  return openKeptDelta(pack, delta, { base: inMemory(base), content, type, checkSize })
}

/** The same of bytes that are kept somewhere. */
export function openKeptDelta(
  pack: StoredFile,
  delta: PackDelta,
  {
    base,
    content,
    type,
    checkSize,
  }: { base: KeptBytes; content: KeptBytes; type: ObjectType; checkSize: CheckSize },
): Made {
  const check = (size: number) => checkSize(size, type)
  const { size, fill } = checked(pack, delta, () => openDelta(base, content, check))
  return { size, fill: (room) => checked(pack, delta, () => fill(room)) }
}

function checked<T>(pack: StoredFile, { start }: PackDelta, work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    throw damaged(pack, start, error.message, error)
  }
}
