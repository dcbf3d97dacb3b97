import { ArchiveError } from '../../base/errors.ts'
import {
  isObject,
  type JsonObject,
  type JsonValue,
  losslessNumber,
} from '../../records/json/json.ts'
import { parseLossless } from '../../records/json/parse-lossless.ts'
import type { Kind, Storage } from '../../records/kinds/kind.ts'
import { type Row, type RowLayout, rowLayoutOf, type SqlValue } from '../schema/row-layout.ts'

/**
 * The record of a row, with its members in order: the inverse of `toRow`. Changes made with SQL count: a column that is
 * not NULL overrides `_extra`, and appears even if `_member_order` does not list it. Throws `database-damaged` for invalid
 * JSON.
 */
export function toRecord(kind: Kind, row: Row): JsonObject {
  const shape = rowLayoutOf(kind)
  const { length } = shape.names
  if (row[length - 1] == null && row[length] == null) return usualRecord(shape, row)
  const rest = new Map(Object.entries(parseObject(row[length - 1] ?? null, '_extra')))
  const listed = row[length] == null ? undefined : parseNames(row[length])
  const values = new Map<string, JsonValue>()
  const add = (position: number) => {
    const name = shape.names[position] as string
    const stored = position === 0 ? null : (row[position - 1] as SqlValue)
    if (stored !== null) values.set(name, decode(shape.storages[position], stored, name))
    else if (rest.has(name)) values.set(name, rest.get(name) as JsonValue)
    else if (position === 0) values.set(name, shape.type)
    else if (listed || !shape.optional[position]) values.set(name, null)
  }
  for (const name of listed ?? shape.names) {
    const position = shape.positionOf.get(name)
    if (position !== undefined) add(position)
    else if (rest.has(name)) values.set(name, rest.get(name) as JsonValue)
  }
  if (listed)
    row.slice(0, length - 1).forEach((stored, i) => {
      if (stored !== null && !values.has(shape.names[i + 1] as string)) add(i + 1)
    })
  for (const [name, value] of rest) if (!values.has(name)) values.set(name, value)
  // Unlike assignment, Object.fromEntries treats __proto__ like any other name.
  return Object.fromEntries(values)
}

/** Most records have only known members in the usual order. */
function usualRecord(shape: RowLayout, row: Row): JsonObject {
  const { type, names, storages, optional } = shape
  const isWhole = !optional.some((may, i) => may && row[i - 1] === null)
  const record: JsonObject = isWhole ? { ...shape.blank, type } : { type }
  for (let i = 1; i < names.length; i++) {
    const stored = row[i - 1] as SqlValue
    const name = names[i] as string
    if (stored !== null) record[name] = decode(storages[i], stored, name)
    else if (!optional[i]) record[name] = null
  }
  return record
}

function decode(storage: Storage | undefined, stored: SqlValue, name: string): JsonValue {
  switch (storage) {
    case 'flag':
      // SQL may have stored a text such as 'false', which must not become true.
      return isNumber(stored) ? Boolean(stored) : String(stored)
    case 'integer':
      if (typeof stored !== 'bigint') return typeof stored === 'number' ? stored : String(stored)
      return losslessNumber(String(stored))
    case 'json':
      return stored === '[]' ? [] : parse(String(stored), name)
    default:
      return String(stored)
  }
}

const isNumber = (stored: SqlValue) => typeof stored === 'number' || typeof stored === 'bigint'

function parseObject(stored: SqlValue, name: string): JsonObject {
  const value = stored === null ? {} : parse(String(stored), name)
  if (isObject(value)) return value
  throw new ArchiveError('database-damaged', 'expected a JSON object', { member: name })
}

function parseNames(stored: SqlValue | undefined): string[] {
  const value = parse(String(stored), '_member_order')
  if (Array.isArray(value)) return value.map(String)
  throw new ArchiveError('database-damaged', 'expected a JSON array', { member: '_member_order' })
}

function parse(text: string, member: string): JsonValue {
  try {
    // The load checked its depth.
    return parseLossless(text, { maxDepth: Number.POSITIVE_INFINITY })
  } catch (error) {
    throw new ArchiveError(
      'database-damaged',
      `expected JSON: ${(error as Error).message}`,
      { member },
      error,
    )
  }
}
