import { escapePattern } from '../base/text.ts'
import { SPELLINGS, typeOfJson } from './spellings.ts'

/**
 * The tokens of a statement: comments, bytes, texts, quoted names, parameters, numbers, words and signs. A text or comment that is
 * not closed extends to the end.
 */
const TOKEN =
  /--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|[xX]'(?:[\da-fA-F]{2})*'|'[^']*(?:''[^']*)*(?:'|$)|"[^"]*(?:""[^"]*)*(?:"|$)|`[^`]*(?:`|$)|\[[^\]]*(?:\]|$)|[:@$][A-Za-z_]\w*|\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|[\w\u0080-\uffff][\w$\u0080-\uffff]*|->>|->|\|\||[<>!=]=|<>|[^\s]/g

interface Token {
  /** How it is written in DuckDB. */
  text: string
  readonly word: string
  readonly start: number
  readonly end: number
}

/** Words of DuckDB that a statement of SQLite may have as names. */
const NAMES_IN_SQLITE = new Set(
  `ANALYSE ANY ARRAY ASYMMETRIC AT AUTHORIZATION BOTH CHARACTER CONCURRENTLY FREEZE GROUPING LATERAL LEADING LAMBDA MAP
ONLY OVERLAPS PIVOT PLACING POSITION PRECISION QUALIFY ROW SEMI ANTI ASOF SHOW SIMILAR SOME STRUCT SUMMARIZE SYMMETRIC
TRAILING TREAT UNPIVOT VARIADIC VERBOSE`.split(/\s+/),
)

/** Words after which an operand begins, so that a sign there has one operand. */
const BEFORE_OPERAND = new Set(
  `SELECT DISTINCT ALL WHERE AND OR NOT BY LIMIT OFFSET WHEN THEN ELSE CASE BETWEEN IN LIKE ON HAVING AS , ( = < > <= >= <>
!= == + - * / % || -> ->>`.split(/\s+/),
)

/** Words that may follow IS in both. */
const AFTER_IS = new Set(['NULL', 'TRUE', 'FALSE', 'DISTINCT'])

/**
 * Writes a statement of SQLite as DuckDB reads it: parameters, comparisons with IS, patterns of GLOB, functions in `SPELLINGS`,
 * `json_each`, and `CAST` to INTEGER. What both have in common stays as it is.
 *
 * @param sql a statement that reads, also one that neither understands
 */
export function translateStatement(sql: string): string {
  const tokens = [...sql.matchAll(TOKEN)].map(
    (match): Token => ({
      text: match[0],
      word: match[0].toUpperCase(),
      start: match.index,
      end: match.index + match[0].length,
    }),
  )
  const code = tokens.filter(({ text }) => !/^(?:--|\/\*)/.test(text))
  const pairs = closingOf(code)
  for (let at = 0; at < code.length; at++) translateToken(code, at, pairs)
  translateArrows(code, pairs)
  let written = ''
  let from = 0
  for (const { text, start, end } of tokens) {
    written += sql.slice(from, start) + text
    from = end
  }
  return written + sql.slice(from)
}

/** Whether a text has a statement, and not comments only. */
export const hasStatement = (sql: string): boolean =>
  [...sql.matchAll(TOKEN)].some(([text]) => !/^(?:--|\/\*|;)/.test(text))

type Code = readonly Token[]

function translateToken(code: Code, at: number, pairs: ReadonlyMap<number, number>): void {
  const token = code[at] as Token
  const next = code[at + 1]
  const { word } = token
  if (word.startsWith("X'")) token.text = `from_hex(${token.text.slice(1)})`
  else if (/^[:@]\w/.test(word)) token.text = `$${token.text.slice(1)}`
  else if (/^[`[]/.test(word)) token.text = `"${token.text.slice(1, -1).replaceAll('"', '""')}"`
  else if (word === 'LIKE') token.text = 'ILIKE'
  else if (word === 'IS') translateIs(token, next, code[at + 2])
  else if (word === 'GLOB' && next?.text.startsWith("'")) {
    token.text = 'SIMILAR TO'
    next.text = quoted(patternOf(next.text.slice(1, -1).replaceAll("''", "'")))
  } else if (word === 'ROWID') token.text = '_record_number'
  else if (word === '+' && BEFORE_OPERAND.has(code[at - 1]?.word ?? '(')) token.text = ''
  else if (next?.word === '(') translateCall(code, at, pairs)
  else if (NAMES_IN_SQLITE.has(word)) token.text = `"${token.text}"`
}

