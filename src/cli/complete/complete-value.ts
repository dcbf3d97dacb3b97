import type { Option } from '../command/command.ts'
import type { Io } from '../command/io.ts'
import { openAtHand } from '../sources/open-at-hand.ts'
import { REPOSITORIES } from '../sources/repository-names.ts'
import { savedQueries } from '../sources/saved-queries.ts'
import type { LineSoFar } from './read-line.ts'

/** What may be typed, with what it means. */
export type Candidate = readonly [value: string, description?: string]

/** What fits a place on a command line; `files` are the shell's own business. */
export type Candidates = readonly Candidate[] | 'files'

interface Asked {
  line: LineSoFar
  io: Pick<Io, 'env'>
}

const SOURCES = {
  files: () => 'files',
  tables: (asked) => fromDatabase(asked, /^\w+$/, TABLES),
  repositories: (asked) => fromDatabase(asked, /^[\w.][\w.-]*\/[\w.-]+$/, REPOSITORIES),
  queries: ({ io }) =>
    savedQueries(io)
      .filter(({ name }) => /^[\w.-]+$/.test(name))
      .map(({ name, summary }) => [name, summary]),
  parameters: ({ line, io }) =>
    line.open?.index === 0
      ? savedQueries(io)
          .filter(({ name }) => name === line.options.saved?.[0])
          .flatMap(({ parameters }) => parameters)
          .map(({ name, description }) => [name, description])
      : [],
} as const satisfies Record<string, (asked: Asked) => Candidates | Promise<Candidates>>

type Source = keyof typeof SOURCES

/** What the names of arguments in `usage` mean; of those that are not here nothing is known. */
const BY_PLACE: Readonly<Record<string, Source>> = {
  ...{ archive: 'files', archives: 'files', database: 'files', source: 'files' },
  ...{ folder: 'files', directory: 'files', repository: 'repositories', name: 'tables' },
}

/** What the values of options mean. */
const BY_VALUE: Readonly<Record<string, Source>> = {
  ...{ '<file>': 'files', '<folder>': 'files', '<owner/name>': 'repositories' },
  ...{ '[name]': 'queries', '<name> <value>': 'parameters' },
}

/** What may be given by place under this name. */
export const completePlace = (name: string, option: Option | undefined, asked: Asked) =>
  complete(option, BY_PLACE[name], asked)

/** What may be the value of an option. */
export const completeValue = (option: Option | undefined, asked: Asked) =>
  complete(option, BY_VALUE[option?.value ?? ''], asked)

async function complete(option: Option | undefined, source: Source | undefined, asked: Asked) {
  if (option?.choices) return option.choices.map((choice): Candidate => [String(choice)])
  return source === undefined ? [] : SOURCES[source](asked)
}

const TABLES = `SELECT name FROM pragma_table_list
WHERE schema = 'main' AND type IN ('table', 'view', 'virtual') AND name NOT LIKE 'sqlite_%' ORDER BY name`

const isText = (value: unknown): value is string => typeof value === 'string'

/** The shell puts these on a command line: names that are more than names, or begin as options do, are left out. */
async function fromDatabase({ line, io }: Asked, wanted: RegExp, sql: string) {
  const database = await openAtHand(line.placed[0], io)
  if (!database) return []
  try {
    // As arrays, which hold values of any type.
    const names = database.prepare<[], unknown[]>(sql).raw().all()
    return names
      .flat()
      .filter(isText)
      .filter((name) => wanted.test(name))
      .map((name): Candidate => [name])
  } finally {
    database.close()
  }
}
