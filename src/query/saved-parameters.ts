import { closestMatch } from '../base/closest-match.ts'
import { ArchiveError } from '../base/errors.ts'
import type { SavedQuery } from './parse-saved-query.ts'
import type { SqlValue } from './run-query.ts'

/** Finds the names in a source. */
export interface Names {
  /** The name as the source has it. Throws if it has none like this. */
  resolve(
    type: 'repository' | 'person' | 'label' | 'milestone' | 'kind',
    text: string,
  ): Promise<string>
  /** Throws if a repository has no issue or pull request with a number. */
  checkThread(repository: string, number: string): Promise<void>
}

/** Opens what knows the names in a source. Loading this takes time, and most queries name nothing. */
export type OpenNames = () => Promise<Names>

/** Values of parameters by name: texts that look like numbers are taken for numbers, as in SQL. */
export type Given = Readonly<Record<string, SqlValue>>

type Parameters = Pick<SavedQuery, 'parameters'>

/**
 * The values that were given, and the default values of other parameters that the statement describes. If the statement gives a
 * parameter a type, its value must exist in the source. Throws `option-invalid`, and what `Names` throw.
 */
export async function valuesOf(
  given: Given,
  { parameters }: Parameters,
  openNames: OpenNames,
): Promise<Record<string, SqlValue>> {
  const values: Record<string, SqlValue> = {}
  for (const { name, standard } of parameters) if (standard !== undefined) values[name] = standard
  for (const [name, value] of Object.entries(given)) values[name] = asSqlValue(value)
  // NULL is the value of a parameter that is left out.
  const typed = parameters.filter(({ name }) => (given[name] ?? null) !== null)
  for (const { name, type } of typed) {
    const text = String(given[name])
    if (type === 'number') checkNumber(name, text)
    else if (type !== undefined && type !== 'thread') {
      values[name] = await (await openNames()).resolve(type, text)
    }
  }
  // The number of a thread is unique only in its repository.
  const repository = parameters.find(({ type }) => type === 'repository')
  for (const { name, type } of typed) {
    if (type !== 'thread') continue
    const of = repository && values[repository.name]
    values[name] = await threadNumber(name, String(given[name]), of, openNames)
  }
  return values
}

function checkNumber(name: string, text: string): void {
  if (/^-?\d{1,18}(\.\d+)?$/.test(text)) return
  const message = `the parameter ${name} takes a number, not ${JSON.stringify(text)}`
  throw new ArchiveError('option-invalid', message).about(name)
}

async function threadNumber(
  name: string,
  text: string,
  repository: SqlValue | undefined,
  openNames: OpenNames,
): Promise<SqlValue> {
  const number = text.replace(/^#/, '')
  checkNumber(name, number)
  if (typeof repository === 'string') await (await openNames()).checkThread(repository, number)
  return asSqlValue(number)
}

/** Throws `option-invalid` for a parameter that a saved query does not have, or a required one that is missing. */
export function checkParameters(given: readonly string[], { parameters }: Parameters): void {
  const names = parameters.map(({ name }) => name)
  const unknown = given.find((name) => !names.includes(name))
  if (unknown !== undefined) {
    const meant = closestMatch(unknown, names)
    const others = meant === undefined ? `; it has ${names.join(', ') || 'none'}` : ''
    const message = `the query has no parameter ${JSON.stringify(unknown)}${others}`
    throw new ArchiveError('option-invalid', message).about(unknown, meant)
  }
  const needed = parameters.find((one) => one.standard === undefined && !given.includes(one.name))
  if (!needed) return
  const { name, description } = needed
  const message = `the query needs the parameter ${name}, ${description}`
  throw new ArchiveError('option-invalid', message).about(name)
}

/** A value that stays whole: better-sqlite3 binds a number as REAL, and 7 / 2 would be 3.5. */
export const wholeValue = (value: SqlValue): SqlValue =>
  Number.isSafeInteger(value) ? BigInt(value as number) : value

function asSqlValue(value: SqlValue): SqlValue {
  if (typeof value !== 'string') return wholeValue(value)
  if (/^-?(0|[1-9]\d{0,17})$/.test(value)) return BigInt(value)
  return /^-?(0|[1-9]\d{0,14})\.\d+$/.test(value) ? Number(value) : value
}
