import type { Database } from '../../database/open-database.ts'
import { csvSafe } from '../../query/csv-safe.ts'
import { type JsonValue, losslessNumber } from '../../records/json/json.ts'
import type { ExportColumn, ExportType } from '../column-types.ts'
import { CLICKHOUSE_DIALECT, EXACT, POSTGRES_DIALECT } from '../dialect.ts'
import { type ExportFormat, FOLDER_FORMATS } from '../export-options.ts'
import { FORMS } from '../read-back/forms.ts'
import { createKeyReader, keyOfLine, rowKeyOf } from '../read-back/row-key.ts'
import type { PositionedRecord } from '../sources/record-source.ts'
import { type ExportRow, type ExportTable, tableOfKind } from '../table.ts'
import type { TypedValue } from '../to-typed.ts'
import { heldText, nullText, type TextRules } from './column-text.ts'
import { createExpectedRows, type ExpectedTexts, type RowTexts } from './expected-rows.ts'

const NETSTRINGS = { objects: 'netstrings', lists: 'netstrings' } as const

/** How each target writes down its values. */
const TEXT_RULES: Readonly<Record<Exclude<ExportFormat, 'ndjson'>, TextRules>> = {
  parquet: { dialect: EXACT, ...NETSTRINGS },
  csv: { dialect: { ...EXACT, timesAsText: true }, objects: 'json', lists: 'json' },
  duckdb: { dialect: EXACT, ...NETSTRINGS },
  postgres: { dialect: POSTGRES_DIALECT, objects: 'jsonb', lists: 'netstrings' },
  clickhouse: { dialect: CLICKHOUSE_DIALECT, ...NETSTRINGS },
}

/** A row that a table must have. */
export interface ExpectedRow extends ExpectedTexts {
  readonly key: string
}

/** The rows that a table must have, as texts. */
export interface ExpectedTable {
  /** The table as it is compared: a file of NDJSON has one column. */
  readonly table: ExportTable
  ofRecord(placed: PositionedRecord): ExpectedRow
  /** A row of a listing. */
  ofRow(row: ExportRow): ExpectedRow
}

export interface ExpectedTableOptions {
  readonly archive: string
  readonly format: ExportFormat
  /** Whether texts of CSV that look like formulas begin with an apostrophe. */
  readonly isSafe?: boolean | undefined
  /** The value of `_shard` at a server. */
  readonly shard?: string | undefined
  /** An empty database, which computes derived columns. */
  readonly scratch: Database
  /** Whether the target has a column as it should be. Others are not compared. */
  isReadable(table: string, column: string): boolean
}

/** Returns undefined if the rows of the table cannot be told apart in the target. */
export function openExpectedTable(
  table: ExportTable,
  { archive, format, isSafe = false, shard, scratch, isReadable }: ExpectedTableOptions,
): ExpectedTable | undefined {
  if (format === 'ndjson') return linesOf(table)
  const rules = TEXT_RULES[format]
  const compared = comparedTable(table, format, isReadable)
  if (!compared) return undefined
  const keyOf = createKeyReader(compared)
  const cells = (texts: RowTexts): RowTexts =>
    texts.map((text, i) => (text !== null && isText[i] ? csvSafe(text) : text))
  const isText = table.columns.map(({ type }) => isSafe && type.is !== 'integer')
  // A column without values in this partition has NULL.
  const places = compared.columns.map(({ name, type }) => ({
    position: table.columns.findIndex((column) => column.name === name),
    otherwise: name === SHARD.name ? shardText(format, shard) : nullText(type, rules),
  }))
  const withKey = ({ texts: values, extraMembers }: ExpectedTexts): ExpectedRow => {
    const written = isSafe ? cells(values) : values
    const texts = places.map(({ position, otherwise }) =>
      position < 0 ? otherwise : (written[position] ?? null),
    )
    return { key: keyOf(texts), texts, extraMembers }
  }
  const toRow = table.kind && createExpectedRows(table, archive, { rules, scratch })
  return {
    table: compared,
    ofRecord: (placed) => withKey(toRow?.(placed) ?? NOTHING),
    ofRow: (row) => {
      const texts = table.columns.map(({ type }, i) => listedText(type, row[i] ?? null, rules))
      return withKey({ texts, extraMembers: [] })
    },
  }
}

const NOTHING: ExpectedTexts = { texts: [], extraMembers: [] }

const SHARD: ExportColumn = { name: '_shard', type: { is: 'text' }, description: '' }
const SERVERS: readonly ExportFormat[] = ['postgres', 'clickhouse']

/**
 * The table with the columns that can be compared: in an engine, also those that this partition leaves out.
 *
 * @returns undefined if the rows of the table cannot be told apart, because a column of their key is not there
 */
export function comparedTable(
  table: ExportTable,
  format: ExportFormat,
  isReadable: ExpectedTableOptions['isReadable'],
): ExportTable | undefined {
  const { name, kind } = table
  if (FOLDER_FORMATS.some((one) => one === format)) return table
  const { columns } = kind ? tableOfKind(name, kind, { raw: true }) : table
  const stored = SERVERS.includes(format) ? [...columns, SHARD] : columns
  const { columns: key, otherwise } = rowKeyOf({ ...table, columns })
  const needed = ['_archive', ...key, ...otherwise]
  if (!needed.every((column) => isReadable(name, column))) return undefined
  return { ...table, columns: stored.filter((column) => isReadable(name, column.name)) }
}

/** The text of `_shard`: ClickHouse has an empty one in place of NULL, and PostgreSQL no control characters in it. */
const shardText = (format: ExportFormat, shard: string | undefined): string | null =>
  format === 'clickhouse' ? (shard ?? '') : (shard?.replace(/[\\\n\r\t]/g, '') ?? null)

/** The text of a value of a listing. */
function listedText(type: ExportType, value: TypedValue, rules: TextRules): string | null {
  if (value === null) return nullText(type, rules)
  if (Array.isArray(value) && type.is === 'list') {
    const form = FORMS[rules.lists]
    const parts = value.map((part) => listedText(type.element, part, rules))
    return form.list(parts.map((part) => form.part(type.element, part)))
  }
  if (type.is !== 'time') return heldText(String(value), rules)
  return rules.dialect.timesAsText
    ? new Date(Number(value)).toISOString()
    : String(BigInt(Number(value)) * 1000n)
}

/** The column of a file of NDJSON: its lines. */
const LINE = { name: 'line', type: { is: 'text' }, description: '' } as const

const linesOf = (table: ExportTable): ExpectedTable => ({
  table: { ...table, columns: [LINE] },
  ofRecord: ({ record }) => ({
    key: keyOfLine(table, record),
    texts: [JSON.stringify(record)],
    extraMembers: [],
  }),
  ofRow(row) {
    const members = table.columns.map(({ name }, i): [string, JsonValue] => {
      const value = row[i] ?? null
      return [
        name,
        typeof value === 'bigint' ? losslessNumber(String(value)) : (value as JsonValue),
      ]
    })
    const line = Object.fromEntries(members)
    return { key: keyOfLine(table, line), texts: [JSON.stringify(line)], extraMembers: [] }
  },
})
