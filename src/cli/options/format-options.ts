import type { QueryResult } from '../../query/run-query.ts'
import type { Io } from '../command/io.ts'
import { UsageError } from '../command/usage-error.ts'
import { FORMATS, type FormatName } from '../output/formats.ts'
import { shownOnTerminal } from '../output/shown-on-terminal.ts'
import { stylesFor } from '../output/styles.ts'
import { writeAll } from '../output/write-all.ts'

/** The short form in every command that has a format. */
export const JSON_OPTION = { type: 'boolean', describe: 'Short for --format json' } as const

/** The options of every command that prints rows. */
export const FORMAT_OPTIONS = {
  format: {
    choices: Object.keys(FORMATS) as FormatName[],
    value: '<format>',
    describe: 'Format of the rows',
  },
  json: JSON_OPTION,
  nl: { type: 'boolean', describe: 'Short for --format ndjson' },
  csv: { type: 'boolean', describe: 'Short for --format csv' },
  tsv: { type: 'boolean', describe: 'Short for --format tsv' },
  table: { type: 'boolean', alias: 't', describe: 'Short for --format table' },
  raw: { type: 'boolean', alias: 'r', describe: 'Short for --format raw' },
  headers: { type: 'boolean', default: true, describe: 'Omit the column names' },
  'csv-safe': { type: 'boolean', describe: 'Keep spreadsheets from running cells as formulas' },
} as const

export interface Chosen {
  format?: FormatName | undefined
  json?: boolean | undefined
  nl?: boolean | undefined
  csv?: boolean | undefined
  tsv?: boolean | undefined
  table?: boolean | undefined
  raw?: boolean | undefined
  headers?: boolean | undefined
  'csv-safe'?: boolean | undefined
}

/** The options as words of a command line. */
export function retypeFormat(chosen: Chosen): string[] {
  const names = Object.keys(FORMAT_OPTIONS) as (keyof Chosen)[]
  return names.flatMap((name) => {
    const value = chosen[name]
    if (typeof value === 'string') return [`--${name}=${value}`]
    return value === undefined ? [] : [value ? `--${name}` : `--no-${name}`]
  })
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
  await writeAll(stdout, terminal && name === 'raw' ? shownOnTerminal(pieces) : pieces)
}

/** Whether a person reads the output and chose no format: then a command may use its own format. */
export const isForPerson = (chosen: Chosen, { stdout }: Io): boolean =>
  stdout.isTTY === true && formatOf(chosen) === undefined

/** The chosen format, if any. */
export function formatOf({ nl, csv, tsv, table, raw, ...typed }: Chosen): FormatName | undefined {
  return onlyFormat<FormatName>({
    ...longFormat(typed),
    '--nl': nl && 'ndjson',
    '--csv': csv && 'csv',
    '--tsv': tsv && 'tsv',
    '--table': table && 'table',
    '--raw': raw && 'raw',
  })
}

/** The chosen format of a command that has formats of its own, if any. */
export const ownFormatOf = <F extends string>(options: Typed<F>): F | 'json' | undefined =>
  onlyFormat(longFormat(options))

interface Typed<F> {
  format?: F | undefined
  json?: boolean | undefined
}

const longFormat = <F extends string>({ format, json }: Typed<F>): Given<F | 'json'> => ({
  [`--format ${format}`]: format,
  '--json': json && 'json',
})

/** Formats by the options that choose them. */
type Given<F> = Readonly<Record<string, F | false | undefined>>

/** The only format that is chosen, if any. Throws `UsageError` if there are several. */
function onlyFormat<F extends string>(values: Given<F>): F | undefined {
  const [first, ...others] = Object.entries(values).filter(([, name]) => name)
  if (others.length > 0) {
    const found = [first, ...others].map((entry) => entry?.[0]).join(' and ')
    throw new UsageError(`expected one format, found ${found}`)
  }
  return first?.[1] as F | undefined
}
