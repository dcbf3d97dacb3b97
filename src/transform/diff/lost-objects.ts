import type { Database } from '../../database/open-database.ts'
import { hasObjects } from '../../git/objects/repository-files.ts'
import { SIDES } from './changed-rows.ts'
import { openObjects } from './ref-commits.ts'

/** A ref that is the same on both sides, whose object only one of them has. */
export interface LostObject {
  repository: string
  name: string
  before: { object: Presence }
  after: { object: Presence }
}

type Presence = ReturnType<typeof wordOf>

/**
 * The refs that are the same on both sides, whose object only one of them has: a pack or a loose object was lost. Only
 * repositories with other Git files are looked at, and of a ref only its own object. With `selected`, only repositories in the
 * temporary table `selected_repositories`.
 */
export function* lostObjects(
  pair: Database,
  databases: readonly [Database, Database],
  { selected }: { selected: boolean },
): Generator<LostObject> {
  const filesOf = (side: string) => `SELECT repository, path, size, sha256 FROM ${side}.files
    WHERE role = 'git' ${selected ? 'AND repository IN (SELECT name FROM temp.selected_repositories)' : ''}`
  const [a, b] = SIDES
  const repositories = pair
    .prepare<[], string>(
      `SELECT DISTINCT repository FROM (${filesOf(a)} EXCEPT ${filesOf(b)})
       UNION SELECT DISTINCT repository FROM (${filesOf(b)} EXCEPT ${filesOf(a)})`,
    )
    .pluck()
    .all()
  const refs = pair.prepare<[string], { name: string; oid: string }>(
    `SELECT DISTINCT a.name, a.oid FROM main.refs AS a JOIN b.refs AS b USING (repository, name)
     WHERE repository = ? AND a.oid = b.oid ORDER BY 1`,
  )
  for (const repository of repositories) {
    const has = presenceIn(databases, repository)
    for (const { name, oid } of refs.iterate(repository)) {
      const [before, after] = has(oid)
      if (before !== after) {
        yield {
          repository,
          name,
          before: { object: wordOf(before) },
          after: { object: wordOf(after) },
        }
      }
    }
  }
}

const wordOf = (isThere: boolean) => (isThere ? 'present' : 'missing')

/** Whether each side has an object. Where contents were not stored when they were loaded: whether it has any pack or object. */
function presenceIn(
  databases: readonly [Database, Database],
  repository: string,
): (oid: string) => readonly [boolean, boolean] {
  const [before, after] = databases.map((database) => openObjects(database, repository))
  if (before && after) return (oid) => [before.has(oid), after.has(oid)]
  const [old, now] = databases.map((database) => hasObjects(database, repository))
  return () => [old === true, now === true]
}
