import { ArchiveError } from '../../base/errors.ts'
import type { Database } from '../../database/open-database.ts'
import type { ObjectStore } from '../objects/object-store.ts'
import { readPackEntry } from '../objects/pack-entry.ts'
import { createFileReader, type RandomAccessFile } from '../objects/random-access-file.ts'
import { type PackEntries, readPackEntries } from '../objects/read-whole-index.ts'
import { findPacks, gitPath } from '../objects/repository-files.ts'
import type { ObjectType } from '../parse/git-object.ts'
import { formatDistance, type PackWriter } from './pack-writer.ts'

/** A pack with the types of its objects, in its order. */
export interface OpenPack {
  file: RandomAccessFile
  entries: PackEntries
  /** Objects in the packs before it. */
  before: number
  types: Uint8Array
}

const TYPES: readonly ObjectType[] = ['commit', 'tree', 'blob', 'tag']

/** Chunks of packs that are held: they are read from start to end. */
const CHUNKS = 4

/** Opens the packs of a repository, largest first. Throws `git-object-damaged`. */
export function openPacks(database: Database, repository: string): OpenPack[] {
  const open = createFileReader(database, CHUNKS)
  let before = 0
  return findPacks(database, gitPath(repository, 'objects/pack/')).map(({ pack, index }) => {
    const entries = readPackEntries(open(index))
    if (typeof entries === 'string') {
      throw new ArchiveError('git-object-damaged', entries, { entry: index.path })
    }
    const opened = { file: open(pack), entries, before, types: new Uint8Array(entries.count) }
    before += entries.count
    return opened
  })
}

/** The types of all objects in the order of a pack, which remembers them. */
export function* readTypes(
  { file, entries, types }: OpenPack,
  objects: ObjectStore,
): Generator<{ oid: string; type: ObjectType }> {
  for (const [rank, place] of entries.order.entries()) {
    const oid = entries.oidAt(place)
    const { type, base } = readPackEntry(file, entries.offsets[place] as number)
    const known = typeof base === 'number' ? types[rankAt(entries, base)] : undefined
    const found = type ?? TYPES[known ?? -1] ?? objects.stream(oid).type
    types[rank] = TYPES.indexOf(found)
    yield { oid, type: found }
  }
}

/** The rank of the object that begins at an offset; -1 if none does. */
function rankAt({ order, offsets }: PackEntries, offset: number): number {
  let [low, high] = [0, order.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((offsets[order[middle] as number] as number) < offset) low = middle + 1
    else high = middle
  }
  return offsets[order[low] ?? -1] === offset ? low : -1
}

const PIECE = 2 ** 18

/** The objects that are not copied: they were replaced, or have been written already. */
export interface NotCopied {
  isReplaced(oid: string): boolean
  isWritten(oid: string): boolean
}

/** Copies all other objects as they are compressed, but for those whose delta base is gone. */
export async function copyOthers(
  { file, entries, before }: OpenPack,
  objects: ObjectStore,
  writer: PackWriter,
  { isReplaced, isWritten }: NotCopied,
): Promise<void> {
  const { order, offsets, count } = entries
  // The new offset of each object, by rank; 0 if it is in a pack before this one.
  const written = new Float64Array(count)
  const oidAtRank = (rank: number) => entries.oidAt(order[rank] as number)
  for (const [rank, place] of order.entries()) {
    const oid = entries.oidAt(place)
    if (objects.placeOf(oid) !== before + place || isWritten(oid) || isReplaced(oid)) continue
    const start = offsets[place] as number
    const end = rank + 1 < count ? (offsets[order[rank + 1] as number] as number) : file.size - 20
    const { base, data } = readPackEntry(file, start)
    const baseRank = typeof base === 'number' ? rankAt(entries, base) : -1
    const baseOid = typeof base === 'number' ? oidAtRank(baseRank) : base
    if (baseOid !== undefined && isReplaced(baseOid) && !isWritten(baseOid)) {
      written[rank] = await writeWhole(oid, objects, writer)
      continue
    }
    const head = file.read(start, data - start)
    const newHead =
      typeof base === 'number'
        ? headOfDelta(Buffer.from(head), {
            distance: writer.offset() - (written[baseRank] as number),
            base: (written[baseRank] as number) > 0 ? undefined : (baseOid as string),
          })
        : Buffer.from(head)
    written[rank] = writer.addPacked(oid, newHead, piecesOf(file, data, end))
  }
}

/** The head of a delta whose base is at another distance, or is named because it is in another pack than before. */
function headOfDelta(
  bytes: Buffer,
  { distance, base }: { distance: number; base: string | undefined },
): Buffer {
  const size = sizeBytes(bytes)
  if (base === undefined) {
    return Buffer.concat([bytes.subarray(0, size), formatDistance(distance)])
  }
  const first = ((bytes[0] as number) & 0x8f) | (NAMED_DELTA << 4)
  return Buffer.concat([Buffer.from([first]), bytes.subarray(1, size), Buffer.from(base, 'hex')])
}

function writeWhole(oid: string, objects: ObjectStore, writer: PackWriter): Promise<number> {
  const { type, size, content } = objects.stream(oid)
  if (Symbol.asyncIterator in content) return writer.addLarge(oid, type, size, content)
  return Promise.resolve(writer.addWhole(oid, type, content[0]))
}

const NAMED_DELTA = 7

/** The number of bytes that hold type and size. */
function sizeBytes(head: Buffer): number {
  let size = 1
  while ((head[size - 1] as number) > 127) size++
  return size
}

function* piecesOf(file: RandomAccessFile, from: number, end: number): Generator<Buffer> {
  for (let at = from; at < end; ) {
    const piece = file.read(at, Math.min(PIECE, end - at))
    if (piece.length === 0) return
    yield piece
    at += piece.length
  }
}
