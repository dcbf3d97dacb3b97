import { closeSync, openSync, readSync } from 'node:fs'
import { ArchiveError } from '../../base/errors.ts'
import { attemptSync } from '../../files/attempt.ts'
import { createObjectCache } from '../../git/objects/object-cache.ts'
import type { ObjectStore } from '../../git/objects/object-store.ts'
import { createPackReader, type Unpacked } from '../../git/objects/pack.ts'
import type { RandomAccessFile } from '../../git/objects/random-access-file.ts'
import { checkObject, sizeCheck } from '../../git/parse/git-object.ts'

/** A file of the disk that is read in blocks. */
export interface PlainFile extends RandomAccessFile {
  close(): void
}

/**
 * Opens a file. Reads that follow each other come from the same block.
 *
 * @param entry its name for messages
 * @param blockSize bytes that are read at a time
 */
export function openPlainFile(
  path: string,
  size: number,
  entry: string,
  blockSize = BLOCK,
): PlainFile {
  const file = attemptSync(path, () => openSync(path, 'r'))
  let block = Buffer.alloc(0)
  let start = 0
  return {
    path: entry,
    size,
    read(at, length) {
      if (at < start || at + length > start + block.length) {
        const most = Math.min(Math.max(length, blockSize), size - at)
        const room = Buffer.allocUnsafe(Math.max(0, most))
        const found =
          room.length === 0 ? 0 : attemptSync(path, () => readSync(file, room, 0, room.length, at))
        block = room.subarray(0, found)
        start = at
      }
      return block.subarray(at - start, at - start + length)
    },
    close: () => closeSync(file),
  }
}

const BLOCK = 2 ** 20

export async function* piecesOf(file: RandomAccessFile): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < file.size; at += BLOCK) yield Buffer.from(file.read(at, BLOCK))
}

/** Larger objects are not read. */
const MOST = 16 * 2 ** 20

/** The objects of one pack. Reading throws `git-object-missing`, `git-object-damaged` or `git-too-large`. */
export function objectsOf(
  pack: RandomAccessFile,
  index: RandomAccessFile,
): Pick<ObjectStore, 'read'> {
  const place = { entry: pack.path }
  const reader = createPackReader(pack, index, {
    find: () => undefined,
    checkSize: sizeCheck(MOST, place),
    cache: createObjectCache<number, Unpacked>(),
    origin: 0,
  })
  return {
    read(oid) {
      const found = reader.find(oid)
      if (found) return checkObject({ oid, ...found }, place)
      throw new ArchiveError('git-object-missing', `there is no object ${oid}`, place)
    },
  }
}
