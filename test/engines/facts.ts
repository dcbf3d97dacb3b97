/** Facts about a table that every reader can tell: they have to agree on them. */

import type { ExportColumn } from '../../src/exporters/column-types.ts'
import type { ExportTable } from '../../src/exporters/table.ts'
import type { Row, Sql } from './engines.ts'

/** What an engine calls the measures of a column. Each is an expression that gives an integer or NULL. */
export interface Words {
  bytes(text: string): string
  milliseconds(time: string): string
  length(list: string): string
  isTrue(flag: string): string
  quote(name: string): string
}

const quote = (name: string) => `"${name.replaceAll('"', '""')}"`
const isTrue = (flag: string) => `CASE WHEN ${flag} THEN 1 ELSE 0 END`

export const WORDS = {
  SQLite: {
    quote,
    isTrue,
    bytes: (text) => `length(CAST(${text} AS BLOB))`,
    milliseconds: (time) => `unixepoch(${time}) * 1000`,
    length: (list) => `json_array_length(${list})`,
  },
  DuckDB: {
    quote,
    isTrue,
    bytes: (text) => `strlen(${text})`,
    milliseconds: (time) => `epoch_ms(${time})`,
    length: (list) => `len(${list})`,
  },
  ClickHouse: {
    quote,
    isTrue,
    bytes: (text) => `length(${text})`,
    milliseconds: (time) => `toUnixTimestamp64Milli(${time})`,
    length: (list) => `length(${list})`,
  },
  PostgreSQL: {
    quote,
    isTrue,
    bytes: (text) => `octet_length(${text})`,
    milliseconds: (time) => `(extract(epoch FROM ${time}) * 1000)::bigint`,
    length: (list) => `CASE WHEN ${list} IS NOT NULL THEN json_array_length(to_json(${list})) END`,
  },
} as const satisfies Record<string, Words>

/** The columns that all readers have in the same form: `_extra` depends on what an engine holds. */
const comparable = ({ columns }: ExportTable) =>
  columns.filter(({ name, type }) => !name.startsWith('_') && type.is !== 'json')

export type Facts = Record<string, number>

/** Asks an engine. Columns that `has` leaves out are not asked for. */
export async function factsBySql(
  sql: Pick<Sql, 'ask'>,
  words: Words,
  table: ExportTable,
  has: (column: ExportColumn) => boolean = () => true,
): Promise<Facts> {
  const measures = comparable(table)
    .filter(has)
    .flatMap((column) => measuresOf(column, words))
  const list = [
    `count(*) AS ${quote('rows')}`,
    ...(table.columns.some(({ name }) => name === 'url')
      ? [`count(DISTINCT ${words.quote('url')}) AS ${quote('urls')}`]
      : []),
    ...measures.map(([name, expression]) => `${expression} AS ${quote(name)}`),
  ]
  const [row] = await sql.ask(`SELECT ${list.join(', ')} FROM ${quote(table.name)}`)
  return Object.fromEntries(
    Object.entries(row as Row).map(([name, value]) => [name, Number(value ?? 0)]),
  )
}

function measuresOf({ name, type }: ExportColumn, words: Words): [string, string][] {
  const column = words.quote(name)
  const nulls: [string, string] = [
    `${name} is null`,
    `sum(CASE WHEN ${column} IS NULL THEN 1 ELSE 0 END)`,
  ]
  switch (type.is) {
    case 'text':
      return [nulls, [`${name} bytes`, `sum(${words.bytes(column)})`]]
    case 'time':
      return [
        nulls,
        [`${name} first`, words.milliseconds(`min(${column})`)],
        [`${name} last`, words.milliseconds(`max(${column})`)],
      ]
    case 'flag':
      return [nulls, [`${name} true`, `sum(${words.isTrue(column)})`]]
    case 'integer':
      return [nulls, [`${name} sum`, `sum(${column})`]]
    case 'list':
      return [[`${name} elements`, `sum(${words.length(column)})`]]
    default:
      return []
  }
}

/** The same of rows that a library has read: times are dates, or texts. */
export function factsOfRows(rows: readonly Row[], table: ExportTable): Facts {
  const values = (name: string) => rows.map((row) => row[name] ?? null)
  const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0)
  const facts: Facts = { rows: rows.length }
  if (table.columns.some(({ name }) => name === 'url')) {
    facts.urls = new Set(values('url').filter((url) => url !== null)).size
  }
  for (const { name, type } of comparable(table)) {
    const found = values(name).filter((value) => value !== null)
    if (['text', 'time', 'flag', 'integer'].includes(type.is)) {
      facts[`${name} is null`] = rows.length - found.length
    }
    if (type.is === 'text') facts[`${name} bytes`] = sum(found.map((one) => byteLength(one)))
    if (type.is === 'flag') facts[`${name} true`] = found.filter(Boolean).length
    if (type.is === 'integer') facts[`${name} sum`] = sum(found.map(Number))
    if (type.is === 'list') {
      facts[`${name} elements`] = sum(found.map((list) => (list as unknown[]).length))
    }
    if (type.is === 'time') {
      const times = found.map((time) => new Date(time as string).getTime())
      facts[`${name} first`] = times.length > 0 ? Math.min(...times) : 0
      facts[`${name} last`] = times.length > 0 ? Math.max(...times) : 0
    }
  }
  return facts
}

const byteLength = (text: unknown) => Buffer.byteLength(String(text))
