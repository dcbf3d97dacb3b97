import { createHash } from 'node:crypto'
import { quoteText } from '../../database/quote.ts'
import type { SqlValue } from '../../database/schema/row-layout.ts'

/** A value as an SQL expression on one line. */
export function literal(value: SqlValue): string {
  if (value === null) return 'NULL'
  if (typeof value === 'string') return textLiteral(value)
  if (value instanceof Uint8Array) return `x'${Buffer.from(value).toString('hex')}'`
  if (typeof value === 'number' && !Number.isFinite(value)) return value > 0 ? '9e999' : '-9e999'
  return String(value)
}

/** A literal ends at U+0000, and the sqlite3 shell reads lines and makes LF of CRLF. */
const UNSAFE = [
  ['\r', '\\r'],
  ['\n', '\\n'],
  ['\0', '\\0'],
] as const

/** As `.dump` of the sqlite3 shell writes it: `replace('one\ntwo','\n',char(10))`. */
function textLiteral(text: string): string {
  let line = text
  const found: [placeholder: string, code: number][] = []
  for (const [character, usual] of UNSAFE) {
    if (!text.includes(character)) continue
    const placeholder = placeholderIn(text, usual)
    line = line.replaceAll(character, () => placeholder)
    found.push([placeholder, character.charCodeAt(0)])
  }
  return found.reduce(
    (sql, [placeholder, code]) => `replace(${sql},${quoteText(placeholder)},char(${code}))`,
    quoteText(line),
  )
}

/** An escape that a text does not contain. Nobody can write a text with a sum of itself. */
function placeholderIn(text: string, usual: string): string {
  let placeholder = usual
  for (let salt = ''; text.includes(placeholder); salt += ' ') {
    const sum = createHash('sha256').update(salt).update(text).digest('hex')
    placeholder = `(${usual}${sum.slice(0, 16)})`
  }
  return placeholder
}
