import type { Database } from '../../database/database.ts'
import { ASSIGNEES, COMMENTS } from '../../database/schema/facts/threads.ts'
import { elementsOf, memberOf, timeOf } from '../../database/schema/facts/values.ts'
import { GHOST, ROLES } from './index-schema.ts'
import { isSafe } from './source-sql.ts'

/** Adds the issues and pull requests that were drafted, their milestones, labels and people. */
export function indexThreads(index: Database, database: number): void {
  addMilestones(index, database)
  addThreads(index, database)
  addLabels(index)
  addInvolved(index)
}

const addMilestones = (index: Database, database: number) =>
  index.exec(`INSERT OR IGNORE INTO milestones (url, repository, number)
    SELECT o.url, r.id, CAST(marc_last_part(o.url) AS INTEGER) AS n
    FROM source.milestones AS o
      JOIN repositories AS r ON r.url = o.repository AND r.database = ${database}
    WHERE o.url = o.repository || '/milestones/' || n AND n < 1e15 AND ${isSafe('o')} ORDER BY o.url;

    INSERT OR IGNORE INTO made SELECT 'Milestone', m.url, marc_made('Milestone', m.url)
    FROM milestones AS m JOIN repositories AS r ON r.id = m.repository AND r.database = ${database}`)

interface ThreadTable {
  readonly table: string
  readonly path: string
  readonly isPull: boolean
}

const THREADS: readonly ThreadTable[] = [
  { table: 'issues', path: '/issues/', isPull: false },
  { table: 'pull_requests', path: '/pull/', isPull: true },
]

/**
 * Copies what the index needs of issues and pull requests, in the order that threads have: their texts make reading them
 * the longest part, so that they are read once.
 */
export function draftThreads(index: Database, database: number): void {
  const parts = THREADS.map(({ table, path, isPull }) => {
    const number = `CAST(substr(o.url, length(o.repository) + ${path.length + 1}) AS INTEGER)`
    const [changed, ended] = isPull ? ['o.merged_at', 'o.closed_at'] : ['o.updated_at', 'NULL']
    return `SELECT r.id AS repository, ${Number(isPull)} AS is_pull, o.rowid AS row, ${number} AS n,
        o.url AS url, o.user, o.milestone, nullif(o.labels, '[]'), nullif(${ASSIGNEES}, '[]'),
        ${timeOf('o.created_at')} AS created, ${timeOf(changed)}, ${timeOf(ended)},
        o.state <> 'open',
        ${COMMENTS}
      FROM source.${table} AS o
        JOIN repositories AS r ON r.url = o.repository AND r.database = ${database}
      WHERE o.url = o.repository || '${path}' || n AND n BETWEEN 1 AND 999999999999999
        AND ${isSafe('o')}`
  })
  const before = index.prepare<[], number>('SELECT coalesce(max(id), 0) FROM threads').pluck().get()
  index.exec(`DELETE FROM temp.drafts;
    -- The ids of threads go on after those of the databases before.
    INSERT INTO temp.drafts (thread) VALUES (${before});
    INSERT INTO temp.drafts (repository, is_pull, row, number, url, user, milestone, labels,
      assignees,
      created, changed, ended, closed, comments)
    ${parts.join('\nUNION ALL\n')}
    ORDER BY repository, created, n, is_pull;
    DELETE FROM temp.drafts WHERE thread = ${before}`)
}

function addThreads(index: Database, database: number): void {
  index.exec(`
    INSERT INTO threads (id, repository, is_pull, row, number, issue_number, pull_number, author,
      created, updated, closed, milestone, comments)
    SELECT d.thread, d.repository, d.is_pull, d.row, d.number, marc_made('Issue', d.url),
      iif(d.is_pull, marc_made('PullRequest', d.url), NULL), coalesce(p.id, 0), d.created,
      CASE WHEN d.is_pull THEN nullif(max(coalesce(d.created, -9e18), coalesce(d.changed, -9e18),
          coalesce(d.ended, -9e18)), -9e18)
        ELSE coalesce(d.changed, d.created) END,
      d.closed, m.id, d.comments
    FROM temp.drafts AS d LEFT JOIN people AS p ON p.url = d.user
      LEFT JOIN milestones AS m ON m.url = d.milestone AND m.repository = d.repository
    ORDER BY d.thread;

    INSERT OR IGNORE INTO temp.thread_urls
    SELECT d.url, ${database}, d.thread, d.repository FROM temp.drafts AS d ORDER BY 1`)
}

/** Joins the thread that a record is part of, which names it by its url. */
export const threadOf = (database: number, url: string): string =>
  `JOIN temp.thread_urls AS u ON u.url = ${url} AND u.database = ${database}`

function addLabels(index: Database): void {
  index.exec(`DELETE FROM temp.labelled;
    DELETE FROM temp.labels;
    INSERT INTO temp.labelled SELECT d.thread, l.value
    FROM temp.drafts AS d, ${elementsOf('d.labels', 'l')}
    WHERE d.labels IS NOT NULL AND l.type = 'text'`)
  index.exec(`
    INSERT OR IGNORE INTO temp.labels
      SELECT ${memberOf('l', 'url')}, lower(${memberOf('l', 'name')})
      FROM source.repositories AS o, ${elementsOf('o.labels', 'l')}
      WHERE typeof(${memberOf('l', 'url')}) = 'text' AND typeof(${memberOf('l', 'name')}) = 'text';
    INSERT OR IGNORE INTO temp.labels SELECT url, marc_label_name(url)
      FROM (SELECT DISTINCT url FROM temp.labelled);
    INSERT OR IGNORE INTO label_names (name) SELECT DISTINCT name FROM temp.labels ORDER BY name;
    INSERT OR IGNORE INTO thread_labels
      SELECT n.id, x.thread FROM temp.labelled AS x JOIN temp.labels AS l ON l.url = x.url
        JOIN label_names AS n ON n.name = l.name ORDER BY 1, 2;
    INSERT OR IGNORE INTO made SELECT 'Label', url, marc_made('Label', url) FROM temp.labels`)
}

function addInvolved(index: Database): void {
  index.exec(`INSERT OR IGNORE INTO involved
    SELECT t.author, ${ROLES.author}, t.id
    FROM temp.drafts AS d CROSS JOIN threads AS t ON t.id = d.thread
    UNION ALL SELECT coalesce(p.id, ${GHOST.id}), ${ROLES.assignee}, d.thread
    FROM temp.drafts AS d, ${elementsOf('d.assignees', 'a')} LEFT JOIN people AS p ON p.url = a.value
    WHERE d.assignees IS NOT NULL AND a.type = 'text'
    ORDER BY 1, 2, 3`)
}
