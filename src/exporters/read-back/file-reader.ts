import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream'
import { createGunzip } from 'node:zlib'
import type { JsonValue } from '../../records/json/json.ts'
import { parseLossless } from '../../records/json/parse-lossless.ts'
import type { ExportTable } from '../table.ts'
import { bucketOf, ChecksumAdder } from './checksums.ts'
import { readParquetRows } from './parquet-rows.ts'
import { createKeyReader, keyOfLine } from './row-key.ts'
import {
  type FileRows,
  type FoundRow,
  foundValue,
  MOST_ROWS,
  type TableReader,
} from './table-reader.ts'

type Texts = readonly (string | null)[]

/**
 * Reads the files of a partition.
 *
 * @param withFile runs its work with the path of the file of a table, or not at all if there is none
 */
export function createFileReader(
  withFile: (table: string, work: (path: string) => Promise<void>) => Promise<void>,
): TableReader {
  return {
    async sums(table) {
      const adder = new ChecksumAdder(table.columns.length)
      await withFile(table.name, async (path) => {
        for await (const { keys, column } of readRows(path, table)) {
          const buckets = keys.map((key) => adder.addRow(key))
          for (let i = 0; i < table.columns.length; i++) {
            const texts = await column(i)
            for (const [row, key] of keys.entries()) {
              adder.addValue(buckets[row] as number, key, i, texts[row] ?? null)
            }
          }
        }
      })
      return adder.finish()
    },
    async rows(table, buckets, columns) {
      const found: FoundRow[] = []
      await withFile(table.name, async (path) => {
        for await (const { keys, column } of readRows(path, table)) {
          const texts: Texts[] = []
          for (const i of columns) texts.push(await column(i))
          for (const [row, key] of keys.entries()) {
            if (!buckets.has(bucketOf(key)) || found.length >= MOST_ROWS) continue
            found.push({ key, values: texts.map((column) => foundValue(key, column[row] ?? null)) })
          }
        }
      })
      return found
    },
  }
}

function readRows(path: string, table: ExportTable): AsyncIterable<FileRows> {
  if (path.endsWith('.parquet')) return readParquetRows(path, table)
  return /\.csv(?:\.gz)?$/.test(path) ? readCsvRows(path, table) : readLines(path, table)
}

/** Rows of text at a time. */
const BATCH = 500

function openText(path: string): AsyncIterable<Buffer> {
  const file = createReadStream(path)
  // An error of either stream ends both, and the reader gets it.
  return path.endsWith('.gz') ? pipeline(file, createGunzip(), () => {}) : file
}

async function* readCsvRows(path: string, table: ExportTable): AsyncGenerator<FileRows> {
  const { parse } = await import('csv-parse')
  const parser = pipeline(
    openText(path),
    parse({
      relax_column_count: true,
      record_delimiter: '\r\n',
      // NULL is empty, and an empty text is quoted.
      cast: (value, { quoting }) => (value === '' && !quoting ? null : value),
    }),
    () => {},
  ) as AsyncIterable<(string | null)[]>
  const keyOf = createKeyReader(table)
  let positions: number[] | undefined
  let batch: Texts[] = []
  const rowsOf = (batch: readonly Texts[]): FileRows => ({
    keys: batch.map(keyOf),
    column: (index) => batch.map((texts) => texts[index] ?? null),
  })
  for await (const fields of parser) {
    if (!positions) {
      positions = table.columns.map(({ name }) => fields.indexOf(name))
      continue
    }
    batch.push(positions.map((position) => fields[position] ?? null))
    if (batch.length < BATCH) continue
    yield rowsOf(batch)
    batch = []
  }
  if (batch.length > 0) yield rowsOf(batch)
}

async function* readLines(path: string, table: ExportTable): AsyncGenerator<FileRows> {
  let lines: string[] = []
  const rowsOf = (lines: readonly string[]): FileRows => ({
    keys: lines.map((line) => keyOfLine(table, parsed(line))),
    column: () => lines,
  })
  for await (const line of splitLines(openText(path))) {
    lines.push(line)
    if (lines.length < BATCH) continue
    yield rowsOf(lines)
    lines = []
  }
  if (lines.length > 0) yield rowsOf(lines)
}

const LINE_FEED = 0x0a

async function* splitLines(bytes: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let pieces: Buffer[] = []
  for await (const piece of bytes) {
    let start = 0
    for (let end = piece.indexOf(LINE_FEED); end >= 0; end = piece.indexOf(LINE_FEED, start)) {
      pieces.push(piece.subarray(start, end))
      yield Buffer.concat(pieces).toString()
      pieces = []
      start = end + 1
    }
    pieces.push(piece.subarray(start))
  }
  const rest = Buffer.concat(pieces).toString()
  if (rest !== '') yield rest
}

/** A line that is not JSON has no key, and is a difference by itself. */
function parsed(line: string): JsonValue {
  try {
    return parseLossless(line, { maxDepth: Number.POSITIVE_INFINITY })
  } catch {
    return null
  }
}
