import type { Database } from '../../database/open-database.ts'
import type { SavedQuery } from '../../query/parse-saved-query.ts'
import type { SqlValue } from '../../query/run-query.ts'
import { didYouMean } from '../command/did-you-mean.ts'
import { UsageError } from '../command/usage-error.ts'
import type { NameSource, NameType } from './resolve-name.ts'

/** The option `-p` of commands that run SQL. */
export const PARAMETER_OPTION = {
  type: 'string',
  alias: 'p',
  value: '<name> <value>',
  nargs: 2,
  array: true,
  describe: 'Value of the parameter :name; repeatable',
} as const

/**
 * The parameters from the command line, in pairs, and the default values of others that the statement describes. Values that
 * look like numbers are numbers, as in SQL. If the statement gives a parameter a type, its value must exist in the source.
 * Throws `UsageError`.
 */
export async function parametersOf(
  pairs: readonly string[],
  { parameters }: Pick<SavedQuery, 'parameters'>,
  openNames: OpenNames,
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
    else if (type !== 'thread') values[name] = await resolved(openNames, type, value)
  }
  // The number of a thread is unique only in its repository.
  const repository = parameters.find(({ type }) => type === 'repository')
  for (const { name, type } of parameters) {
    if (type !== 'thread' || !isTyped(name)) continue
    const of = repository && values[repository.name]
    values[name] = await threadNumber(name, String(values[name]), of, openNames)
  }
  return values
}

/** Opens what knows the names in a source. Loading this takes time, and most queries name nothing. */
export type OpenNames = () => Promise<NameSource>

export const openNamesIn =
  (database: Database): OpenNames =>
  async () =>
    (await import('./resolve-name.ts')).namesIn(database)

const resolved = async (openNames: OpenNames, type: NameType, text: string) =>
  (await import('./resolve-name.ts')).resolveName(await openNames(), type, text)

function checkNumber(name: string, text: string): void {
  if (/^-?\d{1,18}(\.\d+)?$/.test(text)) return
  const message = `the parameter ${name} takes a number, not ${JSON.stringify(text)}`
  throw new UsageError(message, `Give it with: -p ${name} <number>`)
}

async function threadNumber(
  name: string,
  text: string,
  repository: SqlValue | undefined,
  openNames: OpenNames,
): Promise<SqlValue> {
  const number = text.replace(/^#/, '')
  checkNumber(name, number)
  if (typeof repository === 'string') {
    const { checkThread } = await import('./resolve-name.ts')
    await checkThread(await openNames(), repository, number)
  }
  return asSqlValue(number)
}

/** Throws `UsageError` for a parameter that a saved query does not have, or a required one that is missing. */
export function checkParameters(pairs: readonly string[], { parameters }: SavedQuery): void {
  const names = parameters.map(({ name }) => name)
  const given = nameAndValues(pairs).map(([name]) => name)
  const unknown = given.find((name) => !names.includes(name))
  if (unknown !== undefined) {
    const hint = didYouMean(unknown, names) ?? `It has ${names.join(', ') || 'none'}.`
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

/** The pairs as words of a command line. */
export const retypeParameters = (pairs: readonly string[]): string[] =>
  pairs.flatMap((word, i) => (i % 2 === 0 ? ['--param', word] : [word]))

const nameAndValues = (pairs: readonly string[]): [name: string, value: string][] =>
  pairs.flatMap((word, i) =>
    i % 2 === 0 ? [[word.replace(/^[:@$]/, ''), pairs[i + 1] as string]] : [],
  )

function asSqlValue(text: string): SqlValue {
  // better-sqlite3 binds a number as REAL: 7 / 2 would be 3.5.
  if (/^-?(0|[1-9]\d{0,17})$/.test(text)) return BigInt(text)
  return /^-?(0|[1-9]\d{0,14})\.\d+$/.test(text) ? Number(text) : text
}
