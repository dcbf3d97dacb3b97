import { createHash } from 'node:crypto'
import { closeSync, fsyncSync, openSync, writeSync } from 'node:fs'
import { constants, gzipSync, zstdCompressSync } from 'node:zlib'
import type { ColumnSource, SchemaElement, Writer } from 'hyparquet-writer'
import { attemptSync } from '../../files/write-file.ts'
import type { ExportColumn, ExportType } from '../column-types.ts'
import type { Compression } from '../export-options.ts'
import type { ExportRow } from '../table.ts'
import type { TypedValue } from '../to-typed.ts'

const CODECS = { zstd: 'ZSTD', snappy: 'SNAPPY', gzip: 'GZIP', none: 'UNCOMPRESSED' } as const

const COMPRESSORS = {
  ZSTD: (bytes: Uint8Array) =>
    zstdCompressSync(bytes, { params: { [constants.ZSTD_c_compressionLevel]: 3 } }),
  GZIP: (bytes: Uint8Array) => gzipSync(bytes),
}

/** Rows of a row group, at most. */
const MOST_ROWS = 100_000

/**
 * Bytes of the rows of a row group in memory, at most. It is a limit per file, so that the same rows make the same row
 * groups, in whichever order the tables of an archive come.
 */
const MOST_BYTES = 4 * 2 ** 20

export interface ParquetFile {
  add(row: ExportRow): void
  /** Approximate bytes of the rows that wait for their row group. */
  readonly buffered: number
  /** Writes the rows that wait as a row group. */
  flush(): void
  /** Writes the rest and the footer, and waits for the disk. */
  finish(): { rows: number; bytes: number; sha256: string }
  /** Closes a file that nobody wants any more. */
  abandon(): void
}

type Library = typeof import('hyparquet-writer')

/** Imports the library that encodes Parquet. It takes longer to load than many a command. */
export const loadLibrary = (): Promise<Library> => import('hyparquet-writer')

/**
 * Creates a Parquet file. Rows keep their order; a row group ends at 100,000 rows or 4 MiB in memory. Throws
 * `output-exists`, `output-full` or `output-refused`.
 */
export function createParquetFile(
  { ParquetWriter, ByteWriter }: Library,
  path: string,
  columns: readonly ExportColumn[],
  compression: Compression,
): ParquetFile {
  const file = attemptSync(path, () => openSync(path, 'wx', 0o666))
  const hash = createHash('sha256')
  let bytes = 0
  const out = new ByteWriter(WRITE_SIZE)
  const drain = () => {
    const piece = new Uint8Array(out.buffer, 0, out.index)
    hash.update(piece)
    for (let at = 0; at < piece.length; ) {
      at += attemptSync(path, () => writeSync(file, piece, at))
    }
    bytes += piece.length
    out.index = 0
  }
  const grow = out.ensure.bind(out)
  const writer: Writer = Object.assign(out, {
    ensure(size: number) {
      if (out.index > WRITE_SIZE) drain()
      grow(size)
    },
    flush: drain,
    finish: drain,
  })
  const schema = schemaOf(columns)
  const parquet = new ParquetWriter({
    ...{ writer, schema },
    codec: CODECS[compression],
    compressors: COMPRESSORS,
    statistics: false,
    createdBy: 'migration-archive',
  })
  let waiting: TypedValue[][] = columns.map(() => [])
  let rows = 0
  let buffered = 0
  const flush = () => {
    const length = waiting[0]?.length ?? 0
    if (length === 0) return
    const columnData = columns.map(
      ({ name, type }, i): ColumnSource => ({
        name,
        data: physicalOf(type, waiting[i] as TypedValue[]) as never,
        statistics: isFiltered(name),
      }),
    )
    parquet.write({ columnData, rowGroupSize: length })
    waiting = columns.map(() => [])
    buffered = 0
  }
  return {
    add(row) {
      for (let i = 0; i < columns.length; i++) {
        const value = row[i] as TypedValue
        waiting[i]?.push(value)
        buffered += sizeOf(value)
      }
      rows++
      if (waiting[0]?.length === MOST_ROWS || buffered >= MOST_BYTES) flush()
    },
    get buffered() {
      return buffered
    },
    flush,
    finish() {
      flush()
      // DuckDB takes a column for JSON by its converted type alone. Before, the library would print such values again.
      for (const element of schema) {
        if (element.logical_type?.type === 'JSON') element.converted_type = 'JSON'
      }
      parquet.finish()
      attemptSync(path, () => fsyncSync(file))
      closeSync(file)
      return { rows, bytes, sha256: hash.digest('hex') }
    },
    abandon: () => closeSync(file),
  }
}

