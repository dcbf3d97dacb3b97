import type { Database } from '../../database/database.ts'
import { timeOf } from '../../database/schema/facts/values.ts'
import { type Known, NO_TIME } from './index-schema.ts'
import { isSafe } from './source-sql.ts'

const GIT_DATA = 'tarball://root/repositories/'

/**
 * Adds the repositories that are not there yet. If several have the same name, the one of the first database is served;
 * within one database, the one with the smallest url.
 *
 * @returns how many records have a name that is taken
 */
export function indexRepositories(index: Database, database: number): number {
  index.exec(`DELETE FROM temp.found;
    INSERT INTO temp.found SELECT lower(full_name), rowid FROM source.repositories AS o
    WHERE marc_has_shape('repositories', url) AND ${isSafe('o')} ORDER BY url`)
  const { changes } = index
    .prepare(`INSERT OR IGNORE INTO repositories
      (name, url, full_name, number, database, row, owner, private, created)
      SELECT f.name, o.url, o.full_name, marc_made('Repository', o.url), ${database}, o.rowid,
        0, o.private IS NOT 0, ${timeOf('o.created_at')}
      FROM temp.found AS f JOIN source.repositories AS o ON o.rowid = f.row ORDER BY f.rowid`)
    .run()
  const found = index.prepare<[], number>('SELECT count(*) FROM temp.found').pluck().get()
  return (found ?? 0) - changes
}

/** Adds what follows from other tables: owners, sizes and pushes. */
export function completeRepositories(index: Database, database: number): void {
  index.exec(`
    UPDATE repositories SET owner = coalesce(
      (SELECT p.id FROM source.repositories AS o JOIN people AS p ON p.url = o.owner
        WHERE o.rowid = repositories.row), 0)
    WHERE database = ${database};

    UPDATE repositories SET size = g.size
    FROM (SELECT '${GIT_DATA}' || repository || '.git' AS address, sum(size) AS size
        FROM source.files WHERE repository IS NOT NULL GROUP BY repository) AS g
      JOIN source.repositories AS o ON o.git_url = g.address
    WHERE repositories.database = ${database} AND o.rowid = repositories.row;

    UPDATE repositories SET pushed = (SELECT max(c.committed_at) FROM source.commits AS c
      WHERE c.repository = repositories.full_name)
    WHERE database = ${database}`)
}

/** How many repositories a database refers to without a record of them. */
export function countUnserved(index: Database, database: number): number {
  const tables = ['issues', 'pull_requests', 'milestones', 'releases', 'commit_comments']
  const named = tables.map((table) => `SELECT DISTINCT repository AS url FROM source.${table}`)
  return Number(
    index
      .prepare<[], number>(
        `SELECT count(*) FROM (${named.join(' UNION ')}) WHERE url IS NOT NULL
          AND url NOT IN (SELECT url FROM repositories WHERE database <= ${database})
          AND url NOT IN (SELECT url FROM source.repositories WHERE url IS NOT NULL)`,
      )
      .pluck()
      .get(),
  )
}

/**
 * Adds what follows from the index itself to the repositories that were added: counts, first rows and times. Events and
 * activity are in order of time.
 */
export function summariseRepositories(index: Database, known: Known): void {
  index.exec(`
    UPDATE repositories SET first_thread = t.first, threads = t.n, open_threads = t.open,
      pull_requests = t.pulls, open_pull_requests = t.open_pulls, updated = t.updated
    FROM (SELECT repository, min(id) AS first, count(*) AS n, sum(NOT closed) AS open,
        sum(is_pull) AS pulls, sum(is_pull AND NOT closed) AS open_pulls, max(updated) AS updated
      FROM threads WHERE id > ${known.threads} GROUP BY 1) AS t
    WHERE repositories.id = t.repository;

    UPDATE repositories SET first_event = e.first, events = e.n
    FROM (SELECT repository, min(id) AS first, count(*) AS n FROM events WHERE id > ${known.events}
      GROUP BY 1) AS e
    WHERE repositories.id = e.repository;

    UPDATE repositories SET updated = nullif(max(
      coalesce(updated, -9e18),
      coalesce((SELECT e.time FROM events AS e WHERE e.id = first_event + events - 1), -9e18),
      coalesce((SELECT nullif(a.time, ${NO_TIME}) FROM activity AS a WHERE a.repository = repositories.id
        ORDER BY a.id DESC LIMIT 1), -9e18)), -9e18)
    WHERE id > ${known.repositories}`)
}
