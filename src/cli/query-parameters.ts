import type { Question } from '../query/parse-question.ts'
import type { SqlValue } from '../query/query-result.ts'
import { nearest } from './nearest.ts'
import { UsageError } from './usage-error.ts'

/** The option `-p` of commands that ask. */
export const PARAMETER_OPTION = {
  type: 'string',
  alias: 'p',
  value: '<name> <value>',
  nargs: 2,
  array: true,
  describe: 'A parameter, :name in the statement; may be given again',
} as const

/**
 * The parameters as typed, in pairs, and the standard values of others that the statement describes. Values that
 * look like numbers are numbers, as a person would write them in SQL.
 */
export function parametersOf(
  pairs: readonly string[],
  { parameters }: Question,
): Record<string, SqlValue> {
  const standard = parameters.filter((parameter) => parameter.standard !== undefined)
  const given = nameAndValues(pairs).map(([name, value]) => [name, asSqlValue(value)] as const)
  return {
    ...Object.fromEntries(standard.map(({ name, standard = null }) => [name, standard])),
    ...Object.fromEntries(given),
  }
}

/** Throws `UsageError` for a parameter that a saved question does not have, and for one that it needs. */
export function checkParameters(pairs: readonly string[], { parameters }: Question): void {
  const names = parameters.map(({ name }) => name)
  const given = nameAndValues(pairs).map(([name]) => name)
  const unknown = given.find((name) => !names.includes(name))
  if (unknown !== undefined) {
    const meant = nearest(unknown, names)
    const hint = meant ? `Did you mean ${meant}?` : `It has ${names.join(', ') || 'none'}.`
    throw new UsageError(`the question has no parameter ${JSON.stringify(unknown)}`, hint)
  }
  const needed = parameters.find((one) => one.standard === undefined && !given.includes(one.name))
  if (needed) {
    const { name, description } = needed
    throw new UsageError(
      `the question needs the parameter ${name}, ${description}`,
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
