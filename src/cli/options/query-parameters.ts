import { closestMatch } from '../../closest-match.ts'
import type { Database } from '../../database/open-database.ts'
import type { SavedQuery } from '../../query/parse-saved-query.ts'
import type { SqlValue } from '../../query/run-query.ts'
import { UsageError } from '../command/usage-error.ts'
import type { NameType } from '../sources/resolve-name.ts'

/** The option `-p` of commands that ask. */
export const PARAMETER_OPTION = {
  type: 'string',
  alias: 'p',
  value: '<name> <value>',
  nargs: 2,
  array: true,
  describe: 'A parameter, :name in the statement; repeatable',
} as const

/**
 * The parameters as typed, in pairs, and the standard values of others that the statement describes. Values that
 * look like numbers are numbers, as a person would write them in SQL; those of a type that the statement describes must
 * be what the database has. Throws `UsageError`.
 */
export async function parametersOf(
  pairs: readonly string[],
  { parameters }: Pick<SavedQuery, 'parameters'>,
  database: Database,
): Promise<Record<string, SqlValue>> {
  const values: Record<string, SqlValue> = {}
  for (const { name, standard } of parameters) if (standard !== undefined) values[name] = standard
  const typed = nameAndValues(pairs)
  for (const [name, value] of typed) values[name] = asSqlValue(value)
  const isTyped = (name: string) => typed.some(([one]) => one === name)
  for (const { name, type } of parameters) {
    const value = String(values[name])
    if (!isTyped(name) || type === undefined) continue
    if (type === 'number') checkNumber(name, value)
    else if (type !== 'thread') values[name] = await resolved(database, type, value)
  }
  // The number of a thread counts in its repository.
  const repository = parameters.find(({ type }) => type === 'repository')
  for (const { name, type } of parameters) {
    if (type !== 'thread' || !isTyped(name)) continue
    const of = repository && values[repository.name]
    values[name] = await threadNumber(name, String(values[name]), of, database)
  }
  return values
}

// What is known of names takes time to load, and most queries name none.
const resolved = async (database: Database, type: NameType, typed: string) =>
  (await import('../sources/resolve-name.ts')).resolveName(database, type, typed)

function checkNumber(name: string, typed: string): void {
  if (/^-?\d{1,18}(\.\d+)?$/.test(typed)) return
  const message = `the parameter ${name} takes a number, not ${JSON.stringify(typed)}`
  throw new UsageError(message, `Give it with: -p ${name} <number>`)
}

async function threadNumber(
  name: string,
  typed: string,
  repository: SqlValue | undefined,
  database: Database,
): Promise<SqlValue> {
  const number = typed.replace(/^#/, '')
  checkNumber(name, number)
  if (typeof repository === 'string') {
    const { checkThread } = await import('../sources/resolve-name.ts')
    checkThread(database, repository, number)
  }
  return asSqlValue(number)
}

/** Throws `UsageError` for a parameter that a saved query does not have, and for one that it needs. */
export function checkParameters(pairs: readonly string[], { parameters }: SavedQuery): void {
  const names = parameters.map(({ name }) => name)
  const given = nameAndValues(pairs).map(([name]) => name)
  const unknown = given.find((name) => !names.includes(name))
  if (unknown !== undefined) {
    const meant = closestMatch(unknown, names)
    const hint = meant ? `Did you mean ${meant}?` : `It has ${names.join(', ') || 'none'}.`
    throw new UsageError(`the query has no parameter ${JSON.stringify(unknown)}`, hint)
  }
  const needed = parameters.find((one) => one.standard === undefined && !given.includes(one.name))
  if (needed) {
    const { name, description } = needed
    throw new UsageError(
      `the query needs the parameter ${name}, ${description}`,
      `Give it with: -p ${name} <value>`,
    )
  }
}

/** The pairs as they could have been typed. */
export const retypeParameters = (pairs: readonly string[]): string[] =>
  pairs.flatMap((word, i) => (i % 2 === 0 ? ['--param', word] : [word]))

const nameAndValues = (pairs: readonly string[]): [name: string, value: string][] =>
  pairs.flatMap((word, i) =>
    i % 2 === 0 ? [[word.replace(/^[:@$]/, ''), pairs[i + 1] as string]] : [],
  )

function asSqlValue(typed: string): SqlValue {
  // A plain number would be a REAL to SQLite: 7 / 2 would be 3.5.
  if (/^-?(0|[1-9]\d{0,17})$/.test(typed)) return BigInt(typed)
  return /^-?(0|[1-9]\d{0,14})\.\d+$/.test(typed) ? Number(typed) : typed
}
