import { open } from 'node:fs/promises'
import { gunzipSync, zstdDecompressSync } from 'node:zlib'
import type { AsyncBuffer, Compressors } from 'hyparquet'
import type { ExportColumn, ExportType } from '../column-types.ts'
import type { ExportTable } from '../table.ts'
import { netstring } from './forms.ts'
import { createKeyReader, rowKeyOf } from './row-key.ts'
import type { FileRows } from './table-reader.ts'

const utf8 = new TextDecoder('utf-8', { ignoreBOM: true })

/** Times as microseconds, and JSON as its text. */
const PARSERS = {
  timestampFromMilliseconds: (time: bigint) => time * 1000n,
  jsonFromBytes: (bytes: Uint8Array) => bytes && utf8.decode(bytes),
  stringFromBytes: (bytes: Uint8Array) => bytes && utf8.decode(bytes),
}

// A page says how large it is; one that is larger is an error.
const COMPRESSORS: Compressors = {
  ZSTD: (bytes, maxOutputLength) => zstdDecompressSync(bytes, { maxOutputLength }),
  GZIP: (bytes, maxOutputLength) => gunzipSync(bytes, { maxOutputLength }),
}

/** Rows at a time: as many as a page of a file has at most. */
const MOST_ROWS = 16_384

/** Reads a Parquet file by groups of rows, a column at a time. */
export async function* readParquetRows(path: string, table: ExportTable): AsyncGenerator<FileRows> {
  const { parquetMetadataAsync, parquetRead, parquetSchema } = await import('hyparquet')
  const handle = await open(path)
  try {
    const file: AsyncBuffer = {
      byteLength: (await handle.stat()).size,
      async slice(start, end = file.byteLength) {
        const bytes = new Uint8Array(Math.max(0, end - start))
        const { bytesRead } = await handle.read(bytes, 0, bytes.length, start)
        return bytesRead === bytes.length ? bytes.buffer : bytes.buffer.slice(0, bytesRead)
      },
    }
    const metadata = await parquetMetadataAsync(file)
    const there = new Set(parquetSchema(metadata).children.map(({ element }) => element.name))
    const keyOf = createKeyReader(table)
    const { columns, otherwise } = rowKeyOf(table)
    for (const range of rangesOf(metadata.row_groups.map((group) => Number(group.num_rows)))) {
      const column = async (index: number) => {
        const { name, type } = table.columns[index] as ExportColumn
        const texts: (string | null)[] = []
        if (!there.has(name)) return texts
        await parquetRead({
          file,
          metadata,
          columns: [name],
          ...range,
          useOffsetIndex: true,
          compressors: COMPRESSORS,
          parsers: PARSERS,
          onComplete: (found) => {
            for (const [value] of found) texts.push(valueText(type, value))
          },
        })
        return texts
      }
      const inKey = table.columns.map(({ name }) => [...columns, ...otherwise].includes(name))
      const parts: (readonly (string | null)[])[] = []
      for (const index of table.columns.keys()) parts.push(inKey[index] ? await column(index) : [])
      const rows = Math.max(0, ...parts.map(({ length }) => length))
      const keys = Array.from({ length: rows }, (_, row) =>
        keyOf(parts.map((texts) => texts[row] ?? null)),
      )
      yield { keys, column }
    }
  } finally {
    await handle.close()
  }
}

/** Divides the rows of each row group into ranges. No range spans two row groups. */
function* rangesOf(groups: readonly number[]): Generator<{ rowStart: number; rowEnd: number }> {
  let begin = 0
  for (const rows of groups) {
    const end = begin + rows
    for (let rowStart = begin; rowStart < end; rowStart += MOST_ROWS) {
      yield { rowStart, rowEnd: Math.min(rowStart + MOST_ROWS, end) }
    }
    begin = end
  }
}

/** The text of a value, as `columnText` has it. */
function valueText(type: ExportType, value: unknown): string | null {
  if (value === null || value === undefined) return null
  if (type.is === 'list' && Array.isArray(value)) {
    return value.map((element) => netstring(valueText(type.element, element))).join('')
  }
  if (type.is === 'struct') {
    const struct = value as Readonly<Record<string, unknown>>
    return type.members
      .map((member) => netstring(valueText(member.type, struct[member.name])))
      .join('')
  }
  return String(value)
}
