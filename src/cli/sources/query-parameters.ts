import { ArchiveError } from '../../base/errors.ts'
import type { Database } from '../../database/open-database.ts'
import type { SavedQuery } from '../../query/parse-saved-query.ts'
import type { SqlValue } from '../../query/run-query.ts'
import { checkParameters, type OpenNames, valuesOf } from '../../query/saved-parameters.ts'
import { UsageError } from '../command/usage-error.ts'

/** The option `-p` of commands that run SQL. */
export const PARAMETER_OPTION = {
  type: 'string',
  alias: 'p',
  value: '<name> <value>',
  nargs: 2,
  array: true,
  describe: 'Value of the parameter :name; repeatable',
} as const

/** The parameters from the command line, in pairs, as `valuesOf` checks them. Throws `UsageError`. */
export const parametersOf = (
  pairs: readonly string[],
  query: Pick<SavedQuery, 'parameters'>,
  openNames: OpenNames,
): Promise<Record<string, SqlValue>> =>
  valuesOf(givenIn(pairs), query, openNames).catch((error) => refuse(error, query))

/** Throws `UsageError` for a parameter that a saved query does not have, or a required one that is missing. */
export function checkPairs(pairs: readonly string[], query: SavedQuery): void {
  try {
    checkParameters(Object.keys(givenIn(pairs)), query)
  } catch (error) {
    refuse(error, query)
  }
}

function refuse(error: unknown, { parameters }: Pick<SavedQuery, 'parameters'>): never {
  if (!(error instanceof ArchiveError) || error.code !== 'option-invalid') throw error
  const { message, value, meant } = error
  const named = parameters.find(({ name }) => name === value)
  const example = named?.type === 'number' || named?.type === 'thread' ? '<number>' : '<value>'
  const advice = named ? `Give it with: -p ${named.name} ${example}` : undefined
  throw new UsageError(message, meant === undefined ? advice : `Did you mean ${meant}?`)
}

export const openNamesIn =
  (database: Database): OpenNames =>
  async () => {
    const { knownNames } = await import('./known-names.ts')
    const { namesIn } = await import('../../reading/databases/resolve-name.ts')
    return knownNames(namesIn(database))
  }

/** The pairs as words of a command line. */
export const retypeParameters = (pairs: readonly string[]): string[] =>
  pairs.flatMap((word, i) => (i % 2 === 0 ? ['--param', word] : [word]))

const givenIn = (pairs: readonly string[]): Record<string, string> =>
  Object.fromEntries(
    pairs.flatMap((word, i) =>
      i % 2 === 0 ? [[word.replace(/^[:@$]/, ''), pairs[i + 1] as string]] : [],
    ),
  )
