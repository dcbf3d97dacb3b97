import { csvSafe } from '../../query/csv-safe.ts'
import { losslessNumber } from '../../records/json/json.ts'
import type { ExportType } from '../column-types.ts'
import { type Dialect, EXACT } from '../dialect.ts'
import type { PartitionWriter } from '../exporter.ts'
import type { ExportRow, ExportTable } from '../table.ts'
import { toExportRow } from '../to-export-row.ts'
import type { TypedValue } from '../to-typed.ts'
import { openFolderPartition } from './folder-partition.ts'
import { jsonOf } from './nested-json.ts'
import { createTextFile } from './text-file.ts'

/** CSV has only text, so a time stays as it was written. */
const CSV_DIALECT: Dialect = { ...EXACT, timesAsText: true }

interface TextOptions {
  gzip: boolean
  /** Keep spreadsheets from running texts as formulas. */
  isSafe?: boolean | undefined
}

/** Opens a partition of NDJSON: a line for each record, exactly as it was written except for white space. */
export function openNdjsonPartition(
  dataset: string,
  name: string,
  { gzip }: TextOptions,
): PartitionWriter {
  const partition = openFolderPartition(dataset, {
    name,
    ending: gzip ? 'ndjson.gz' : 'ndjson',
    create: (path) => createTextFile(path, { gzip }),
  })
  return {
    addRecord(table, { record }) {
      partition.fileOf(table).add(`${JSON.stringify(record)}\n`)
      return []
    },
    addRow(table, row) {
      const named = table.columns.map(({ name }, i) => [name, row[i] ?? null])
      partition.fileOf(table).add(`${JSON.stringify(Object.fromEntries(named), plain)}\n`)
    },
    ready: partition.relieve,
    commit: partition.commit,
    abort: partition.abort,
  }
}

// JSON has no bigint, but numbers of any length.
const plain = (_: string, value: unknown) =>
  typeof value === 'bigint' ? losslessNumber(String(value)) : value

/** Opens a partition of CSV files as RFC 4180 has them: a header, CRLF, lists and objects as JSON. */
export function openCsvPartition(
  dataset: string,
  name: string,
  { gzip, isSafe = false }: TextOptions,
): PartitionWriter {
  const partition = openFolderPartition(dataset, {
    name,
    ending: gzip ? 'csv.gz' : 'csv',
    create: (path, { columns }) =>
      createTextFile(path, {
        gzip,
        head: `${columns.map((column) => field(column.name)).join(',')}\r\n`,
      }),
  })
  const add = (table: ExportTable, row: ExportRow) =>
    partition.fileOf(table).add(csvLine(table, row, isSafe))
  return {
    addRecord(table, placed) {
      const { row, extraMembers } = toExportRow(table, placed, name, CSV_DIALECT)
      add(table, row)
      return extraMembers
    },
    addRow: add,
    ready: partition.relieve,
    commit: partition.commit,
    abort: partition.abort,
  }
}

const csvLine = ({ columns }: ExportTable, row: ExportRow, isSafe: boolean): string =>
  `${columns.map(({ type }, i) => formatValue(type, row[i] ?? null, isSafe)).join(',')}\r\n`

/** NULL is empty, and an empty text is `""`. */
function formatValue(type: ExportType, value: TypedValue, isSafe: boolean): string {
  if (value === null) return ''
  if (typeof value === 'string') return field(isSafe ? csvSafe(value) : value)
  if (type.is === 'time' && typeof value === 'number') return new Date(value).toISOString()
  return field(typeof value === 'object' ? jsonOf(type, value) : String(value))
}

const field = (text: string): string =>
  text === '' || /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
