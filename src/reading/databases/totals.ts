/** How much there is in databases. */

import { timeOf } from '../../database/schema/facts/values.ts'
import type { Library, Repository } from '../library.ts'
import { countPeople } from '../people/profiles.ts'
import { Memo, type Store } from '../store.ts'

/** Counts of records. */
export interface Totals {
  readonly issues: number
  readonly pulls: number
  readonly comments: number
  readonly accounts: number
  readonly archives: number
}

const NONE: Totals = { issues: 0, pulls: 0, comments: 0, accounts: 0, archives: 0 }

/** What is in all databases together. */
export const totalsOf = ({ stores }: Library): Totals =>
  stores.map(totalsOfStore).reduce(
    (sum, one) => ({
      issues: sum.issues + one.issues,
      pulls: sum.pulls + one.pulls,
      comments: sum.comments + one.comments,
      accounts: sum.accounts + one.accounts,
      archives: sum.archives + one.archives,
    }),
    NONE,
  )

const totalsOfStore = (store: Store): Totals =>
  store.remember(TOTALS, '', () => {
    const count = (table: string) => store.count(`SELECT count(*) FROM ${table}`)
    return {
      issues: count('issues'),
      pulls: count('pull_requests'),
      comments:
        count('issue_comments') +
        count('pull_request_review_comments') +
        count('discussion_comments'),
      accounts: countPeople(store),
      archives: count('archives'),
    }
  })

const TOTALS = new Memo<Totals>()

/** Threads of a month. */
export interface Month {
  /** Such as 2024-05. */
  readonly month: string
  readonly issues: number
  readonly pulls: number
}

/** Months that a chart shows at most. */
const MOST_MONTHS = 2_000

// By days first: SQLite sorts integers faster than texts, and makes a text of each day only.
const BY_MONTH = `SELECT strftime('%Y-%m', day * 86400, 'unixepoch') AS month, sum(issues) AS issues, sum(pulls) AS pulls
  FROM (SELECT CAST(floor(at / 86400.0) AS INTEGER) AS day, sum(NOT is_pull) AS issues, sum(is_pull) AS pulls
    FROM (SELECT ${timeOf('created_at')} AS at, 0 AS is_pull FROM issues
      UNION ALL SELECT ${timeOf('created_at')}, 1 FROM pull_requests)
    WHERE at IS NOT NULL GROUP BY 1)
  GROUP BY 1 LIMIT ${MOST_MONTHS}`

/** Issues and pull requests of all databases by the month in which they were opened. */
export function threadsByMonth({ stores }: Library): Month[] {
  const months = new Map<string, Month>()
  for (const store of stores) {
    for (const { month, issues, pulls } of store.remember(MONTHS, '', () =>
      store.all<Month>(BY_MONTH),
    )) {
      const known = months.get(month)
      months.set(month, {
        month,
        issues: issues + (known?.issues ?? 0),
        pulls: pulls + (known?.pulls ?? 0),
      })
    }
  }
  return [...months.values()].sort((a, b) => (a.month < b.month ? -1 : 1))
}

const MONTHS = new Memo<readonly Month[]>((months) => 100 * months.length)

const NEWEST = `SELECT strftime('%Y-%m-%dT%H:%M:%SZ', max(at), 'unixepoch') AS newest FROM (
  SELECT max(${timeOf('created_at')}) AS at FROM issues WHERE repository = ?
  UNION ALL SELECT max(${timeOf('created_at')}) FROM pull_requests WHERE repository = ?)`

/** When the newest issue or pull request of a repository was opened, in UTC. */
export const newestThread = ({ store, url }: Repository): string | null =>
  store.remember(
    NEWEST_THREADS,
    url,
    () => store.get<{ newest: string | null }>(NEWEST, url, url)?.newest ?? null,
  )

const NEWEST_THREADS = new Memo<string | null>()
