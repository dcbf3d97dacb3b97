import type { Database } from '../../../database/database.ts'
import { ROLES } from './index-schema.ts'
import { elementsOf, isSafe, member, timeOf } from './source-sql.ts'

/** Adds issues and pull requests, their milestones, labels, people and numbers of comments. */
export function indexThreads(index: Database, database: number): void {
  addMilestones(index, database)
  addThreads(index, database)
  rememberUrls(index, database)
  addLabels(index, database)
  addInvolved(index, database)
}

const addMilestones = (index: Database, database: number) =>
  index.exec(`INSERT OR IGNORE INTO milestones (url, repository, row, number)
    SELECT o.url, r.id, o.rowid, CAST(marc_last_part(o.url) AS INTEGER) AS n
    FROM source.milestones AS o
      JOIN repositories AS r ON r.url = o.repository AND r.database = ${database}
    WHERE o.url = o.repository || '/milestones/' || n AND n < 1e15 AND ${isSafe('o')} ORDER BY o.url;

    INSERT INTO temp.made SELECT 'Milestone', m.url, marc_made('Milestone', m.url)
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

function addThreads(index: Database, database: number): void {
  const parts = THREADS.map(({ table, path, isPull }) => {
    // Issues and pull requests share their numbers. Where a crafted archive repeats one, the issue has it.
    const isFree = isPull
      ? `NOT EXISTS (SELECT 1 FROM source.issues AS i WHERE i.url = o.repository || '/issues/' || n)`
      : '1'
    const updated = isPull
      ? `nullif(max(${['created', 'closed', 'merged'].map((when) => `coalesce(${timeOf(`o.${when}_at`)}, -9e18)`)}), -9e18)`
      : `coalesce(${timeOf('o.updated_at')}, ${timeOf('o.created_at')})`
    return `SELECT r.id AS repository, ${Number(isPull)} AS is_pull, o.rowid AS row,
        CAST(substr(o.url, length(o.repository) + ${path.length + 1}) AS INTEGER) AS n,
        marc_made('Issue', o.url), ${isPull ? `marc_made('PullRequest', o.url)` : 'NULL'},
        coalesce(p.id, 0), ${timeOf('o.created_at')} AS created, ${updated},
        o.closed_at IS NOT NULL, m.id, ${countComments(isPull)}
      FROM source.${table} AS o
        JOIN repositories AS r ON r.url = o.repository AND r.database = ${database}
        LEFT JOIN people AS p ON p.url = o.user
        LEFT JOIN milestones AS m ON m.url = o.milestone AND m.repository = r.id
      WHERE o.url = o.repository || '${path}' || n AND n BETWEEN 1 AND 999999999999999
        AND ${isFree} AND ${isSafe('o')}`
  })
  index.exec(`INSERT INTO threads (repository, is_pull, row, number, issue_number, pull_number,
      author, created, updated, closed, milestone, comments)
    ${parts.join('\nUNION ALL\n')}
    ORDER BY repository, created, n`)
}

/** Comments that name the thread `o`. Those that name two, which no honest archive has, belong to the issue. */
const countComments = (isPull: boolean): string =>
  isPull
    ? '(SELECT count(*) FROM source.issue_comments AS c WHERE c.pull_request = o.url AND c.issue IS NULL)'
    : '(SELECT count(*) FROM source.issue_comments AS c WHERE c.issue = o.url)'

/** Joins the thread that a record is part of, which names it by its url. */
export const threadOf = (database: number, url: string): string =>
  `JOIN temp.thread_urls AS u ON u.url = ${url} AND u.database = ${database}`

function rememberUrls(index: Database, database: number): void {
  const urls = THREADS.map(
    ({ table, isPull }) => `SELECT o.url, ${database}, t.id, t.repository
      FROM threads AS t JOIN repositories AS r ON r.id = t.repository AND r.database = ${database}
        JOIN source.${table} AS o ON o.rowid = t.row
      WHERE t.is_pull = ${Number(isPull)}`,
  )
  index.exec(`INSERT OR IGNORE INTO temp.thread_urls ${urls.join(' UNION ALL ')} ORDER BY 1`)
}

function addLabels(index: Database, database: number): void {
  index.exec(`DELETE FROM temp.labelled;
    DELETE FROM temp.labels`)
  for (const { table } of THREADS) {
    index.exec(`INSERT INTO temp.labelled SELECT u.thread, l.value
      FROM source.${table} AS o ${threadOf(database, 'o.url')}, ${elementsOf('o.labels', 'l')}
      WHERE o.labels IS NOT NULL AND o.labels <> '[]' AND l.type = 'text'`)
  }
  index.exec(`
    INSERT OR IGNORE INTO temp.labels
      SELECT ${member('l', 'url')}, lower(${member('l', 'name')})
      FROM source.repositories AS o, ${elementsOf('o.labels', 'l')}
      WHERE typeof(${member('l', 'url')}) = 'text' AND typeof(${member('l', 'name')}) = 'text';
    INSERT OR IGNORE INTO temp.labels SELECT url, marc_label_name(url)
      FROM (SELECT DISTINCT url FROM temp.labelled);
    INSERT OR IGNORE INTO label_names (name) SELECT DISTINCT name FROM temp.labels ORDER BY name;
    INSERT OR IGNORE INTO thread_labels
      SELECT n.id, x.thread FROM temp.labelled AS x JOIN temp.labels AS l ON l.url = x.url
        JOIN label_names AS n ON n.name = l.name ORDER BY 1, 2;
    INSERT INTO temp.made SELECT 'Label', url, marc_made('Label', url) FROM temp.labels`)
}

function addInvolved(index: Database, database: number): void {
  const assigned = THREADS.map(
    ({ table }) => `SELECT p.id, ${ROLES.assignee}, u.thread
      FROM source.${table} AS o ${threadOf(database, 'o.url')},
        ${elementsOf(`iif(o.assignees IS NULL OR o.assignees = '[]', json_array(o.assignee), o.assignees)`, 'a')}
        JOIN people AS p ON p.url = a.value
      WHERE o.assignees <> '[]' OR o.assignee IS NOT NULL`,
  )
  index.exec(`INSERT OR IGNORE INTO involved
    SELECT t.author, ${ROLES.author}, t.id FROM threads AS t
      JOIN repositories AS r ON r.id = t.repository AND r.database = ${database}
    UNION ALL ${assigned.join('\nUNION ALL ')} ORDER BY 1, 2, 3`)
}
