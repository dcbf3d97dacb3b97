import type { QueryResult, SqlValue } from '../../query/query-result.ts'
import { asBuffer } from '../../streams.ts'
import { escapeControlsInJson } from './escape-controls.ts'

/** A JSON array with one row a line, `[]` without rows; valid only once the last row is written. */
export function* formatJson(result: QueryResult): Generator<string> {
  let before = '['
  for (const row of rowsAsJson(result)) {
    yield before + row
    before = ',\n '
  }
  yield before === '[' ? '[]\n' : ']\n'
}

/** One JSON object a line. */
export function* formatNdjson(result: QueryResult): Generator<string> {
  for (const row of rowsAsJson(result)) yield `${row}\n`
}

function* rowsAsJson({ columns, rows }: QueryResult): Generator<string> {
  const keys = nameApart(columns).map((name) => `${quote(name)}:`)
  for (const row of rows) {
    yield `{${keys.map((key, index) => key + valueAsJson(row[index] ?? null)).join(',')}}`
  }
}

function valueAsJson(value: SqlValue): string {
  if (typeof value === 'string') return quote(value)
  if (typeof value === 'bigint') return value.toString()
  if (value instanceof Uint8Array) {
    // The form sqlite-utils writes and reads back.
    return `{"$base64":true,"encoded":"${asBuffer(value).toString('base64')}"}`
  }
  return JSON.stringify(value)
}

function quote(text: string): string {
  return escapeControlsInJson(JSON.stringify(text))
}

/** Gives repeated names a number, because an object keeps only one member of a name. */
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
