import { SQL_KEYWORDS } from '../../query/meant-in-statement.ts'
import { statementTables } from '../../query/statement-tables.ts'
import type { Io } from '../command/io.ts'
import { FORMATS } from '../output/formats.ts'
import { savedQueries } from '../sources/saved-queries.ts'
import type { AskedSource } from './asked-source.ts'
import { DOT_COMMANDS } from './dot-commands.ts'

const KEYWORDS = [
  ...SQL_KEYWORDS,
  ...`avg coalesce count date group_concat iif instr json_each json_extract julianday length lower max min printf
replace round strftime substr sum total trim upper`.split(/\s+/),
]

export type Completer = (line: string) => [found: string[], word: string]

/**
 * Completes input at the prompt: keywords, tables, columns of the tables that the statement names, and arguments of the shell's
 * commands. `pending` returns the earlier lines of the statement.
 */
export function createCompleter(
  source: Pick<AskedSource, 'describe'>,
  io: Pick<Io, 'env'>,
  pending: () => string,
): Completer {
  // Names are written to the line and the screen unescaped.
  const isName = (name: string) => /^\w+$/.test(name)
  const isPlain = (name: string) => /^[\w.=-]+$/.test(name)
  const columnsOf = new Map(
    source
      .describe()
      .filter(({ name }) => isName(name))
      .map(({ name, columns }) => [name, columns.map((column) => column.name).filter(isName)]),
  )
  const tables = [...columnsOf.keys()]
  const takes: Readonly<Record<string, () => string[]>> = {
    '.schema': () => tables,
    '.tables': () => tables,
    '.mode': () => Object.keys(FORMATS),
    '.headers': () => ['on', 'off'],
    '.saved': () => savedQueries(io).map(({ name }) => name),
  }
  const parametersOf = (query: string) =>
    savedQueries(io)
      .filter(({ name }) => name === query)
      .flatMap(({ parameters }) => parameters.map(({ name }) => `${name}=`))

  return (line) => {
    const [, query, parameter] = /^\s*\.saved\s+(\S+)\s(?:.*\s)?(\S*)$/.exec(line) ?? []
    if (query !== undefined && pending() === '') {
      return begins(parametersOf(query).filter(isPlain), parameter as string)
    }
    const dot = /^\s*(\.\w*)(?:\s+(\S*))?$/.exec(line)
    if (dot && pending() === '') {
      const [, command = '', word] = dot
      if (word === undefined) return begins(Object.keys(DOT_COMMANDS), command)
      return begins((takes[command]?.() ?? []).filter(isPlain), word)
    }
    const statement = `${pending()}${line}`
    const [, qualifier, word = ''] = /(?:(\w+)\.)?(\w*)$/.exec(statement) ?? []
    if (/\b(from|join)\s+\w*$/i.test(statement)) return begins(tables, word)
    const named = statementTables(statement)
    if (qualifier !== undefined)
      return begins(columnsOf.get(named.get(qualifier) ?? qualifier) ?? [], word)
    const sources = named.size > 0 ? [...named.values()] : word.length > 1 ? tables : []
    const keywords = /^[a-z]/.test(word) ? KEYWORDS.map((one) => one.toLowerCase()) : KEYWORDS
    const columns = sources.flatMap((name) => columnsOf.get(name) ?? [])
    // Without a first letter, all keywords would be too many.
    return begins(
      [...new Set([...columns, ...(word === '' ? [] : [...tables, ...keywords])])],
      word,
    )
  }
}

const begins = (names: readonly string[], word: string): [string[], string] => [
  names.filter((name) => name.startsWith(word)),
  word,
]
