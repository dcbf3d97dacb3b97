import { createHash } from 'node:crypto'
import { closeSync, openSync, readSync, writeSync } from 'node:fs'
import { Readable } from 'node:stream'
import { crc32, createDeflate, deflateSync } from 'node:zlib'
import type { Bytes } from '../../base/streams.ts'
import { attemptSync } from '../../files/attempt.ts'
import type { ObjectType } from '../parse/git-object.ts'

/** A pack that was written, with its index. Its bytes can be read again and again */
export interface WrittenPack {
  /** The checksum of the pack, by which Git names it. */
  name: string
  objects: number
  /** With `room` each piece is a part of it, and there until the next one: memory of their own would wait to be collected. */
  pack(room?: Buffer): Generator<Buffer>
  index(): Generator<Buffer>
}

/** Writes a pack to a temporary file. */
export interface PackWriter {
  /** Adds an object that is stored whole. Returns its offset. */
  addWhole(oid: string, type: ObjectType, content: Uint8Array): number
  /** The same with a content of any size that comes in pieces. */
  addLarge(oid: string, type: ObjectType, size: number, content: Bytes): Promise<number>
  /** Adds an object from its bytes in another pack, begun with `head`. Returns its offset. */
  addPacked(oid: string, head: Buffer, compressed: Iterable<Buffer>): number
  /** Where the next object begins. */
  offset(): number
  finish(): WrittenPack
  close(): void
}

const HEADER = 12
const NAME = 20
const PIECE = 2 ** 20
const CODES: Readonly<Record<ObjectType, number>> = { commit: 1, tree: 2, blob: 3, tag: 4 }

/** Objects for which there is room at first. */
const ROOM = 1024

/** Creates a writer. Memory: up to 72 bytes for each object. */
export function createPackWriter(path: string): PackWriter {
  const file = attemptSync(path, () => openSync(path, 'wx+', 0o600))
  let names = Buffer.alloc(NAME * ROOM)
  let sums = new Uint32Array(ROOM)
  let offsets = new Float64Array(ROOM)
  let count = 0
  let size = 0
  const makeRoom = () => {
    if (count < sums.length) return
    const double = <T extends Uint8Array | Uint32Array | Float64Array>(from: T, to: T): T => {
      to.set(from)
      return to
    }
    names = double(names, Buffer.alloc(2 * names.length))
    sums = double(sums, new Uint32Array(2 * sums.length))
    offsets = double(offsets, new Float64Array(2 * offsets.length))
  }
  const write = (bytes: Buffer) => {
    for (let at = 0; at < bytes.length; ) {
      at += attemptSync(path, () => writeSync(file, bytes, at, bytes.length - at, size + at))
    }
    size += bytes.length
  }
  function* body(room?: Buffer): Generator<Buffer> {
    for (let at = 0; at < size; ) {
      const piece = room ?? Buffer.allocUnsafe(Math.min(PIECE, size - at))
      const read = readSync(file, piece, 0, Math.min(piece.length, size - at), at)
      yield piece.subarray(0, read)
      at += read
    }
  }
  /** Begins an object; the pieces of it follow, and its end. */
  const begin = (oid: string, head: Buffer) => {
    makeRoom()
    const offset = HEADER + size
    let sum = crc32(head)
    write(head)
    return {
      see(piece: Buffer) {
        sum = crc32(piece, sum)
        write(piece)
      },
      end(): number {
        names.write(oid, NAME * count, 'hex')
        sums[count] = sum
        offsets[count++] = offset
        return offset
      },
    }
  }
  const addPacked: PackWriter['addPacked'] = (oid, head, compressed) => {
    const { see, end } = begin(oid, head)
    for (const piece of compressed) see(piece)
    return end()
  }
  return {
    addPacked,
    addWhole: (oid, type, content) =>
      addPacked(oid, headOf(CODES[type], content.length), [deflated(content)]),
    async addLarge(oid, type, length, content) {
      const { see, end } = begin(oid, headOf(CODES[type], length))
      const deflated = Readable.from(content).compose(createDeflate()) as AsyncIterable<Buffer>
      for await (const piece of deflated) see(piece)
      return end()
    },
    offset: () => HEADER + size,
    finish() {
      const header = Buffer.alloc(HEADER)
      header.write('PACK')
      header.writeUInt32BE(2, 4)
      header.writeUInt32BE(count, 8)
      const hash = createHash('sha1').update(header)
      for (const piece of body(Buffer.allocUnsafe(PIECE))) hash.update(piece)
      const trailer = hash.digest()
      return {
        name: trailer.toString('hex'),
        objects: count,
        *pack(room) {
          yield header
          yield* body(room)
          yield trailer
        },
        index: () => writePackIndex({ names, sums, offsets, count }, trailer),
      }
    },
    close: () => closeSync(file),
  }
}