const WRITE_SIZE = 2 ** 20

/** Readers skip row groups by minimum and maximum of the columns that people filter by. */
const isFiltered = (name: string): boolean =>
  /^(?:url|repository|full_name|number|created_at|updated_at|event)$|_login$/.test(name)

/** Approximate bytes of a value in memory. */
function sizeOf(value: TypedValue): number {
  if (typeof value === 'string') return 24 + value.length
  if (typeof value !== 'object' || value === null) return 8
  let size = 48
  for (const part of Array.isArray(value) ? value : Object.values(value)) size += sizeOf(part)
  return size
}

function schemaOf(columns: readonly ExportColumn[]): SchemaElement[] {
  const elements = columns.flatMap(({ name, type }) => elementsOf(name, type))
  return [{ name: 'root', num_children: columns.length }, ...elements]
}

/** A column in the words of Parquet, with its nested columns after it. */
function elementsOf(name: string, type: ExportType, isNested = false): SchemaElement[] {
  const optional = { name, repetition_type: 'OPTIONAL' } as const
  switch (type.is) {
    case 'flag':
      return [{ ...optional, type: 'BOOLEAN' }]
    case 'integer':
      return [{ ...optional, type: 'INT64' }]
    case 'time':
      return [
        {
          ...optional,
          type: 'INT64',
          converted_type: 'TIMESTAMP_MILLIS',
          logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MILLIS' },
        },
      ]
    case 'json':
      if (isNested) return elementsOf(name, { is: 'text' })
      return [{ ...optional, type: 'BYTE_ARRAY', logical_type: { type: 'JSON' } }]
    case 'text':
      return [
        {
          ...optional,
          type: 'BYTE_ARRAY',
          converted_type: 'UTF8',
          logical_type: { type: 'STRING' },
        },
      ]
    case 'list':
      return [
        { ...optional, num_children: 1, converted_type: 'LIST', logical_type: { type: 'LIST' } },
        { name: 'list', repetition_type: 'REPEATED', num_children: 1 },
        ...elementsOf('element', type.element, true),
      ]
    case 'struct':
      return [
        { ...optional, num_children: type.members.length },
        ...type.members.flatMap((member) => elementsOf(member.name, member.type, true)),
      ]
  }
}

/** The values as the library takes them: integers as bigints, JSON as bytes. */
function physicalOf(type: ExportType, values: TypedValue[]): unknown[] {
  if (type.is === 'integer' || type.is === 'time') return values.map(toBigInt)
  if (type.is === 'json')
    return values.map((text) => (text === null ? null : Buffer.from(String(text))))
  return holdsInteger(type) ? values.map((value) => nested(type, value)) : values
}

const toBigInt = (value: TypedValue) => (value === null ? null : BigInt(value as number))

const holdsInteger = (type: ExportType): boolean =>
  type.is === 'integer' ||
  (type.is === 'list' && holdsInteger(type.element)) ||
  (type.is === 'struct' && type.members.some((member) => holdsInteger(member.type)))

function nested(type: ExportType, value: TypedValue): TypedValue {
  if (value === null || !holdsInteger(type)) return value
  if (type.is === 'integer') return toBigInt(value)
  if (type.is === 'list') {
    return (value as TypedValue[]).map((element) => nested(type.element, element))
  }
  if (type.is !== 'struct') return value
  const struct = value as Record<string, TypedValue>
  return Object.fromEntries(
    type.members.map((member) => [member.name, nested(member.type, struct[member.name] ?? null)]),
  )
}
