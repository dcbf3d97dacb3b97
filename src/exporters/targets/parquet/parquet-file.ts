import type { RowGroup, SchemaElement } from 'hyparquet'
import type { PageIndexes } from 'hyparquet-writer/src/types.js'
import type { Cells } from '../../../records/cells.ts'
import type { ExportColumn, ExportType } from '../../column-types.ts'
import type { Compression } from '../../export-options.ts'
import type { ExportRow } from '../../table.ts'
import type { TypedValue } from '../../to-typed.ts'
import { ColumnBuffer, type LeafColumn } from './column-buffer.ts'
import { PageStore } from './page-store.ts'
import { createParquetOutput, type ParquetLibrary } from './parquet-output.ts'
import { elementsOf } from './parquet-schema.ts'

// All limits are per file and follow from its rows alone, so that the same rows make the same bytes, whatever the order
// of the tables in an archive.

/** The most rows of a row group, and the most bytes of its values without dictionaries, with one row beyond. */
const MOST_ROWS = 100_000
const MOST_BYTES = 64 * 2 ** 20

/** The same of a temporary file: an engine may hold the values of a row group until it has stored them. */
const MOST_TEMPORARY_BYTES = 8 * 2 ** 20

/** Rows after which each column ends its page. */
const PAGE_ROWS = 16_384

/** Bytes of a page after which a column ends it. */
const PAGE_BYTES = 512 * 1024

/** Bytes of the pages of all columns in memory after which the larger ones end. */
const MOST_MEMORY = 4 * 2 ** 20

/** Bytes of values after which it is looked how large pages are. */
const LOOK_AFTER = 128 * 1024

export interface ParquetFile {
  add(row: ExportRow): void
  /** Adds a row in which `undefined` stands for the text in its cell, counted from the cell `first`. */
  addScanned(row: readonly (TypedValue | undefined)[], cells: Cells, first: number): void
  /** Bytes of the values that wait for their row group. */
  readonly buffered: number
  /** Rows so far. */
  readonly rows: number
  /** Bytes of the values so far in the plain encoding, whatever came before them. */
  readonly plainBytes: number
  /** Writes the rows that wait as a row group. */
  flush(): void
  /** Writes the rest and the footer, and waits for the disk unless the file is temporary. */
  finish(): { rows: number; bytes: number; sha256: string }
  /** Closes a file without completing it. */
  abandon(): void
}

/**
 * Creates a Parquet file. Rows keep their order; a row group ends at 100,000 rows or 64 MiB of values. Until then its
 * pages wait, compressed.
 *
 * @param isTemporary whether the file is read once: then it need not be on the disk, and has no indexes
 * @throws `output-exists`, `output-full` or `output-refused`
 */
export function createParquetFile(
  library: ParquetLibrary,
  path: string,
  columns: readonly ExportColumn[],
  compression: Compression,
  { isTemporary = false }: { isTemporary?: boolean } = {},
): ParquetFile {
  const output = createParquetOutput(library, path, { compression, isTemporary })
  const store = new PageStore()
  const createBuffer = (column: LeafColumn) => new ColumnBuffer(column, library, store)
  const parts = columns.map(({ name, type }) => partOf(name, type, !isTemporary, createBuffer))
  const buffers = parts.flatMap((part) => part.buffers)
  const flat = parts.map((part) => part.flat)
  const groups: RowGroup[] = []
  const indexes: PageIndexes[] = []
  const mostBytes = isTemporary ? MOST_TEMPORARY_BYTES : MOST_BYTES
  let rows = 0
  let waiting = 0
  let groupBytes = 0
  let lookAt = LOOK_AFTER
  const flush = () => {
    if (waiting === 0) return
    const begin = output.offset
    const written = buffers.map((buffer) => buffer.write(output, waiting))
    const chunks = written.map(({ chunk }) => chunk)
    const sizes = chunks.map(({ meta_data: data }) => data?.total_uncompressed_size ?? 0n)
    groups.push({
      columns: chunks,
      total_byte_size: sizes.reduce((sum, size) => sum + size, 0n),
      num_rows: BigInt(waiting),
      total_compressed_size: BigInt(output.offset - begin),
    })
    output.bloomFilters(written)
    if (!isTemporary) {
      for (const { chunk, columnIndex, offsetIndex } of written) {
        indexes.push({
          chunk,
          ...(columnIndex && { columnIndex }),
          ...(offsetIndex && { offsetIndex }),
        })
      }
    }
    store.clear()
    waiting = 0
    groupBytes = 0
    lookAt = LOOK_AFTER
  }
  const endLargePages = () => {
    const sizes = buffers.map((buffer) => buffer.pageMemory)
    const memory = sizes.reduce((sum, size) => sum + size, 0)
    const most = memory < MOST_MEMORY ? PAGE_BYTES : Math.min(PAGE_BYTES, memory / buffers.length)
    for (const [i, buffer] of buffers.entries()) {
      if ((sizes[i] as number) >= most) buffer.endPage(output, waiting)
    }
  }
  const endRow = (bytes: number) => {
    rows++
    waiting++
    groupBytes += bytes
    if (waiting === MOST_ROWS || groupBytes >= mostBytes) return flush()
    if (waiting % PAGE_ROWS === 0) for (const buffer of buffers) buffer.endPage(output, waiting)
    if (groupBytes < lookAt) return
    lookAt = groupBytes + LOOK_AFTER
    endLargePages()
  }
  return {
    add(row) {
      let bytes = 0
      for (let i = 0; i < parts.length; i++) {
        bytes += (parts[i] as ColumnPart).add(row[i] as TypedValue)
      }
      endRow(bytes)
    },
    addScanned(row, cells, first) {
      let bytes = 0
      for (let i = 0; i < parts.length; i++) {
        const value = row[i]
        const buffer = flat[i]
        if (buffer === undefined) bytes += (parts[i] as ColumnPart).add(value as TypedValue)
        else if (value === undefined) bytes += buffer.addCell(cells, first + i)
        else bytes += buffer.addFlat(value)
      }
      endRow(bytes)
    },
    get buffered() {
      return groupBytes
    },
    get rows() {
      return rows
    },
    get plainBytes() {
      return buffers.reduce((sum, buffer) => sum + buffer.plainBytes, 0)
    },
    flush,
    finish() {
      flush()
      const schema = [{ name: 'root', num_children: columns.length }]
      store.close()
      const metadata = {
        version: 2,
        created_by: 'migration-archive',
        num_rows: BigInt(rows),
        schema: [...schema, ...parts.flatMap(({ elements }) => elements)],
        row_groups: groups,
      }
      return { rows, ...output.finish(metadata, indexes) }
    },
    abandon() {
      store.close()
      output.abandon()
    },
  }
}