/** Compresses a content into no more room than it needs: most objects are small, and the room of each waits to be collected. */
function deflated(content: Uint8Array): Buffer {
  return deflateSync(content, { chunkSize: Math.min(content.length + 64, 2 ** 14) })
}

/** The first bytes of a packed object: its type and size. */
function headOf(code: number, size: number): Buffer {
  const bytes: number[] = []
  let rest = Math.floor(size / 16)
  let byte = (code << 4) | (size % 16)
  while (rest > 0) {
    bytes.push(byte | 128)
    byte = rest % 128
    rest = Math.floor(rest / 128)
  }
  return Buffer.from([...bytes, byte])
}

/** The distance of a delta to its base, as packs write it. */
export function formatDistance(distance: number): Buffer {
  const bytes = [distance % 128]
  for (let rest = Math.floor(distance / 128); rest > 0; rest = Math.floor(rest / 128)) {
    rest--
    bytes.unshift((rest % 128) | 128)
  }
  return Buffer.from(bytes)
}

/** The objects of a pack: their ids, 20 bytes each, the CRC-32 of what is packed of each, and where it begins. */
export interface PackedObjects {
  names: Buffer
  sums: Uint32Array
  offsets: Float64Array
  count: number
}

const LARGE = 0x80000000

/** An index of version 2: counts by first byte, names, checksums and offsets, by name. */
export function* writePackIndex(
  { names, sums, offsets, count }: PackedObjects,
  pack: Buffer,
): Generator<Buffer> {
  const oidAt = (i: number) => names.subarray(NAME * i, NAME * i + NAME)
  const order = Uint32Array.from({ length: count }, (_, i) => i)
  order.sort((a, b) => oidAt(a).compare(oidAt(b)))
  const upTo = new Uint32Array(256)
  for (const i of order) upTo.fill((upTo[oidAt(i)[0] as number] as number) + 1, oidAt(i)[0])
  const large: number[] = []
  const offsetOf = (i: number): number => {
    const offset = offsets[i] as number
    if (offset < LARGE) return offset
    large.push(offset)
    return LARGE + large.length - 1
  }
  function* parts(): Generator<Buffer> {
    yield Buffer.from([0xff, 0x74, 0x4f, 0x63, 0, 0, 0, 2])
    yield numbers([...upTo])
    for (const part of inParts(order)) yield Buffer.concat([...part].map(oidAt))
    for (const part of inParts(order)) yield numbers([...part].map((i) => sums[i] as number))
    for (const part of inParts(order)) yield numbers([...part].map(offsetOf))
    for (const offset of large) {
      const bytes = Buffer.alloc(8)
      bytes.writeBigUInt64BE(BigInt(offset))
      yield bytes
    }
    yield pack
  }
  const hash = createHash('sha1')
  for (const part of parts()) {
    hash.update(part)
    yield part
  }
  yield hash.digest()
}

const PART = 10_000

function* inParts(order: Uint32Array): Generator<Uint32Array> {
  for (let at = 0; at < order.length; at += PART) yield order.subarray(at, at + PART)
}

function numbers(values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(4 * values.length)
  values.forEach((value, i) => void bytes.writeUInt32BE(value, 4 * i))
  return bytes
}
