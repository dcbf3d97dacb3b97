import type { Thread } from '../../thread/thread.ts'
import type { Repository } from './library.ts'

/** The facts in the sidebar of a thread. */
export interface ThreadFacts {
  readonly milestone: { number: number; title: string; open: number; closed: number } | undefined
  /** Who reviewed, with the last verdict of each. */
  readonly reviewers: readonly { author: string | null; state: string | null }[]
  /** Logins of the participants, in the order of their first activity. */
  readonly participants: readonly string[]
  /** The threads that this closes, or that close this. */
  readonly closes: readonly LinkedThread[]
  readonly closedBy: readonly LinkedThread[]
  /** Who merged it; null unless it is a pull request that was merged. */
  readonly mergedBy: string | null
  readonly place:
    | { archive: string; entry: string | null; record: number | null; exported: string | null }
    | undefined
}

export interface LinkedThread {
  readonly number: number
  readonly title: string
  readonly state: string
  readonly kind: 'issues' | 'pulls'
}

/** Participants that are named. */
const MOST = 24

/** Reads the sidebar of a thread. */
export function readThreadFacts(
  { store }: Repository,
  kind: 'issues' | 'pulls' | 'discussions',
  { url, pull_request }: Thread,
): ThreadFacts {
  const isMerged = pull_request !== null && pull_request.merged_at !== null
  const table = { issues: 'issues', pulls: 'pull_requests', discussions: 'discussions' }[kind]
  const milestone =
    kind === 'discussions'
      ? undefined
      : store.get<{ url: string; number: number; title: string }>(
          `SELECT m.url, m.number, coalesce(m.title, '') AS title FROM ${table} AS o JOIN milestones AS m ON m.url = o.milestone WHERE o.url = ?`,
          url,
        )
  const place = store.get<NonNullable<ThreadFacts['place']>>(
    `SELECT a.name AS archive, o._entry AS entry, o._record_number AS record, a.exported_at AS exported
     FROM ${table} AS o JOIN archives AS a ON a.id = o._archive WHERE o.url = ?`,
    url,
  )
  return {
    milestone: milestone && { ...milestone, ...countMilestone(store, milestone.url) },
    reviewers:
      kind === 'pulls'
        ? store.all(
            `SELECT user_login AS author, state_name AS state, max(unixepoch(coalesce(submitted_at, created_at))) AS at
             FROM pull_request_reviews WHERE pull_request = ? AND state_name <> 'commented' AND state_name <> 'pending' GROUP BY user_login
             UNION ALL SELECT DISTINCT user_login, 'commented', 0 FROM pull_request_reviews AS r WHERE pull_request = ? AND state_name = 'commented'
               AND user IS NOT (SELECT user FROM pull_requests WHERE url = r.pull_request)
               AND user NOT IN (SELECT user FROM pull_request_reviews WHERE pull_request = r.pull_request AND state_name NOT IN ('commented', 'pending') AND user IS NOT NULL)
             LIMIT ${MOST}`,
            ...[url, url],
          )
        : [],
    participants: store
      .all<{ login: string }>(
        `SELECT login FROM (
           SELECT user_login AS login, 0 AS at FROM ${table} WHERE url = :url
           UNION ALL SELECT user_login, unixepoch(created_at) FROM issue_comments WHERE issue = :url OR pull_request = :url
           UNION ALL SELECT user_login, unixepoch(submitted_at) FROM pull_request_reviews WHERE pull_request = :url
           UNION ALL SELECT user_login, unixepoch(created_at) FROM pull_request_review_comments WHERE pull_request = :url)
         WHERE login IS NOT NULL GROUP BY login ORDER BY min(at), login LIMIT ${MOST}`.replaceAll(
          ':url',
          '?',
        ),
        ...[url, url, url, url, url],
      )
      .map(({ login }) => login),
    mergedBy: isMerged ? whoMerged(store, url) : null,
    closes: kind === 'pulls' ? linked(store, 'closes', url) : [],
    closedBy: kind === 'issues' ? linked(store, 'closedBy', url) : [],
    place,
  }
}

/** The host closes a pull request that it merges: an older archive may have only the event of the closing. */
const whoMerged = (store: Repository['store'], url: string): string | null =>
  store.get<{ login: string | null }>(
    `SELECT actor_login AS login FROM issue_events WHERE (pull_request = ? OR issue = ?) AND event IN ('merged', 'closed')
     ORDER BY event DESC, unixepoch(created_at) DESC LIMIT 1`,
    ...[url, url],
  )?.login ?? null

function linked(
  store: Repository['store'],
  how: 'closes' | 'closedBy',
  url: string,
): LinkedThread[] {
  const sql =
    how === 'closes'
      ? `SELECT i.number, i.title, i.state, 'issues' AS kind FROM pull_requests_close_issue_references AS c
         JOIN issues AS i ON i.url = c.issue WHERE c.pull_request = ? LIMIT ${MOST}`
      : `SELECT p.number, p.title, p.state, 'pulls' AS kind FROM issue_events AS e
         JOIN pull_requests AS p ON p.url = e.referencing_pull_request WHERE e.issue = ? AND e.event = 'closed' LIMIT ${MOST}`
  return store
    .all<{ number: number | null; title: string | null; state: string; kind: 'issues' | 'pulls' }>(
      sql,
      url,
    )
    .flatMap(({ number, title, ...rest }) =>
      number === null ? [] : [{ number, title: title ?? '', ...rest }],
    )
}

/** How many issues and pull requests of a milestone are open and closed. */
export const countMilestone = (
  store: Repository['store'],
  url: string,
): { open: number; closed: number } =>
  store.remember(`milestone ${url}`, () => {
    const row = store.get<{ open: number; closed: number }>(
      `SELECT coalesce(sum(closed_at IS NULL), 0) AS open, coalesce(sum(closed_at IS NOT NULL), 0) AS closed FROM (
         SELECT closed_at FROM issues WHERE milestone = ? UNION ALL SELECT closed_at FROM pull_requests WHERE milestone = ?)`,
      ...[url, url],
    )
    return row ?? { open: 0, closed: 0 }
  })