function translateIs(is: Token, next: Token | undefined, behind: Token | undefined): void {
  const isNegated = next?.word === 'NOT'
  if (AFTER_IS.has((isNegated ? behind : next)?.word ?? '')) return
  if (isNegated) next.text = 'DISTINCT FROM'
  else is.text = 'IS NOT DISTINCT FROM'
}

function translateCall(code: Code, at: number, pairs: ReadonlyMap<number, number>): void {
  const token = code[at] as Token
  const name = token.word.toLowerCase()
  const closing = code[pairs.get(at + 1) ?? -1]
  if (closing === undefined) return
  if (name === 'json_each') {
    const type = typeOfJson('type')
    token.text = `(SELECT CAST(key AS BIGINT) AS key, value ->> '$' AS value, ${type} AS type FROM json_each`
    closing.text += ')'
    return
  }
  const end = pairs.get(at + 1) as number
  if (name === 'cast') translateCast(code, at, end)
  else if (Object.hasOwn(SPELLINGS, name) && !isAggregate(name, code.slice(at + 2, end))) {
    token.text = `sqlite_${name}`
  }
}

/** Whether a call of max or min has one argument. */
function isAggregate(name: string, inside: Code): boolean {
  if (name !== 'max' && name !== 'min') return false
  let depth = 0
  for (const { word } of inside) {
    if (word === '(') depth++
    else if (word === ')') depth--
    else if (word === ',' && depth === 0) return false
  }
  return true
}

function translateCast(code: Code, at: number, end: number): void {
  const [as, type] = [code[end - 2], code[end - 1]]
  if (as?.word !== 'AS' || !type) return
  if (type.word === 'REAL') type.text = 'DOUBLE'
  if (type.word !== 'INTEGER') return
  ;(code[at] as Token).text = 'sqlite_integer'
  as.text = ''
  type.text = ''
}

/** SQLite reads `a ->> b = c` as `(a ->> b) = c`, DuckDB as `a ->> (b = c)`. */
function translateArrows(code: Code, pairs: ReadonlyMap<number, number>): void {
  const opening = new Map([...pairs].map(([open, close]) => [close, open]))
  const begun = new Map<number, number>()
  for (let at = 1; at < code.length - 1; at++) {
    if (!/^->>?$/.test((code[at] as Token).text)) continue
    const first = begun.get(at - 1) ?? startOfOperand(code, at - 1, opening)
    ;(code[first] as Token).text = `(${(code[first] as Token).text}`
    ;(code[at + 1] as Token).text += ')'
    begun.set(at + 1, first)
  }
}

function startOfOperand(code: Code, last: number, opening: ReadonlyMap<number, number>): number {
  let first = opening.get(last) ?? last
  const isCall =
    first !== last &&
    /^\w/.test(code[first - 1]?.word ?? '') &&
    !BEFORE_OPERAND.has(code[first - 1]?.word ?? '')
  if (isCall) first--
  while (code[first - 1]?.word === '.') first -= 2
  return first
}

/** The closing parenthesis of each opening one, and the END of each CASE. */
function closingOf(code: Code): Map<number, number> {
  const pairs = new Map<number, number>()
  const open: number[] = []
  for (const [at, { word }] of code.entries()) {
    if (word === '(' || word === 'CASE') open.push(at)
    const opened = word === ')' || word === 'END' ? open.pop() : undefined
    if (opened !== undefined) pairs.set(opened, at)
  }
  return pairs
}

const quoted = (text: string) => `'${text.replaceAll("'", "''")}'`

/** A pattern of GLOB as a regular expression: `*`, `?` and sets such as `[^0-9]`. */
function patternOf(glob: string): string {
  const parts = glob.match(/\[\^?\]?[^\]]*\]|[\s\S]/g) ?? []
  return `(?s)${parts
    .map((part) => {
      if (part === '*') return '.*'
      if (part === '?') return '.'
      return part.length > 1 ? part.replaceAll('\\', '\\\\') : escapePattern(part)
    })
    .join('')}`
}
