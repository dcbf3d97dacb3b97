import type { Database } from '../../database/open-database.ts'
import { isCutOff, looksInsteadLike } from '../media-type.ts'
import { isOtherName } from '../name-in-url.ts'
import { isRefName } from '../ref-name.ts'
import { URL_SHAPES, urlPattern } from '../url-shapes.ts'

/** SQL for whether a URL has a shape of a kind. One function per kind: passing a pattern would take as long as matching it. */
export const hasShape = (kind: string, url: string): string => `marc_has_shape_of_${kind}(${url})`

/** Connections that have the functions. To add one again, SQLite goes over every statement that is still in memory. */
const equipped = new WeakSet<Database>()

/**
 * Adds the SQL functions of checks to a connection, once: whether a URL has a shape of its kind, whether a text is a
 * valid ref name, and what type a content seems to have if not the declared one.
 */
export function addSqlFunctions(database: Database): void {
  if (equipped.has(database)) return
  equipped.add(database)
  const pure = { deterministic: true }
  for (const [kind, shape] of Object.entries(URL_SHAPES)) {
    const pattern = urlPattern(shape)
    database.function(`marc_has_shape_of_${kind}`, pure, (url: unknown) =>
      Number(typeof url === 'string' && pattern.test(url)),
    )
  }
  database.function('marc_is_other_name', pure, (place: unknown, url: unknown, name: unknown) =>
    Number(isOtherName(String(place), url, name)),
  )
  database.function('marc_is_ref', pure, (name: unknown) =>
    Number(typeof name === 'string' && isRefName(name)),
  )
  database.function('marc_is_cut_off', pure, (head: unknown, tail: unknown) =>
    Number(head instanceof Uint8Array && tail instanceof Uint8Array && isCutOff(head, tail)),
  )
  database.function('marc_looks_like', pure, (declared: unknown, head: unknown) =>
    typeof declared === 'string' && head instanceof Uint8Array
      ? (looksInsteadLike(declared, head) ?? null)
      : null,
  )
}
