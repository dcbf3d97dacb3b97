import type { Column, Kind, List, Members } from '../kinds/kind.ts'
import { isColumn } from '../kinds/member-paths.ts'

// Each character matches in one way only, so a mismatch is found in linear time even in a hostile archive.
const unescaped = (but = '') => `[^"\\\\\\x00-\\x1f${but}]*`
// The shortest escape, as `JSON.stringify` writes it, and no NUL, at which SQLite would end the text.
const ESCAPED = '\\\\(?:["\\\\bfnrt]|u00(?:0[1-7bef]|1[0-9a-f]))'
/** Matches the characters between the quotes of a canonical string, except those in `but`. */
export const characters = (but = '') => `${unescaped(but)}(?:${ESCAPED}${unescaped(but)})*`
const TEXT = `"${characters()}"`
const INTEGER = '(?:0|-?[1-9]\\d{0,14})'
const FLAG = '(?:true|false)'
const SCALAR = `(?:${TEXT}|${INTEGER}|${FLAG}|null)`

const line = (level: number) => `\\n${' '.repeat(2 * level)}`

/** Adds groups to the pattern of a member. */
export interface Marks {
  value?(pattern: string, name: string, column: Column): string
  null?(pattern: string, column: Column): string
}

/**
 * Matches a canonical record of a kind and what follows it in an array. In a canonical record every member has the type
 * and position that the kind describes, printed as the host prints it. For text decoded as Latin-1.
 */
export function canonicalPattern(kind: Kind, marks: Marks): RegExp {
  const members = Object.entries(kind.columns).map(([name, column]) => {
    const value = valueIn(column, 2)
    const values = [marks.value?.(value, name, column) ?? value]
    // A record without a URL has no identity and must be reported.
    if (name !== 'url') values.push(marks.null?.('null', column) ?? 'null')
    const member = `,${line(2)}"${name}": (?:${values.join('|')})`
    return column.optional ? `(?:${member})?` : member
  })
  const record = `\\{${line(2)}"type": "${kind.type}"${members.join('')}${line(1)}\\}`
  return new RegExp(`${record}(?:,${line(1)}|\\n\\])`, 'y')
}

function valueIn(column: Column, level: number): string {
  switch (column.storage) {
    case 'flag':
      return FLAG
    case 'integer':
      return INTEGER
    case 'json':
      if (column.list) return list(column.list, level)
      return column.members ? object(column.members, level) : emptyList(level)
    default:
      return TEXT
  }
}

const emptyList = (level: number) => `\\[(?:|\\n${line(level)})\\]`

function list({ element }: List, level: number): string {
  const one = isColumn(element) ? SCALAR : object(element, level + 1)
  const start = line(level + 1)
  return `(?:${emptyList(level)}|\\[${start}${one}(?:,${start}${one})*${line(level)}\\])`
}

/** Some of the members, each at most once and in order, as the JSON column keeps them. */
function object(members: Members, level: number): string {
  const start = line(level + 1)
  const end = `${line(level)}\\}`
  const some = Object.entries(members).map(([name, column]) => {
    const value = column.storage === 'json' ? `(?:${valueIn(column, level + 1)}|null)` : SCALAR
    return `(?:"${name}": ${value}(?:,${start}(?=")|(?=${end})))?`
  })
  return `\\{${start}${some.join('')}${end}`
}
