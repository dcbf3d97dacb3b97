import { ArchiveError } from '../../base/errors.ts'
import { asBuffer } from '../../base/streams.ts'
import type { QueryResult, SqlValue } from '../../query/run-query.ts'
import { ownText, plus, type SafeText, safe } from '../command/safe-text.ts'
import { escapeControlsInJson } from './escape-controls.ts'

/** A JSON array with one row per line, `[]` without rows. It is ended also if an error follows a row. */
export function* formatJson(result: QueryResult): Generator<SafeText> {
  let before = safe`[`
  try {
    for (const row of rowsAsJson(result)) {
      yield plus(before, row)
      before = safe`,\n `
    }
  } catch (error) {
    if (before !== '[') yield safe`]\n`
    throw error
  }
  yield before === '[' ? safe`[]\n` : safe`]\n`
}

/** The same of values in JSON that are made one after the other. */
export async function* jsonArray(values: AsyncIterable<SafeText>): AsyncGenerator<SafeText> {
  let before = safe`[`
  for await (const value of values) {
    yield plus(before, value)
    before = safe`,\n `
  }
  yield before === '[' ? safe`[]\n` : safe`]\n`
}

/** One JSON object per line. */
export function* formatNdjson(result: QueryResult): Generator<SafeText> {
  for (const row of rowsAsJson(result)) yield safe`${row}\n`
}

function* rowsAsJson({ columns, rows }: QueryResult): Generator<SafeText> {
  const keys = nameApart(columns).map((name) => safe`${quote(name)}:`)
  for (const row of rows) {
    yield safe`{${keys.map((key, index) => plus(key, valueAsJson(row[index] ?? null))).join(',')}}`
  }
}

function valueAsJson(value: SqlValue): SafeText {
  if (typeof value === 'string') return quote(value)
  if (typeof value === 'bigint') return safe`${value}`
  if (value instanceof Uint8Array) {
    // The form that sqlite-utils writes and reads.
    return ownText(`{"$base64":true,"encoded":"${asBuffer(value).toString('base64')}"}`)
  }
  return ownText(JSON.stringify(value))
}

/** Characters of a text that fit into one of JavaScript when each is escaped. */
const MOST_QUOTED = 80 * 2 ** 20

/** Throws `limit-memory` for a text that JavaScript cannot hold as JSON. */
function quote(text: string): SafeText {
  if (text.length > MOST_QUOTED) {
    throw new ArchiveError(
      'limit-memory',
      `a text of ${text.length} characters is too long for JSON`,
    )
  }
  return escapeControlsInJson(JSON.stringify(text))
}

/** Numbers repeated names, because an object keeps only one member per name. */
function nameApart(columns: readonly string[]): string[] {
  const reserved = new Set(columns)
  const given = new Set<string>()
  return columns.map((name) => {
    let unique = name
    for (let number = 2; given.has(unique); number++) {
      const numbered = `${name}_${number}`
      if (!reserved.has(numbered) && !given.has(numbered)) unique = numbered
    }
    given.add(unique)
    return unique
  })
}
