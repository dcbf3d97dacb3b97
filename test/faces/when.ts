/** Conditions of the lists of differences, in SQL over a row `o` of a view. */

export const has = (rest: string): string => `EXISTS (SELECT 1 FROM ${rest})`
export const elements = (column: string): string =>
  `json_each(CASE WHEN json_valid(${column}) THEN ${column} END) AS e`

export const IN_THREAD = '(c.issue = o.url OR c.pull_request = o.url)'
export const REVIEWS = 'pull_request_reviews AS r WHERE r.pull_request = o.url'
export const requests = (condition: string): string =>
  has(`pull_requests AS p, ${elements('p.review_requests')} WHERE p.url = o.url AND ${condition}`)
export const inTimeline = (condition: string): string =>
  has(`timeline AS i WHERE i.thread = o.url AND ${condition}`)
/** Two things of two kinds in one second. */
export const together = (kind: string, other: string): string =>
  has(`timeline AS i JOIN timeline AS j ON j.thread = i.thread AND unixepoch(j.created_at) IS unixepoch(i.created_at)
    WHERE i.thread = o.url AND i.kind = '${kind}' AND j.kind ${other}`)

export const MERGED = "o.kind = 'pull_request' AND o.merged_at IS NOT NULL"
export const hasEvent = (kind: string): string =>
  has(`issue_events AS c WHERE ${IN_THREAD} AND c.event = '${kind}'`)

export const OF_REPOSITORY = 'EXISTS (SELECT 1 FROM threads AS t WHERE t.repository = o.url'
export const SHARES_NUMBER =
  'EXISTS (SELECT 1 FROM threads AS u WHERE u.full_name = t.full_name AND u.number = t.number AND u.url <> t.url)'
export const NOT_CLOSED =
  'SELECT url FROM pull_requests WHERE merged_at IS NOT NULL AND closed_at IS NULL'
