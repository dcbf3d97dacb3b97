import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createInflate, inflateSync } from 'node:zlib'
import { ArchiveError } from '../../../base/errors.ts'
import { asBytes, type Bytes } from '../../../base/streams.ts'
import type { Database } from '../../../database/open-database.ts'
import { createObjectCache } from '../../../git/objects/object-cache.ts'
import { createObjectStore, streamLooseObject } from '../../../git/objects/object-store.ts'
import { createPackReader, type Pack, type Unpacked } from '../../../git/objects/pack.ts'
import { readPackEntry } from '../../../git/objects/pack-entry.ts'
import { createFileReader, type RandomAccessFile } from '../../../git/objects/random-access-file.ts'
import {
  findPacks,
  gitPath,
  listObjectFiles,
  type ObjectFile,
} from '../../../git/objects/repository-files.ts'
import { hashOf, type ObjectType, sizeCheck } from '../../../git/parse/git-object.ts'

/** An object in the bytes of a repository. */
export interface StoredObject {
  type: ObjectType
  size: number
  /** Reads it from its beginning, as often as it is called. */
  read(): Bytes
}

/** Packs have a header of twelve bytes, which ends with the number of objects, and end with a checksum. */
const HEADER = 12
const TRAILER = 20
/** What is held of packs, which are read from start to end: deltas are near their bases. */
const HELD = { chunks: 8, objects: 16 * 2 ** 20 }

/**
 * All objects of a repository, whether or not a ref leads to them: each pack from its first byte to its last, and each file of a loose
 * object. What an index or the writer of a pack says of it does not count, so one that neither names is seen as well.
 * Throws `redaction-incomplete` if a pack cannot be read so, and as `ObjectStore.read` does.
 */
export async function* storedObjects(
  database: Database,
  repository: string,
): AsyncGenerator<StoredObject> {
  const openFile = createFileReader(database, HELD.chunks)
  const open = ({ id, entry, size }: ObjectFile) => openFile({ id, path: entry, size, stored: 1 })
  const indexed = new Map(
    findPacks(database, gitPath(repository, 'objects/pack/')).map(({ pack, index }) => [
      pack.path,
      openFile(index),
    ]),
  )
  const store = createObjectStore(database, repository, {}, { inOrder: true })
  const elsewhere = {
    find: (oid: string) => (store.has(oid) ? store.read(oid) : undefined),
    cache: createObjectCache<number, Unpacked>(HELD.objects),
  }
  let origin = 0
  for (const file of listObjectFiles(database, repository)) {
    const bytes = open(file)
    const checkSize = sizeCheck(Number.POSITIVE_INFINITY, { entry: file.entry })
    if (file.path.endsWith('.pack')) {
      const index = indexed.get(file.entry)
      if (!index) throw unread(file.entry, 'it has no index')
      const pack = createPackReader(bytes, index, { ...elsewhere, checkSize, origin })
      origin += file.size
      yield* packedObjects(bytes, pack)
    } else if (!file.path.endsWith('.idx')) {
      const stream = () => streamLooseObject(bytes, checkSize)
      yield readable(stream(), stream)
    }
  }
}

async function* packedObjects(file: RandomAccessFile, pack: Pack): AsyncGenerator<StoredObject> {
  const header = file.read(0, HEADER)
  if (header.toString('latin1', 0, 4) !== 'PACK') throw unread(file.path, 'it is no pack')
  let at = HEADER
  for (let left = header.readUInt32BE(8); left > 0; left--) {
    const start = at
    const stream = () => pack.streamAt(start)
    yield readable(stream(), stream)
    const { data, size } = readPackEntry(file, start)
    at = await endOf(file, data, size)
  }
  if (at !== file.size - TRAILER) throw unread(file.path, `it has other bytes at ${at}`)
}

type Streamed = ReturnType<Pack['streamAt']>

/** A small content is held. */
const readable = ({ type, size, content }: Streamed, open: () => Streamed): StoredObject => ({
  type,
  size,
  read: () => asBytes(Symbol.asyncIterator in content ? open().content : content),
})

const unread = (entry: string, why: string) =>
  new ArchiveError('redaction-incomplete', `a pack could not be searched: ${why}`, { entry })

/** The id of an object. */
export const idOfStored = ({ type, size, read }: StoredObject): Promise<string> =>
  hashOf(type, size, read())

const PIECE = 2 ** 18

/** Where the compressed data end that begin at a place. */
async function endOf(file: RandomAccessFile, at: number, size: number): Promise<number> {
  const usual = size + Math.ceil(size / 256) + 256
  if (usual <= PIECE) {
    try {
      // No more room than it needs: most objects are small, and the room of each waits to be collected.
      const options = { info: true, chunkSize: Math.max(64, size + 1) }
      const { engine } = inflateSync(file.read(at, usual), options) as unknown as Inflated
      return at + engine.bytesWritten
    } catch {
      // Data may be compressed badly, and have more bytes than expected.
    }
  }
  const inflater = createInflate()
  const pieces = piecesFrom(file, at, () => inflater.readableEnded)
  await pipeline(Readable.from(pieces, { highWaterMark: 1 }), inflater, drop)
  return at + inflater.bytesWritten
}

/** What zlib tells of its work. */
interface Inflated {
  engine: { bytesWritten: number }
}

async function drop(pieces: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of pieces);
}

function* piecesFrom(
  file: RandomAccessFile,
  from: number,
  isEnough: () => boolean,
): Generator<Buffer> {
  for (let at = from; at < file.size && !isEnough(); at += PIECE) yield file.read(at, PIECE)
}
