import { createHash } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { crc32, createInflate, inflateSync } from 'node:zlib'
import { ArchiveError, throwIfInterrupted } from '../../base/errors.ts'
import { createObjectCache, LARGEST_CACHED } from '../objects/object-cache.ts'
import { createPackReader, type Unpacked } from '../objects/pack.ts'
import { damaged, readPackEntry } from '../objects/pack-entry.ts'
import type { RandomAccessFile } from '../objects/random-access-file.ts'
import { hashOf, idOf, sizeCheck } from '../parse/git-object.ts'
import { type PackedObjects, writePackIndex } from './pack-writer.ts'

/** A pack that was read to its end, and an index of it. */
export interface IndexedPack {
  /** The checksum of the pack, by which Git names it. */
  name: string
  index(): Generator<Buffer>
  objects: number
}

const HEADER = 12
const TRAILER = 20
const NAME = 20
/** Bytes that are read at a time. */
const PIECE = 2 ** 18
/** After this many objects, timers and signals get their turn. */
const TURN = 1000
/** Bytes of an object, at most. */
const MOST = 2 ** 31

/**
 * Makes the index of a pack, as `git index-pack` does. Reads it once to find its objects, and then what they are deltas of.
 * Memory: 40 bytes for each object, and the cache of delta bases.
 *
 * @throws `git-object-damaged`, `git-too-large`, `git-incomplete` for a pack whose deltas need objects of another one, or `interrupted`
 */
export async function indexPack(
  file: RandomAccessFile,
  signal: AbortSignal | undefined,
): Promise<IndexedPack> {
  const head = file.read(0, HEADER)
  const fail = (message: string) =>
    new ArchiveError('git-object-damaged', message, { entry: file.path })
  if (head.length < HEADER || head.toString('latin1', 0, 4) !== 'PACK')
    throw fail('this is no pack')
  if (![2, 3].includes(head.readUInt32BE(4))) throw fail('a pack of an unknown version')
  const count = head.readUInt32BE(8)
  // An object takes three bytes at least, so a wrong number asks for no memory.
  if (count > file.size / 3) throw fail(`a pack of ${file.size} bytes cannot have ${count} objects`)
  const found: PackedObjects = {
    names: Buffer.alloc(NAME * count),
    sums: new Uint32Array(count),
    offsets: new Float64Array(count),
    count,
  }
  const deltas: number[] = []
  let at = HEADER
  for (let i = 0; i < count; i++) {
    if (i % TURN === TURN - 1) await nextTurn()
    throwIfInterrupted(signal)
    const { type, size, data } = readPackEntry(file, at)
    sizeCheck(MOST, { entry: file.path })(size, type)
    const { packed, hash } = await inflateEntry(file, data, size)
    found.offsets[i] = at
    found.sums[i] = sumOf(file, at, data + packed)
    if (type === undefined) deltas.push(i)
    else found.names.write(await hash(type), NAME * i, 'hex')
    at = data + packed
  }
  if (at !== file.size - TRAILER) throw fail('it ends before its last object, or goes on behind it')
  const trailer = file.read(at, TRAILER)
  if (!checksumOf(file).equals(trailer)) throw fail('its checksum is wrong')
  await resolveDeltas(file, found, deltas, signal)
  return {
    name: trailer.toString('hex'),
    index: () => writePackIndex(found, trailer),
    objects: count,
  }
}

interface Inflated {
  /** Bytes in the pack. */
  packed: number
  hash(type: NonNullable<Unpacked['type']>): Promise<string>
}

async function inflateEntry(file: RandomAccessFile, data: number, size: number): Promise<Inflated> {
  if (size > LARGEST_CACHED) {
    const packed = await inflateLarge(file, data, size, () => {})
    return {
      packed,
      async hash(type) {
        const sum = createHash('sha1').update(`${type} ${size}\0`)
        await inflateLarge(file, data, size, (piece) => void sum.update(piece))
        return sum.digest('hex')
      },
    }
  }
  // Slightly more than zlib needs for incompressible data. Other programs may write more.
  for (let length = size + Math.ceil(size / 256) + 256; ; length *= 16) {
    const bytes = file.read(data, length)
    try {
      const { buffer, engine } = inflateSync(bytes, {
        info: true,
        maxOutputLength: Math.max(1, size),
        chunkSize: Math.min(Math.max(64, size + 1), 2 ** 20),
      }) as unknown as { buffer: Buffer; engine: { bytesWritten: number } }
      if (buffer.length !== size) {
        throw damaged(file, data, `it unpacks to ${buffer.length} bytes instead of ${size}`)
      }
      return { packed: engine.bytesWritten, hash: async (type) => idOf(type, buffer) }
    } catch (error) {
      if (error instanceof ArchiveError) throw error
      const { code, message } = error as NodeJS.ErrnoException
      if (code === 'Z_BUF_ERROR' && bytes.length === length && length < file.size) continue
      throw damaged(
        file,
        data,
        code === 'ERR_BUFFER_TOO_LARGE' ? `it unpacks to more than ${size} bytes` : message,
        error,
      )
    }
  }
}

