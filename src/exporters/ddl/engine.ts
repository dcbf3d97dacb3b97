import { quoteName, quoteText } from '../../database/quote.ts'
import type { ExportType } from '../column-types.ts'

/** How an engine writes names, texts and types. */
export interface Engine {
  readonly name: string
  quote(name: string): string
  text(value: string): string
  type(type: ExportType): string
}

type Scalars = Readonly<Record<'text' | 'time' | 'flag' | 'integer' | 'json', string>>

interface Nesting {
  readonly scalars: Scalars
  list(element: string): string
  struct(members: readonly (readonly [name: string, type: string])[]): string
  quote(name: string): string
}

const typeBy = ({ scalars, list, struct, quote }: Nesting) => {
  // Below a list or struct, JSON is plain text in the files.
  const write = (type: ExportType, scalarsHere: Scalars): string => {
    const inside = (part: ExportType) => write(part, { ...scalars, json: scalars.text })
    if (type.is === 'list') return list(inside(type.element))
    if (type.is !== 'struct') return scalarsHere[type.is]
    return struct(type.members.map((member) => [quote(member.name), inside(member.type)]))
  }
  return (type: ExportType) => write(type, scalars)
}

const quoteWithBackticks = (name: string) => `\`${name.replaceAll('`', '')}\``

/** Escapes as C does. */
const quoteWithBackslashes = (value: string) =>
  `'${value.replace(/['\\]/g, '\\$&').replaceAll('\0', '\\0')}'`

const commaList = (members: readonly (readonly [string, string])[], between = ' ') =>
  members.map(([name, type]) => `${name}${between}${type}`).join(', ')

const duckdb: Engine = {
  name: 'DuckDB',
  quote: quoteName,
  text: quoteText,
  type: typeBy({
    scalars: {
      text: 'VARCHAR',
      time: 'TIMESTAMPTZ',
      flag: 'BOOLEAN',
      integer: 'BIGINT',
      json: 'JSON',
    },
    list: (element) => `${element}[]`,
    struct: (members) => `STRUCT(${commaList(members)})`,
    quote: quoteName,
  }),
}

const clickhouse: Engine = {
  name: 'ClickHouse',
  quote: quoteName,
  text: quoteWithBackslashes,
  type: typeBy({
    scalars: {
      text: 'Nullable(String)',
      time: "Nullable(DateTime64(3, 'UTC'))",
      flag: 'Nullable(Bool)',
      integer: 'Nullable(Int64)',
      json: 'Nullable(String)',
    },
    list: (element) => `Array(${element})`,
    struct: (members) => `Tuple(${commaList(members)})`,
    quote: quoteName,
  }),
}

const spark: Engine = {
  name: 'Spark',
  quote: quoteWithBackticks,
  text: quoteWithBackslashes,
  type: typeBy({
    scalars: {
      text: 'STRING',
      time: 'TIMESTAMP',
      flag: 'BOOLEAN',
      integer: 'BIGINT',
      json: 'STRING',
    },
    list: (element) => `ARRAY<${element}>`,
    struct: (members) => `STRUCT<${commaList(members, ': ')}>`,
    quote: quoteWithBackticks,
  }),
}

const bigquery: Engine = {
  name: 'BigQuery',
  quote: quoteWithBackticks,
  text: quoteWithBackslashes,
  type: typeBy({
    scalars: {
      text: 'STRING',
      time: 'TIMESTAMP',
      flag: 'BOOL',
      integer: 'INT64',
      json: 'STRING',
    },
    list: (element) => `ARRAY<${element}>`,
    struct: (members) => `STRUCT<${commaList(members)}>`,
    quote: quoteWithBackticks,
  }),
}

/** Names are in capitals, as Snowflake takes a name without quotes. */
const snowflake: Engine = {
  name: 'Snowflake',
  quote: (name) => quoteName(name.toUpperCase()),
  text: quoteWithBackslashes,
  type: typeBy({
    scalars: {
      text: 'VARCHAR',
      time: 'TIMESTAMP_NTZ(3)',
      flag: 'BOOLEAN',
      integer: 'NUMBER(19, 0)',
      json: 'VARCHAR',
    },
    list: () => 'ARRAY',
    struct: () => 'OBJECT',
    quote: quoteName,
  }),
}

/** PostgreSQL has lists of scalars; everything that is nested deeper is jsonb. */
export const postgres: Engine = {
  name: 'PostgreSQL',
  quote: quoteName,
  text: quoteText,
  type(type) {
    if (type.is === 'struct') return 'jsonb'
    if (type.is === 'list') {
      return type.element.is === 'struct' ? 'jsonb' : `${postgres.type(type.element)}[]`
    }
    return POSTGRES_SCALARS[type.is]
  },
}

const POSTGRES_SCALARS: Scalars = {
  text: 'text',
  time: 'timestamptz(3)',
  flag: 'boolean',
  integer: 'bigint',
  json: 'jsonb',
}

/** The engines that read a dataset in place. */
export const ENGINES = { duckdb, clickhouse, spark, bigquery, snowflake } as const
export type EngineName = keyof typeof ENGINES
export const ENGINE_NAMES = Object.keys(ENGINES) as EngineName[]
