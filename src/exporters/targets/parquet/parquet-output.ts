import { createHash } from 'node:crypto'
import { closeSync, fsyncSync, openSync, writeSync } from 'node:fs'
import { constants, gzipSync, zstdCompressSync } from 'node:zlib'
import type { CompressionCodec, FileMetaData, PageHeader } from 'hyparquet'
import type { ByteWriter } from 'hyparquet-writer'
import { attemptSync } from '../../../files/write-file.ts'
import type { Compression } from '../../export-options.ts'
import { BufferPool } from './growing-bytes.ts'
import type { Levels } from './levels.ts'

const CODECS = { zstd: 'ZSTD', snappy: 'SNAPPY', gzip: 'GZIP', none: 'UNCOMPRESSED' } as const

/** Bytes that wait until they are written to the file. */
const WRITE_SIZE = 64 * 1024

/** Bytes of a minimum or maximum: URLs of one host have much in common. */
const STATISTICS_LENGTH = 128

/** Imports the parts of the library that write the format. They take longer to load than many commands run. */
export async function loadLibrary() {
  const [
    { ByteWriter },
    { writePageHeader },
    { writeRleBitPackedHybrid },
    { writeMetadata },
    snappy,
  ] = await Promise.all([
    import('hyparquet-writer'),
    import('hyparquet-writer/src/datapage.js'),
    import('hyparquet-writer/src/encoding.js'),
    import('hyparquet-writer/src/metadata.js'),
    import('hyparquet-writer/src/snappy.js'),
  ])
  const { snappyCompress } = snappy
  // For all files: a page of megabytes is made in it and compressed before the next one.
  const scratch = new ByteWriter(WRITE_SIZE)
  const pool = new BufferPool()
  return {
    ByteWriter,
    writePageHeader,
    writeRleBitPackedHybrid,
    writeMetadata,
    snappyCompress,
    scratch,
    pool,
  }
}

export type ParquetLibrary = Awaited<ReturnType<typeof loadLibrary>>

/** A Parquet file as bytes: pages, then the metadata. */
export interface ParquetOutput {
  readonly codec: CompressionCodec
  /** Bytes so far. */
  readonly offset: number
  /** Begins the content of a page. It holds until the next one is begun. */
  beginPage(): ByteWriter
  /** Adds levels to the page. */
  levels(levels: Levels, highest: number): void
  /** Adds numbers of `width` bits to the page. */
  runs(numbers: Uint16Array, width: number): void
  /** Writes a page, compressed, after its header. Returns its bytes before compression. */
  page(content: Uint8Array, header: Omit<PageHeader, `${string}_page_size`>): number
  /** Writes the metadata, and waits for the disk unless the file is temporary. */
  finish(metadata: Omit<FileMetaData, 'metadata_length'>): { bytes: number; sha256: string }
  /** Closes a file without completing it. */
  abandon(): void
}

/** Creates the file. Throws `output-exists`, `output-full` or `output-refused`. */
export function createParquetOutput(
  library: ParquetLibrary,
  path: string,
  { compression, isTemporary }: { compression: Compression; isTemporary: boolean },
): ParquetOutput {
  const { ByteWriter, writePageHeader, writeRleBitPackedHybrid, writeMetadata, scratch } = library
  const file = attemptSync(path, () => openSync(path, 'wx', 0o666))
  const hash = createHash('sha256')
  const out = new ByteWriter(0)
  const write = (bytes: Uint8Array) => {
    hash.update(bytes)
    for (let at = 0; at < bytes.length; ) {
      at += attemptSync(path, () => writeSync(file, bytes, at))
    }
  }
  const drain = () => {
    write(out.getBytes())
    out.index = 0
  }
  const append = (bytes: Uint8Array) => {
    if (out.index + bytes.length > WRITE_SIZE) drain()
    if (bytes.length <= WRITE_SIZE) return out.appendBytes(bytes)
    write(bytes)
    out.offset += bytes.length
  }
  const compress = compressorOf(library, compression)
  const mark = new Uint8Array(Buffer.from('PAR1'))
  append(mark)
  return {
    codec: CODECS[compression],
    get offset() {
      return out.offset
    },
    beginPage() {
      scratch.index = 0
      return scratch
    },
    levels(levels, highest) {
      const at = scratch.index
      scratch.appendUint32(0)
      if (levels.only === undefined) writeRleBitPackedHybrid(scratch, levels.bytes, bitsOf(highest))
      else {
        scratch.appendVarInt(levels.length << 1)
        scratch.appendUint8(levels.only)
      }
      scratch.view.setUint32(at, scratch.index - at - 4, true)
    },
    runs: (numbers, width) =>
      // Its type leaves out arrays of 16 bits.
      void writeRleBitPackedHybrid(scratch, numbers as unknown as Uint32Array, width),
    page(content, header) {
      const compressed = compress(content)
      const begin = out.offset
      writePageHeader(out, {
        ...header,
        uncompressed_page_size: content.length,
        compressed_page_size: compressed.length,
      })
      const headerSize = out.offset - begin
      append(compressed)
      return headerSize + content.length
    },
    finish(metadata) {
      writeMetadata(out, { ...metadata, metadata_length: 0 }, STATISTICS_LENGTH)
      append(mark)
      drain()
      if (!isTemporary) attemptSync(path, () => fsyncSync(file))
      closeSync(file)
      return { bytes: out.offset, sha256: hash.digest('hex') }
    },
    abandon: () => closeSync(file),
  }
}

/** The bits of the largest number. */
export const bitsOf = (highest: number): number => 32 - Math.clz32(highest)

function compressorOf(
  { snappyCompress }: ParquetLibrary,
  compression: Compression,
): (bytes: Uint8Array) => Uint8Array {
  switch (compression) {
    case 'zstd':
      return (bytes) =>
        zstdCompressSync(bytes, { params: { [constants.ZSTD_c_compressionLevel]: 3 } })
    case 'gzip':
      return (bytes) => gzipSync(bytes)
    case 'snappy':
      return snappyCompress
    case 'none':
      return (bytes) => bytes
  }
}
