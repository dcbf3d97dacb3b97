import { quoteName } from '../../database/quote.ts'
import type { ExportMember, ExportType } from '../column-types.ts'
import { ENGINES } from '../ddl/engine.ts'
import { DIGEST_DIGITS } from './checksums.ts'
import type { SqlTexts } from './sql-reader.ts'

const lines = (texts: readonly string[]) => texts.join(' || chr(10) || ')

/** How an engine takes lists and structs apart. */
interface Nesting {
  scalar(value: string, type: ExportType): string
  netstring(text: string): string
  member(struct: string, member: ExportMember): string
  /** Joins the results of an expression over each element. */
  eachOf(list: string, element: string, expression: string): string
  concat(texts: readonly string[]): string
  /** NULL if the struct is. */
  unlessNull(struct: string, text: string): string
}

/** Writes lists and structs as netstrings. */
function textBy(nesting: Nesting): SqlTexts['text'] {
  const { scalar, netstring, member, eachOf, concat, unlessNull } = nesting
  const text = (value: string, type: ExportType, depth = 0): string => {
    if (type.is === 'list') {
      const element = `e${depth}`
      return eachOf(value, element, netstring(text(element, type.element, depth + 1)))
    }
    if (type.is !== 'struct') return scalar(value, type)
    const parts = type.members.map((one) =>
      netstring(text(member(value, one), one.type, depth + 1)),
    )
    return unlessNull(value, concat(parts))
  }
  return text
}

const DUCKDB: SqlTexts = {
  quote: quoteName,
  lines,
  text: textBy({
    scalar: (value, { is }) => `CAST(${is === 'time' ? `epoch_us(${value})` : value} AS VARCHAR)`,
    netstring: (text) => `coalesce(strlen(${text}) || ':' || ${text}, '-')`,
    member: (struct, { name }) => `struct_extract(${struct}, '${name}')`,
    eachOf: (list, element, expression) =>
      `array_to_string(list_transform(${list}, lambda ${element}: ${expression}), '')`,
    concat: (texts) => texts.map((text) => `(${text})`).join(' || '),
    unlessNull: (struct, text) => `CASE WHEN ${struct} IS NOT NULL THEN ${text} END`,
  }),
  md5: (text) => `md5(${text})`,
  digest: (text) => `('0x' || left(md5(${text}), ${DIGEST_DIGITS}))::BIGINT`,
  sum: (integers) => `sum(${integers})::VARCHAR`,
  left: (text, characters) => `left(${text}, ${characters})`,
}

const CLICKHOUSE: SqlTexts = {
  quote: ENGINES.clickhouse.quote,
  lines: (texts) => `concat(${texts.join(", '\\n', ")})`,
  text: textBy({
    scalar(value, { is }) {
      if (is === 'text' || is === 'json') return value
      return `toString(${is === 'time' ? `toUnixTimestamp64Micro(${value})` : value})`
    },
    netstring: (text) => `ifNull(concat(toString(length(${text})), ':', ${text}), '-')`,
    member: (struct, { name }) => `tupleElement(${struct}, '${name}')`,
    eachOf: (list, element, expression) =>
      `arrayStringConcat(arrayMap(${element} -> ${expression}, ${list}))`,
    concat: (texts) => `concat(${texts.join(', ')}, '')`,
    unlessNull: (_, text) => text,
  }),
  md5: (text) => `lower(hex(MD5(${text})))`,
  digest: (text) =>
    `toUInt128(bitShiftRight(reinterpretAsUInt64(reverse(substring(MD5(${text}), 1, 8))), 4))`,
  sum: (integers) => `toString(sum(${integers}))`,
  left: (text, characters) => `substringUTF8(${text}, 1, ${characters})`,
}

// The database may have another encoding.
const utf8 = (text: string) => `convert_to(${text}, 'UTF8')`

const POSTGRES: SqlTexts = {
  quote: quoteName,
  lines,
  text(value, type) {
    if (type.is === 'time') return `trunc(extract(epoch FROM ${value}) * 1000000)::text`
    if (type.is !== 'list' || type.element.is === 'struct') return `${value}::text`
    const netstring = `coalesce(octet_length(${utf8('e::text')}) || ':' || e, '-')`
    // unnest does not show that a list is one of lists.
    return `CASE WHEN ${value} = '{}' THEN '' WHEN array_dims(${value}) LIKE '[1:%]' AND array_ndims(${value}) = 1
      THEN (SELECT string_agg(${netstring}, '' ORDER BY i) FROM unnest(${value}) WITH ORDINALITY AS u(e, i))
      ELSE ${value}::text END`
  },
  md5: (text) => `md5(${utf8(text)})`,
  digest: (text) =>
    `('x' || left(md5(${utf8(text)}), ${DIGEST_DIGITS}))::bit(${DIGEST_DIGITS * 4})::bigint`,
  sum: (integers) => `sum(${integers})::text`,
  left: (text, characters) => `left(${text}, ${characters})`,
}

/** How each engine writes down values, so that their checksums can be compared. */
export const SQL_TEXTS = { duckdb: DUCKDB, clickhouse: CLICKHOUSE, postgres: POSTGRES } as const
