import type { Database } from '../database/open-database.ts'

/** A ref of a stored repository. */
export interface Ref {
  /** Full name, such as refs/heads/main, or HEAD. */
  name: string
  /** The object it names; null for a branch without commits. */
  oid: string | null
  /** What an annotated tag is for in the end. */
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
  // With two lower bounds in one statement SQLite would take the wrong one, and begin anew for each page.
  const pageFrom = (bound: string) =>
    database.prepare<[string, string, string], Ref>(
      `SELECT ${COLUMNS} FROM refs WHERE repository = ? AND name ${bound} ? AND name < ?
       ORDER BY name LIMIT ${PAGE}`,
    )
  const end = `${prefix}\u{10ffff}`
  const next = pageFrom('>')
  let refs = pageFrom('>=').all(repository, prefix, end)
  for (let last = refs.at(-1); last !== undefined; last = refs.at(-1)) {
    yield* refs
    if (refs.length < PAGE) return
    refs = next.all(repository, last.name, end)
  }
}

/** The ref with this full name, if there is one. */
export const findRef = (database: Database, repository: string, name: string): Ref | undefined =>
  database
    .prepare<[string, string], Ref>(`SELECT ${COLUMNS} FROM refs WHERE repository = ? AND name = ?`)
    .get(repository, name)
