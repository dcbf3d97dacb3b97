import type { Database } from '../database/open-database.ts'
import { isRefName } from '../git/ref-name.ts'
import { looksInsteadLike } from './media-type.ts'

const patterns = new Map<string, RegExp>()

const patternOf = (source: string): RegExp => {
  const known = patterns.get(source)
  if (known) return known
  const made = new RegExp(source)
  patterns.set(source, made)
  return made
}

/**
 * Adds to a connection what checks ask in SQL: whether a text fits a pattern, can be the
 * name of a ref, or what content looks like instead of what it is declared to be.
 */
export function addSqlFunctions(database: Database): void {
  const pure = { deterministic: true }
  database.function('marc_fits', pure, (text: unknown, pattern: unknown) =>
    Number(typeof text === 'string' && patternOf(String(pattern)).test(text)),
  )
  database.function('marc_is_ref', pure, (name: unknown) =>
    Number(typeof name === 'string' && isRefName(name)),
  )
  database.function('marc_looks_like', pure, (declared: unknown, head: unknown) =>
    typeof declared === 'string' && head instanceof Uint8Array
      ? (looksInsteadLike(declared, head) ?? null)
      : null,
  )
}
