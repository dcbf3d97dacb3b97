import type { RowGroup, SchemaElement } from 'hyparquet'
import type { Cells } from '../../../records/cells.ts'
import type { ExportColumn, ExportType } from '../../column-types.ts'
import type { Compression } from '../../export-options.ts'
import type { ExportRow } from '../../table.ts'
import type { TypedValue } from '../../to-typed.ts'
import { ColumnBuffer } from './column-buffer.ts'
import type { BufferPool } from './growing-bytes.ts'
import { createParquetOutput, type ParquetLibrary } from './parquet-output.ts'
import { elementsOf } from './parquet-schema.ts'

/** The most rows of a row group. */
const MOST_ROWS = 100_000

/**
 * The most bytes of a row group in memory, approximately. The limit is per file, so that the same rows make the same
 * row groups, whatever the order of the tables in an archive.
 */
const MOST_BYTES = 4 * 2 ** 20

export interface ParquetFile {
  add(row: ExportRow): void
  /** Adds a row in which `undefined` stands for the text in its cell, counted from the cell `first`. */
  addScanned(row: readonly (TypedValue | undefined)[], cells: Cells, first: number): void
  /** Approximate bytes of the rows that wait for their row group. */
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
 * Creates a Parquet file. Rows keep their order; a row group ends at 100,000 rows or 4 MiB in memory.
 *
 * @param isTemporary whether the file is only read by this process: then it need not be on the disk
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
  const parts = columns.map(({ name, type }) => bufferOf(name, type, library.pool))
  const buffers = parts.flatMap((part) => part.buffers)
  const flat = parts.map((part) => part.flat)
  const groups: RowGroup[] = []
  let rows = 0
  let waiting = 0
  let buffered = 0
  const flush = () => {
    if (waiting === 0) return
    const begin = output.offset
    const chunks = buffers.map((buffer) => buffer.write(output))
    const sizes = chunks.map(({ meta_data: data }) => data?.total_uncompressed_size ?? 0n)
    groups.push({
      columns: chunks,
      total_byte_size: sizes.reduce((sum, size) => sum + size, 0n),
      num_rows: BigInt(waiting),
      total_compressed_size: BigInt(output.offset - begin),
    })
    waiting = 0
    buffered = 0
  }
  const endRow = () => {
    rows++
    waiting++
    if (waiting === MOST_ROWS || buffered >= MOST_BYTES) flush()
  }
  return {
    add(row) {
      for (let i = 0; i < parts.length; i++) {
        buffered += (parts[i] as ColumnPart).add(row[i] as TypedValue)
      }
      endRow()
    },
    addScanned(row, cells, first) {
      for (let i = 0; i < parts.length; i++) {
        const value = row[i]
        const buffer = flat[i]
        if (buffer === undefined) buffered += (parts[i] as ColumnPart).add(value as TypedValue)
        else if (value === undefined) buffered += buffer.addCell(cells, first + i)
        else buffered += buffer.addFlat(value)
      }
      endRow()
    },
    get buffered() {
      return buffered
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
      const written = output.finish({
        version: 2,
        created_by: 'migration-archive',
        num_rows: BigInt(rows),
        schema: [...schema, ...parts.flatMap(({ elements }) => elements)],
        row_groups: groups,
      })
      return { rows, ...written }
    },
    abandon: output.abandon,
  }
}

/** A column of a table: its part of the schema, and the values that wait. */
interface ColumnPart {
  readonly elements: readonly SchemaElement[]
  /** One for each column that has values. */
  readonly buffers: readonly ColumnBuffer[]
  /** Adds the value of a row. Returns by how many bytes the column grew. */
  add(value: TypedValue): number
  /** The only one, of a column that is neither a list nor a struct. */
  readonly flat: ColumnBuffer | undefined
}

/** The levels at which a value stands: how much of its path is there, and whether its list goes on. */
type Add = (value: TypedValue, definition: number, repetition: number) => number

function bufferOf(name: string, type: ExportType, pool: BufferPool): ColumnPart {
  const elements = elementsOf(name, type)
  const buffers: ColumnBuffer[] = []
  const leaf = (
    path: string[],
    type: ExportType,
    maxDefinition: number,
    isRepeated: boolean,
  ): Add => {
    const hasStatistics = path.length === 1 && isFiltered(name)
    const [element] = elementsOf(path.at(-1) as string, type, path.length > 1) as [SchemaElement]
    const buffer = new ColumnBuffer(
      { element, path, maxDefinition, isRepeated, hasStatistics },
      pool,
    )
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

/** Readers skip row groups by minimum and maximum of the columns that people filter by. */
const isFiltered = (name: string): boolean =>
  /^(?:url|repository|full_name|number|created_at|updated_at|event)$|_login$/.test(name)
