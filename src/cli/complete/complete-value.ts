import type { Database } from '../../database/open-database.ts'
import type { NameType } from '../../reading/databases/resolve-name.ts'
import type { Option } from '../command/command.ts'
import type { Io } from '../command/io.ts'
import { openLoaded } from '../sources/open-loaded.ts'
import { savedQueries } from '../sources/saved-queries.ts'
import type { LineSoFar } from './read-line.ts'

/** A word that fits, with what it means. */
export type Candidate = readonly [value: string, description?: string]

/** The words that fit a place on a command line; the shell completes `files` itself. */
export type Candidates = readonly Candidate[] | 'files'

interface Asked {
  line: LineSoFar
  io: Pick<Io, 'env'>
}

const SOURCES = {
  files: () => 'files',
  tables: (asked) => fromDatabase(asked, tableNames),
  repositories: (asked) => namesOfType(asked, 'repository'),
  people: (asked) => namesOfType(asked, 'person'),
  kinds: (asked) => namesOfType(asked, 'kind'),
  queries: ({ io }) =>
    savedQueries(io)
      .filter(({ name }) => /^[\w.-]+$/.test(name))
      .map(({ name, summary }) => [name, summary]),
  parameters: (asked) => completeParameter(asked),
} as const satisfies Record<string, (asked: Asked) => Candidates | Promise<Candidates>>

type Source = keyof typeof SOURCES

/** The source of candidates for an argument, by its name in `usage`. */
const BY_PLACE: Readonly<Record<string, Source>> = {
  archive: 'files',
  archives: 'files',
  database: 'files',
  source: 'files',
  sources: 'files',
  more: 'files',
  other: 'files',
  folder: 'files',
  directory: 'files',
  repository: 'repositories',
  name: 'tables',
}

/** The source of candidates for an option, by its placeholder in help. */
const BY_VALUE: Readonly<Record<string, Source>> = {
  '<file>': 'files',
  '<folder>': 'files',
  '<owner/name>': 'repositories',
  '<login>': 'people',
  '<kind>': 'kinds',
  '[name]': 'queries',
  '<name> <value>': 'parameters',
}

/** Candidates for the argument with this name. */
export const completePlace = (name: string, option: Option | undefined, asked: Asked) =>
  complete(option, BY_PLACE[name], asked)

/** Candidates for the value of an option. */
export const completeValue = (option: Option | undefined, asked: Asked) =>
  complete(option, BY_VALUE[option?.value ?? ''] ?? BY_PLACE[option?.place ?? ''], asked)

async function complete(option: Option | undefined, source: Source | undefined, asked: Asked) {
  if (option?.choices) return option.choices.map((choice): Candidate => [String(choice)])
  return source === undefined ? [] : SOURCES[source](asked)
}

/** The parameters of the saved query, or the names that the type of a parameter allows. */
function completeParameter(asked: Asked): Candidates | Promise<Candidates> {
  const { line, io } = asked
  const parameters = savedQueries(io)
    .filter(({ name }) => name === line.options.saved?.[0])
    .flatMap((query) => query.parameters)
  if (line.open?.index === 0) return parameters.map(({ name, description }) => [name, description])
  const typed = line.options.param?.at(-1)
  const type = parameters.find(({ name }) => name === typed)?.type
  return type === undefined || type === 'thread' || type === 'number'
    ? []
    : namesOfType(asked, type)
}

// resolve-name.ts loads the kinds of records, which most completions do not need.
const namesOfType = (asked: Asked, type: NameType) =>
  fromDatabase(asked, async (database) => {
    const { namesOf } = await import('../../reading/databases/resolve-name.ts')
    return namesOf(database, type)
  })

const tableNames = (database: Database) =>
  database
    .prepare<[], string>(
      `SELECT name FROM pragma_table_list
       WHERE schema = 'main' AND type IN ('table', 'view', 'virtual') AND name NOT LIKE 'sqlite_%'
       ORDER BY name`,
    )
    .pluck()
    .all()

/** Names in the database; those that a shell would split, expand or take for an option are left out. */
async function fromDatabase(
  { line, io }: Asked,
  namesIn: (database: Database) => readonly string[] | Promise<readonly string[]>,
): Promise<Candidate[]> {
  const database = await openLoaded(line.placed[0], io)
  if (!database) return []
  try {
    const names = await namesIn(database)
    return names.filter((name) => /^[\w.][\w./@-]*$/.test(name)).map((name): Candidate => [name])
  } finally {
    database.close()
  }
}
