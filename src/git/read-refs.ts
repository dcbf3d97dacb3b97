import type { Database } from '../database/open-database.ts'

/** A ref of a stored repository. */
export interface Ref {
  /** Full name, such as refs/heads/main, or HEAD. */
  name: string
  /** The object it names; null for a branch without commits. */
  oid: string | null
  /** What an annotated tag is for in the end, if packed-refs tells. */
  peeled: string | null
  /** The ref that it names, as HEAD names a branch. */
  target: string | null
}

const PAGE = 1000
const COLUMNS = 'name, oid, peeled, target'

/**
 * The refs of a repository, owner/name or owner/name.wiki, in the order of their names; only those whose names
 * begin with `prefix`.
 */
export function* readRefs(database: Database, repository: string, prefix = ''): Generator<Ref> {
  const page = database.prepare<[string, string, string, string], Ref>(
    `SELECT ${COLUMNS} FROM refs WHERE repository = ? AND name >= ? AND name < ? AND name > ?
     ORDER BY name LIMIT ${PAGE}`,
  )
  for (let after = ''; ; ) {
    const refs = page.all(repository, prefix, `${prefix}\u{10ffff}`, after)
    yield* refs
    const last = refs.at(-1)
    if (last === undefined || refs.length < PAGE) return
    after = last.name
  }
}

/** The ref with this full name, if there is one. */
export const findRef = (database: Database, repository: string, name: string): Ref | undefined =>
  database
    .prepare<[string, string], Ref>(`SELECT ${COLUMNS} FROM refs WHERE repository = ? AND name = ?`)
    .get(repository, name)
