import type { QueryResult } from '../query/query-result.ts'
import type { Io } from './io.ts'
import { FORMATS, type FormatName } from './output/formats.ts'
import { stylesFor } from './output/styles.ts'
import { writeAll } from './output/write-all.ts'
import { UsageError } from './usage-error.ts'

/** The options of every command that prints rows. */
export const FORMAT_OPTIONS = {
  format: { choices: Object.keys(FORMATS) as FormatName[], describe: 'How rows are written' },
  nl: { type: 'boolean', describe: 'Short for --format ndjson' },
  csv: { type: 'boolean', describe: 'Short for --format csv' },
  tsv: { type: 'boolean', describe: 'Short for --format tsv' },
  table: { type: 'boolean', alias: 't', describe: 'Short for --format table' },
  raw: { type: 'boolean', alias: 'r', describe: 'Short for --format raw' },
  headers: {
    type: 'boolean',
    default: true,
    describe: 'Write column names; --no-headers for none',
  },
  'csv-safe': { type: 'boolean', describe: 'Keep spreadsheets from taking cells for formulas' },
} as const

interface Chosen {
  format?: FormatName | undefined
  nl?: boolean | undefined
  csv?: boolean | undefined
  tsv?: boolean | undefined
  table?: boolean | undefined
  raw?: boolean | undefined
  headers?: boolean | undefined
  'csv-safe'?: boolean | undefined
}

/** Writes rows as the options say: by default a table on a terminal and JSON in a pipe. */
export async function writeRows(
  result: QueryResult,
  chosen: Chosen,
  { stdout, env }: Io,
): Promise<void> {
  const terminal = stdout.isTTY === true
  const name = formatOf(chosen) ?? (terminal ? 'table' : 'json')
  const pieces = FORMATS[name].format(result, {
    headers: chosen.headers,
    csvSafe: chosen['csv-safe'],
    terminal,
    width: terminal ? (stdout.columns ?? 80) : undefined,
    styles: stylesFor(stdout, env),
  })
  await writeAll(stdout, pieces)
}

function formatOf({ format, nl, csv, tsv, table, raw }: Chosen): FormatName | undefined {
  const short = { ndjson: nl, csv, tsv, table, raw }
  const names = (Object.keys(short) as (keyof typeof short)[]).filter((name) => short[name])
  if (names.length + (format ? 1 : 0) > 1) throw new UsageError('give one format, not several')
  return format ?? names[0]
}
