import { createHash } from 'node:crypto'
import { closeSync, fsyncSync, openSync, writeSync } from 'node:fs'
import { constants, gzipSync, zstdCompressSync } from 'node:zlib'
import type { CompressionCodec, FileMetaData, PageHeader, SchemaElement } from 'hyparquet'
import type { ByteWriter } from 'hyparquet-writer'
import type { PageIndexes } from 'hyparquet-writer/src/types.js'
import { attemptSync } from '../../../files/attempt.ts'
import type { Compression } from '../../export-options.ts'
import type { Bound } from './bounds.ts'
import { BufferPool } from './growing-bytes.ts'
import type { Levels } from './levels.ts'

const CODECS = { zstd: 'ZSTD', snappy: 'SNAPPY', gzip: 'GZIP', none: 'UNCOMPRESSED' } as const

/** Bytes that wait until they are written to the file. */
const WRITE_SIZE = 64 * 1024

/** Bytes of a minimum or maximum: URLs of one host have much in common. */
const BOUND_LENGTH = 128

/** Imports the parts of the library that write the format. They take longer to load than many commands run. */
export async function loadLibrary() {
  const [
    { ByteWriter },
    { createBloomFilter, sbbfInsert, writeBlooms },
    { writePageHeader },
    { writeRleBitPackedHybrid },
    { writeIndexes },
    { writeMetadata },
    { snappyCompress },
    { unconvertMinMax },
    { default: loadHash },
  ] = await Promise.all([
    import('hyparquet-writer'),
    import('hyparquet-writer/src/bloom.js'),
    import('hyparquet-writer/src/datapage.js'),
    import('hyparquet-writer/src/encoding.js'),
    import('hyparquet-writer/src/indexes.js'),
    import('hyparquet-writer/src/metadata.js'),
    import('hyparquet-writer/src/snappy.js'),
    import('hyparquet-writer/src/unconvert.js'),
    import('xxhash-wasm'),
  ])
  const { h64Raw } = await loadHash()
  // For all files: a page of megabytes is made in it and compressed before the next one.
  const scratch = new ByteWriter(WRITE_SIZE)
  const pool = new BufferPool()
  return {
    ByteWriter,
    createBloomFilter,
    sbbfInsert,
    writeBlooms,
    writePageHeader,
    writeRleBitPackedHybrid,
    writeIndexes,
    writeMetadata,
    snappyCompress,
    unconvertMinMax,
    /** The hash of bloom filters. */
    hash: (bytes: Uint8Array): bigint => h64Raw(bytes),
    scratch,
    pool,
  }
}

export type ParquetLibrary = Awaited<ReturnType<typeof loadLibrary>>

/** A page: its header and its compressed content, until the next one is made, and its bytes before compression. */
export interface EncodedPage {
  readonly pieces: readonly [header: Uint8Array, content: Uint8Array]
  readonly uncompressed: number
}

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
  /** Compresses a page and puts its header before it. */
  encodePage(content: Uint8Array, header: Omit<PageHeader, `${string}_page_size`>): EncodedPage
  append(bytes: Uint8Array): void
  /** Writes the bloom filters of a row group, and notes in their chunks where they are. */
  bloomFilters(filters: readonly PageIndexes[]): void
  /** A bound as indexes have it: long texts are cut, the greatest one to a text behind it. */
  boundBytes(bound: Bound, element: SchemaElement, isGreatest: boolean): Uint8Array
  /** Writes indexes and metadata, and waits for the disk unless the file is temporary. */
  finish(
    metadata: Omit<FileMetaData, 'metadata_length'>,
    indexes: readonly PageIndexes[],
  ): { bytes: number; sha256: string }
  /** Closes a file without completing it. */
  abandon(): void
}

/** Creates the file. Throws `output-exists`, `output-full` or `output-refused`. */
export function createParquetOutput(
  library: ParquetLibrary,
  path: string,
  { compression, isTemporary }: { compression: Compression; isTemporary: boolean },
): ParquetOutput {
  const { ByteWriter, writePageHeader, writeRleBitPackedHybrid, scratch } = library
  const file = attemptSync(path, () => openSync(path, 'wx', 0o666))
  const hash = createHash('sha256')
  const out = new ByteWriter(0)
  const headers = new ByteWriter()
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
    encodePage(content, description) {
      const compressed = compress(content)
      headers.index = 0
      writePageHeader(headers, {
        ...description,
        uncompressed_page_size: content.length,
        compressed_page_size: compressed.length,
      })
      const header = headers.getBytes()
      return { pieces: [header, compressed], uncompressed: header.length + content.length }
    },
    append,
    bloomFilters(filters) {
      library.writeBlooms(out, [...filters])
      drain()
    },
    boundBytes: (bound, element, isGreatest) =>
      library.unconvertMinMax(bound, element, isGreatest, BOUND_LENGTH) as Uint8Array,
    finish(metadata, indexes) {
      library.writeIndexes(out, [...indexes])
      library.writeMetadata(out, { ...metadata, metadata_length: 0 }, BOUND_LENGTH)
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
