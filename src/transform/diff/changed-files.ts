import type { Database } from '../../database/open-database.ts'
import { SIDES } from './changed-rows.ts'
import type { Change, ChangeType } from './diff-options.ts'

/** A file on one side. */
export interface SideFile {
  id: number
  size: number
  sha256: string
}

/** A file that is not the same on both sides. */
export interface ChangedFile {
  path: string
  before?: SideFile
  after?: SideFile
}

const PAGE = 500

/**
 * The files that differ, by path, the last of several with one path; Git data is compared by refs. With `selected`, only
 * paths in the temporary table `selected_files`.
 */
export function* changedFiles(
  pair: Database,
  { selected }: { selected: boolean },
): Generator<ChangedFile> {
  const filesOf = (side: 0 | 1) => `FROM ${SIDES[side]}.files WHERE role <> 'git'
    ${selected ? `AND path IN (SELECT path FROM temp.selected_files WHERE side = ${side})` : ''}`
  // Both sides are sorted together: SQLite would make a FULL JOIN by comparing each file with each other one.
  pair.exec(`
    DROP TABLE IF EXISTS temp.changed_files;
    CREATE TEMP TABLE changed_files AS
    SELECT f.path, f.a, f.b
    FROM (
      SELECT path, max(a) AS a, max(b) AS b
      FROM (SELECT path, id AS a, NULL AS b ${filesOf(0)} UNION ALL SELECT path, NULL, id ${filesOf(1)})
      GROUP BY path) AS f
    LEFT JOIN main.files AS a ON a.id = f.a LEFT JOIN b.files AS b ON b.id = f.b
    WHERE (a.size, a.sha256) IS NOT (b.size, b.sha256) ORDER BY f.path`)
  interface Found {
    number: number
    path: string
    a: number | null
    b: number | null
  }
  const page = pair.prepare<[number], Found>(
    `SELECT rowid AS number, path, a, b FROM temp.changed_files WHERE rowid > ? ORDER BY rowid LIMIT ${PAGE}`,
  )
  const [readA, readB] = SIDES.map((side) =>
    pair.prepare<[number], SideFile>(`SELECT id, size, sha256 FROM ${side}.files WHERE id = ?`),
  ) as [
    ReturnType<typeof pair.prepare<[number], SideFile>>,
    ReturnType<typeof pair.prepare<[number], SideFile>>,
  ]
  for (let last = 0; ; ) {
    const rows = page.all(last)
    for (const { path, a, b } of rows) {
      const before = a === null ? undefined : readA.get(a)
      const after = b === null ? undefined : readB.get(b)
      yield { path, ...(before && { before }), ...(after && { after }) }
    }
    if (rows.length < PAGE) return
    last = rows.at(-1)?.number as number
  }
}

/** A ref that is not the same on both sides. */
export interface ChangedRef {
  repository: string
  name: string
  before?: SideRef
  after?: SideRef
}

export interface SideRef {
  oid: string | null
  target: string | null
}

/** The refs that differ. With `selected`, only those of repositories in the temporary table `selected_repositories`. */
export function* changedRefs(
  pair: Database,
  { selected }: { selected: boolean },
): Generator<ChangedRef> {
  const refsOf = (side: 0 | 1) => `FROM ${SIDES[side]}.refs
    ${selected ? 'WHERE repository IN (SELECT name FROM temp.selected_repositories)' : ''}`
  pair.exec(`
    DROP TABLE IF EXISTS temp.changed_refs;
    CREATE TEMP TABLE changed_refs AS
    SELECT r.repository, r.name, r.a, r.b,
      a.oid AS oid_a, a.target AS target_a, b.oid AS oid_b, b.target AS target_b
    FROM (
      SELECT repository, name, max(a) AS a, max(b) AS b
      FROM (SELECT repository, name, rowid AS a, NULL AS b ${refsOf(0)}
        UNION ALL SELECT repository, name, NULL, rowid ${refsOf(1)})
      GROUP BY repository, name) AS r
    LEFT JOIN main.refs AS a ON a.rowid = r.a LEFT JOIN b.refs AS b ON b.rowid = r.b
    WHERE (r.a IS NULL) <> (r.b IS NULL) OR (a.oid, a.target) IS NOT (b.oid, b.target)
    ORDER BY 1, 2`)
  interface Found extends Record<'oid_a' | 'oid_b' | 'target_a' | 'target_b', string | null> {
    number: number
    repository: string
    name: string
    a: number
    b: number
  }
  const page = pair.prepare<[number], Found>(
    `SELECT rowid AS number, repository, name, a IS NOT NULL AS a, b IS NOT NULL AS b,
       oid_a, target_a, oid_b, target_b FROM temp.changed_refs WHERE rowid > ? ORDER BY rowid LIMIT ${PAGE}`,
  )
  for (let last = 0; ; ) {
    const rows = page.all(last)
    for (const { repository, name, a, b, oid_a, oid_b, target_a, target_b } of rows) {
      yield {
        repository,
        name,
        ...(a === 1 && { before: { oid: oid_a, target: target_a } }),
        ...(b === 1 && { after: { oid: oid_b, target: target_b } }),
      }
    }
    if (rows.length < PAGE) return
    last = rows.at(-1)?.number as number
  }
}

/** The change of something that has these sides. */
export const changeOf = ({ before, after }: { before?: object; after?: object }): ChangeType =>
  before === undefined ? 'added' : after === undefined ? 'removed' : 'changed'

/** A changed file, ref or entry, with those of these facts that differ. */
export function asChange<Facts extends object>(
  kind: string,
  url: string,
  sides: { before?: Facts; after?: Facts },
  facts: readonly (keyof Facts & string)[],
): Change {
  const { before, after } = sides
  const members: Change['members'] = {}
  for (const name of facts) {
    const [old, now] = [before?.[name], after?.[name]] as [never, never]
    if (old === now) continue
    members[name] = {
      ...(before && { before: old }),
      ...(after && { after: now }),
    }
  }
  return { kind, url, change: changeOf(sides), members }
}