/** A column of a table: its part of the schema, and the values that wait. */
interface ColumnPart {
  readonly elements: readonly SchemaElement[]
  /** One for each column that has values. */
  readonly buffers: readonly ColumnBuffer[]
  /** Adds the value of a row. Returns its bytes without a dictionary. */
  add(value: TypedValue): number
  /** The only one, of a column that is neither a list nor a struct. */
  readonly flat: ColumnBuffer | undefined
}

/** The levels at which a value stands: how much of its path is there, and whether its list goes on. */
type Add = (value: TypedValue, definition: number, repetition: number) => number

function partOf(
  name: string,
  type: ExportType,
  hasIndexes: boolean,
  createBuffer: (column: LeafColumn) => ColumnBuffer,
): ColumnPart {
  const elements = elementsOf(name, type)
  const buffers: ColumnBuffer[] = []
  const leaf = (
    path: string[],
    type: ExportType,
    maxDefinition: number,
    isRepeated: boolean,
  ): Add => {
    const isFlat = hasIndexes && path.length === 1
    const hasStatistics = isFlat && (type.is === 'time' || FILTERED.test(name))
    const hasBloomFilter = isFlat && type.is === 'text' && LOOKED_UP.test(name)
    const [element] = elementsOf(path.at(-1) as string, type, path.length > 1) as [SchemaElement]
    const levels = { maxDefinition, isRepeated }
    const buffer = createBuffer({ element, path, ...levels, hasStatistics, hasBloomFilter })
    buffers.push(buffer)
    return (value, definition, repetition) =>
      buffer.add(value === null ? definition : maxDefinition, repetition, value)
  }
  /** Adds values that are defined down to `depth` if their parent is. */
  const adder = (path: string[], type: ExportType, depth: number, isRepeated: boolean): Add => {
    if (type.is === 'struct') {
      const members = type.members.map((member) => ({
        name: member.name,
        add: adder([...path, member.name], member.type, depth + 1, isRepeated),
      }))
      return (value, definition, repetition) => {
        const struct = value as Record<string, TypedValue> | null
        const reached = struct === null ? definition : depth + 1
        return members.reduce(
          (grown, { name: member, add }) =>
            grown + add(struct?.[member] ?? null, reached, repetition),
          0,
        )
      }
    }
    if (type.is === 'list') {
      const element = adder([...path, 'list', 'element'], type.element, depth + 2, true)
      return (value, definition, repetition) => {
        if (value === null) return element(null, definition, repetition)
        const list = value as TypedValue[]
        if (list.length === 0) return element(null, depth + 1, repetition)
        let grown = 0
        for (let i = 0; i < list.length; i++) {
          grown += element(list[i] as TypedValue, depth + 2, i === 0 ? repetition : 1)
        }
        return grown
      }
    }
    return leaf(path, type, depth + 1, isRepeated)
  }
  const add = adder([name], type, 0, false)
  const [first] = buffers as [ColumnBuffer]
  const isFlat = type.is !== 'list' && type.is !== 'struct'
  return {
    elements,
    buffers,
    flat: isFlat ? first : undefined,
    add: isFlat ? (value) => first.addFlat(value) : (value) => add(value, 0, 0),
  }
}

/** Beside all times, the columns by whose bounds people filter. */
const FILTERED = /^(?:url|repository|full_name|number|state|event|_archive)$|_login$/

/** The columns in which people look for one value. */
const LOOKED_UP = /^(?:url|login)$|_login$/
