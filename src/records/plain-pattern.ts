import type { Column, Kind, List, Members } from './kind.ts'

// One way only to read each character, so that what does not match is told in one look: an archive may be hostile.
const CHARACTERS = '[^"\\\\\\x00-\\x1f]*'
const TEXT = `"${CHARACTERS}(?:\\\\["\\\\bfnrt]${CHARACTERS})*"`
const INTEGER = '(?:0|-?[1-9]\\d{0,14})'
const FLAG = '(?:true|false)'
const SCALAR = `(?:${TEXT}|${INTEGER}|${FLAG}|null)`

const line = (level: number) => `\\n${' '.repeat(2 * level)}`

/**
 * What matches a plain record of a kind, and what follows it in an array: one that is as the kind foresees, member by
 * member, and printed as the host prints it. Of bytes taken for characters. For each optional column there are two
 * groups, of which the first is set where it has a value, and the second where it is null.
 */
export function plainPattern(kind: Kind): RegExp {
  const members = Object.entries(kind.columns).map(([name, column]) => {
    const start = `,${line(2)}"${name}": `
    const value = valueIn(column, 2)
    if (column.optional) return `(?:${start}(?:${value}()|null()))?`
    return name === 'url' ? start + value : `${start}(?:${value}|null)`
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

/** Some of the members, each at most once and in their order: then JSON keeps them as they are. */
function object(members: Members, level: number): string {
  const start = line(level + 1)
  const end = `${line(level)}\\}`
  const some = Object.entries(members).map(([name, column]) => {
    const value = column.storage === 'json' ? `(?:${valueIn(column, level + 1)}|null)` : SCALAR
    return `(?:"${name}": ${value}(?:,${start}(?=")|(?=${end})))?`
  })
  return `\\{${start}${some.join('')}${end}`
}

const isColumn = (element: Column | Members): element is Column =>
  typeof element.storage === 'string'
