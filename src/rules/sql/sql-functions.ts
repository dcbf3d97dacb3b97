import type { Database } from '../../database/open-database.ts'
import { looksInsteadLike } from '../media-type.ts'
import { isRefName } from '../ref-name.ts'
import { URL_SHAPES, urlPattern } from '../url-shapes.ts'

/** The function that tells whether a url has a shape of a kind. To give it the pattern would take as long as to match it. */
export const hasShape = (kind: string, url: string): string => `marc_has_shape_of_${kind}(${url})`

/**
 * Adds to a connection what checks ask in SQL: whether a url has a shape of its kind, a text can be the
 * name of a ref, or what content looks like instead of what it is declared to be.
 */
export function addSqlFunctions(database: Database): void {
  const pure = { deterministic: true }
  for (const [kind, shape] of Object.entries(URL_SHAPES)) {
    const pattern = urlPattern(shape)
    database.function(`marc_has_shape_of_${kind}`, pure, (url: unknown) =>
      Number(typeof url === 'string' && pattern.test(url)),
    )
  }
  database.function('marc_is_ref', pure, (name: unknown) =>
    Number(typeof name === 'string' && isRefName(name)),
  )
  database.function('marc_looks_like', pure, (declared: unknown, head: unknown) =>
    typeof declared === 'string' && head instanceof Uint8Array
      ? (looksInsteadLike(declared, head) ?? null)
      : null,
  )
}
