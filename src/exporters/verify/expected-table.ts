import type { Database } from '../../database/open-database.ts'
import { csvSafe } from '../../query/csv-safe.ts'
import { type JsonValue, losslessNumber } from '../../records/json/json.ts'
import type { ExportType } from '../column-types.ts'
import { CLICKHOUSE_DIALECT, EXACT, POSTGRES_DIALECT } from '../dialect.ts'
import type { ExportFormat } from '../export-options.ts'
import type { PositionedRecord } from '../sources/record-source.ts'
import type { ExportRow, ExportTable } from '../table.ts'
import type { TypedValue } from '../to-typed.ts'
import { heldText, nullText, type TextRules } from './column-text.ts'
import { createExpectedRows, type RowTexts } from './expected-rows.ts'
import { FORMS } from './forms.ts'
import { createKeyReader, keyOfLine } from './row-key.ts'

const NETSTRINGS = { objects: 'netstrings', lists: 'netstrings' } as const

/** How each target writes down its values. */
export const TEXT_RULES: Readonly<Record<Exclude<ExportFormat, 'ndjson'>, TextRules>> = {
  parquet: { dialect: EXACT, ...NETSTRINGS },
  csv: { dialect: { ...EXACT, timesAsText: true }, objects: 'json', lists: 'json' },
  duckdb: { dialect: EXACT, ...NETSTRINGS },
  postgres: { dialect: POSTGRES_DIALECT, objects: 'jsonb', lists: 'netstrings' },
  clickhouse: { dialect: CLICKHOUSE_DIALECT, ...NETSTRINGS },
}

/** A row that a table must have. */
export interface ExpectedRow {
  readonly key: string
  readonly texts: RowTexts
}

/** The rows that a table must have, as texts. */
export interface ExpectedTable {
  /** The table as it is compared: a file of NDJSON has one column. */
  readonly table: ExportTable
  ofRecord(placed: PositionedRecord): ExpectedRow
  /** A row of a listing. */
  ofRow(row: ExportRow): ExpectedRow
}

/**
 * @param isSafe whether texts of CSV that look like formulas begin with an apostrophe
 * @param scratch an empty database, which computes derived columns
 */
export function openExpectedTable(
  table: ExportTable,
  {
    archive,
    format,
    isSafe = false,
    scratch,
  }: { archive: string; format: ExportFormat; isSafe?: boolean | undefined; scratch: Database },
): ExpectedTable {
  if (format === 'ndjson') return linesOf(table)
  const rules = TEXT_RULES[format]
  const keyOf = createKeyReader(table)
  const cells = (texts: RowTexts): RowTexts =>
    texts.map((text, i) => (text !== null && isText[i] ? csvSafe(text) : text))
  const isText = table.columns.map(({ type }) => isSafe && type.is !== 'integer')
  const withKey = (values: RowTexts): ExpectedRow => {
    const texts = isSafe ? cells(values) : values
    return { key: keyOf(texts), texts }
  }
  const toRow = table.kind && createExpectedRows(table, archive, { rules, scratch })
  return {
    table,
    ofRecord: (placed) => withKey(toRow?.(placed) ?? []),
    ofRow: (row) =>
      withKey(table.columns.map(({ type }, i) => listedText(type, row[i] ?? null, rules))),
  }
}

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
  ofRecord: ({ record }) => ({ key: keyOfLine(table, record), texts: [JSON.stringify(record)] }),
  ofRow(row) {
    const members = table.columns.map(({ name }, i): [string, JsonValue] => {
      const value = row[i] ?? null
      return [
        name,
        typeof value === 'bigint' ? losslessNumber(String(value)) : (value as JsonValue),
      ]
    })
    const line = Object.fromEntries(members)
    return { key: keyOfLine(table, line), texts: [JSON.stringify(line)] }
  },
})
