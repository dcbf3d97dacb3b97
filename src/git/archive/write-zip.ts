import { isUtf8 } from 'node:buffer'
import { pipeline, Readable } from 'node:stream'
import { crc32, createDeflateRaw, deflateRawSync } from 'node:zlib'
import { createCentralDirectory } from './central-directory.ts'
import type { RevisionEntry } from './list-entries.ts'
import type { Archived } from './write-tar.ts'
import { isLarge, localHeader, SIZES_FOLLOW, type ZipFile } from './zip-header.ts'

const UTF8 = 0x800
const STORED = 0
const DEFLATED = 8
const LARGEST_CHUNK = 2 ** 16

/** Writes entries as a zip, with times in UTC, and the id of the commit as its comment, as `git archive` does. */
export async function* writeZip(
  entries: AsyncIterable<RevisionEntry>,
  { commit, seconds }: Archived,
): AsyncGenerator<Uint8Array> {
  const directory = createCentralDirectory()
  let offset = 0
  try {
    for await (const entry of entries) {
      const file: ZipFile = {
        path: entry.path,
        seconds,
        offset,
        flags: isUtf8(entry.path) ? UTF8 : 0,
        method: STORED,
        crc: 0,
        packed: 0,
        size: entry.object.size,
        attributes: attributesOf(entry),
      }
      for await (const bytes of writeFile(file, entry.object.content)) {
        offset += bytes.length
        yield bytes
      }
      directory.add(file)
    }
    yield* directory.read(offset, commit)
  } finally {
    directory.close()
  }
}

/** The local header and content of a file. Completes what only its content tells. */
async function* writeFile(
  file: ZipFile,
  content: RevisionEntry['object']['content'],
): AsyncGenerator<Buffer> {
  if (Symbol.asyncIterator in content) return yield* writeLarge(file, content)
  const [whole] = content
  file.crc = crc32(whole)
  // By default every file would take a buffer of 16 KiB, which thousands of small files keep until they are collected.
  const chunkSize = Math.min(Math.max(64, whole.length), LARGEST_CHUNK)
  const deflated = whole.length === 0 ? whole : deflateRawSync(whole, { chunkSize })
  const isSmaller = deflated.length < whole.length
  file.method = isSmaller ? DEFLATED : STORED
  file.packed = isSmaller ? deflated.length : whole.length
  yield Buffer.concat([localHeader(file), isSmaller ? deflated : whole])
}

/** Writes a file that is too large to be held: its checksum and sizes follow it. */
async function* writeLarge(file: ZipFile, content: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  file.method = DEFLATED
  file.flags |= SIZES_FOLLOW
  yield localHeader(file)
  async function* summed() {
    for await (const piece of content) {
      file.crc = crc32(piece, file.crc)
      yield piece
    }
  }
  const deflater = createDeflateRaw({ chunkSize: 256 * 2 ** 10 })
  // Errors of reading are thrown by the deflater.
  pipeline(Readable.from(summed(), { highWaterMark: 1 }), deflater, () => {})
  try {
    for await (const bytes of deflater as AsyncIterable<Buffer>) {
      file.packed += bytes.length
      yield bytes
    }
  } finally {
    deflater.destroy()
  }
  const isLong = isLarge(file)
  const end = Buffer.alloc(isLong ? 24 : 16)
  end.writeUInt32LE(0x08074b50)
  end.writeUInt32LE(file.crc, 4)
  if (isLong) {
    end.writeBigUInt64LE(BigInt(file.packed), 8)
    end.writeBigUInt64LE(BigInt(file.size), 16)
  } else {
    end.writeUInt32LE(file.packed, 8)
    end.writeUInt32LE(file.size, 12)
  }
  yield end
}

function attributesOf({ type, mode }: RevisionEntry): number {
  if (type === 'folder') return 0x10
  return (type === 'link' ? 0o120777 : 0o100000 | mode) * 0x10000
}