/** Inflates a large object in pieces. Returns the bytes that it has in the pack. */
async function inflateLarge(
  file: RandomAccessFile,
  data: number,
  size: number,
  see: (piece: Buffer) => void,
): Promise<number> {
  const inflater = createInflate({ chunkSize: PIECE })
  let at = data
  let length = 0
  const feed = () => {
    for (;;) {
      const piece = file.read(at, PIECE)
      at += piece.length
      if (piece.length === 0) return void inflater.end()
      if (!inflater.write(piece)) return
    }
  }
  inflater.on('drain', feed)
  feed()
  try {
    for await (const piece of inflater as AsyncIterable<Buffer>) {
      length += piece.length
      if (length > size) throw damaged(file, data, `it unpacks to more than ${size} bytes`)
      see(piece)
    }
  } catch (error) {
    if (error instanceof ArchiveError) throw error
    throw damaged(file, data, (error as Error).message, error)
  } finally {
    inflater.off('drain', feed)
    inflater.destroy()
  }
  if (length === size) return inflater.bytesWritten
  throw damaged(file, data, `it unpacks to ${length} bytes instead of ${size}`)
}

function sumOf(file: RandomAccessFile, from: number, end: number): number {
  let sum = 0
  for (let at = from; at < end; at += PIECE) {
    sum = crc32(file.read(at, Math.min(PIECE, end - at)), sum)
  }
  return sum
}

function checksumOf(file: RandomAccessFile): Buffer {
  const sum = createHash('sha1')
  const end = file.size - TRAILER
  for (let at = 0; at < end; at += PIECE) sum.update(file.read(at, Math.min(PIECE, end - at)))
  return sum.digest()
}

/** Finds the ids of deltas. Those whose base is named by its id wait until the base has one. */
async function resolveDeltas(
  file: RandomAccessFile,
  found: PackedObjects,
  deltas: readonly number[],
  signal: AbortSignal | undefined,
): Promise<void> {
  let waiting = deltas
  const cache = createObjectCache<number, Unpacked>()
  while (waiting.length > 0) {
    const isWaiting = new Set(waiting)
    const known = Array.from({ length: found.count }, (_, i) => i).filter((i) => !isWaiting.has(i))
    const reader = createPackReader(
      file,
      inMemory(writePackIndex(chosen(found, known), Buffer.alloc(TRAILER))),
      {
        find: () => undefined,
        checkSize: sizeCheck(MOST, { entry: file.path }),
        cache,
        origin: 0,
      },
    )
    const left: number[] = []
    let fault: unknown
    for (const [n, i] of waiting.entries()) {
      if (n % TURN === TURN - 1) await nextTurn()
      throwIfInterrupted(signal)
      try {
        const { type, size, content } = reader.streamAt(found.offsets[i] as number)
        const oid =
          Symbol.asyncIterator in content
            ? await hashOf(type, size, content)
            : idOf(type, content[0])
        found.names.write(oid, NAME * i, 'hex')
      } catch (error) {
        if (!(error instanceof ArchiveError) || error.code !== 'git-object-damaged') throw error
        fault ??= error
        left.push(i)
      }
    }
    if (left.length === waiting.length) throw fault
    waiting = left
  }
}

/** Some of the objects of a pack. */
function chosen({ names, sums, offsets }: PackedObjects, places: readonly number[]): PackedObjects {
  return {
    names: Buffer.concat(places.map((i) => names.subarray(NAME * i, NAME * i + NAME))),
    sums: Uint32Array.from(places, (i) => sums[i] as number),
    offsets: Float64Array.from(places, (i) => offsets[i] as number),
    count: places.length,
  }
}

function inMemory(pieces: Iterable<Buffer>): RandomAccessFile {
  const bytes = Buffer.concat([...pieces])
  return {
    path: 'index',
    size: bytes.length,
    read: (at, length) => bytes.subarray(at, at + length),
  }
}
