/** What follows from the records of a thread, as `database/schema/facts/threads.ts` has it. People and threads are URLs. */

import { REVIEWED_AT, selectWriters } from '../../database/schema/facts/threads.ts'
import { timeOf } from '../../database/schema/facts/values.ts'
import { keepClosings } from '../closings.ts'
import { type Row, type Store, valuesOf } from '../store.ts'
import { asText, asTextOrNull, urlsOf } from '../values.ts'

/** Kinds of threads, and the tables of their records. */
export const THREAD_TABLES = {
  issue: 'issues',
  pull_request: 'pull_requests',
  discussion: 'discussions',
} as const

export type ThreadKind = keyof typeof THREAD_TABLES

/** Facts about an issue or pull request. Whoever has deleted the account is null, as is what is unknown. */
export interface StateFacts {
  readonly state: 'open' | 'closed' | 'merged'
  readonly isDraft: boolean
  readonly closedAt: string | null
  readonly mergedAt: string | null
  /** Without an event nobody is known to have merged it. */
  readonly mergedBy: string | null
  readonly assignees: readonly string[]
  readonly isLocked: boolean
  /** Why: off-topic, too heated, resolved or spam. */
  readonly lockReason: string | null
  readonly milestone: string | null
  /** Null if the milestone is not in the archive. */
  readonly milestoneTitle: string | null
}

/** The same, and the events that tell of it, which take as long to find as the rest. */
export interface ThreadFacts extends StateFacts {
  /** The event that closed it last, and by whom. */
  readonly closingEvent: string | null
  readonly closedBy: string | null
  /** The event that tells of the merge. */
  readonly mergingEvent: string | null
}

const FACTS =
  'state, draft, closed_at, merged_at, merged_by, assignees, locked, lock_reason, milestone, milestone_title'
const EVENTS = 'closing_event, closed_by, merging_event'

/**
 * The facts about the issue or pull request with a URL, whatever its columns hold; undefined for a discussion, and without a
 * record.
 */
export function readThreadFacts(
  store: Store,
  kind: ThreadKind,
  url: string,
): ThreadFacts | undefined {
  if (kind === 'discussion') return undefined
  const sql = `SELECT ${EVENTS}, ${FACTS} FROM thread_facts WHERE url = ? AND kind = '${kind}'`
  const row = store.row(sql, url)
  if (!row) return undefined
  const [closingEvent, closedBy, mergingEvent, ...facts] = row
  return {
    ...toFacts(facts),
    closingEvent: asTextOrNull(closingEvent),
    closedBy: asTextOrNull(closedBy),
    mergingEvent: asTextOrNull(mergingEvent),
  }
}

/** The facts about threads of one kind, by URL, read together. */
export function factsOfThreads(
  store: Store,
  kind: ThreadKind,
  urls: readonly string[],
): ReadonlyMap<string, StateFacts> {
  if (kind === 'discussion') return new Map()
  const sql = `SELECT url, ${FACTS} FROM thread_facts WHERE url IN (${valuesOf(urls)}) AND kind = '${kind}'`
  return new Map(store.rows(sql, ...urls).map(([url, ...facts]) => [asText(url), toFacts(facts)]))
}

function toFacts(row: Row): StateFacts {
  const [state, draft, closedAt, mergedAt, mergedBy] = row
  const [assignees, locked, lockReason, milestone, milestoneTitle] = row.slice(5)
  return {
    state: state as StateFacts['state'],
    isDraft: draft === 1,
    closedAt: asTextOrNull(closedAt),
    mergedAt: asTextOrNull(mergedAt),
    mergedBy: asTextOrNull(mergedBy),
    assignees: urlsOf(assignees),
    isLocked: locked === 1,
    lockReason: asTextOrNull(lockReason),
    milestone: asTextOrNull(milestone),
    milestoneTitle: asTextOrNull(milestoneTitle),
  }
}

/** Texts by the URL of their thread. */
type TextsByThread = ReadonlyMap<string, readonly string[]>

/** The second column of rows by the first one. */
function byThread(rows: readonly Row[]): TextsByThread {
  const texts = new Map<string, string[]>()
  for (const [thread, text] of rows) {
    const known = texts.get(asText(thread))
    if (known) known.push(asText(text))
    else texts.set(asText(thread), [asText(text)])
  }
  return texts
}

/** Whose reviews of a pull request are asked for and not given yet. */
export const requestedReviewers = (store: Store, url: string): readonly string[] =>
  requestedReviewersOf(store, [url]).get(url) ?? []

/** The same of several pull requests, by URL. */
export const requestedReviewersOf = (store: Store, urls: readonly string[]): TextsByThread =>
  byThread(
    store.rows(
      `SELECT DISTINCT pull_request, user FROM requested_reviewers
       WHERE pull_request IN (${valuesOf(urls)}) AND user IS NOT NULL ORDER BY position`,
      ...urls,
    ),
  )

/** Who reviewed a pull request, and their last verdict. */
export interface Reviewer {
  /** Login; null for deleted accounts. */
  readonly author: string | null
  readonly state: string | null
}

const REVIEWERS = `SELECT user_login AS author, state FROM reviewers WHERE pull_request = ?
  ORDER BY state = 'commented', user_login LIMIT ?`

/** Who reviewed a pull request, those with a verdict first. */
export const reviewersOf = (store: Store, url: string, limit: number): Reviewer[] =>
  store.all<Reviewer>(REVIEWERS, url, limit)

const LAST_REVIEW = `SELECT r.url, r.state FROM pull_request_reviews AS r
  WHERE r.pull_request = ? AND r.state IS NOT 0 AND ${timeOf(REVIEWED_AT)} <= ?
  ORDER BY r.state = 50 DESC, ${timeOf(REVIEWED_AT)} DESC, r.id DESC, r.url DESC LIMIT 1`

/** The last review of a pull request until an instant, one that was dismissed before others, and its state in the record. */
export function lastReview(
  store: Store,
  url: string,
  until: number,
): { readonly url: string; readonly state: number } | undefined {
  const row = store.row(LAST_REVIEW, url, until)
  return row && { url: asText(row[0]), state: Number(row[1]) }
}

/** Who opened a thread or wrote in it, in the order in which they first did. */
export const participantsOf = (store: Store, kind: ThreadKind, url: string): readonly string[] =>
  participantsOfThreads(store, kind, [url]).get(url) ?? []

const PARTICIPANTS = `SELECT json_group_array(user) FROM (SELECT user FROM (
    SELECT o.user AS user, -9e18 AS at UNION ALL ${selectWriters('o.url')})
  WHERE user IS NOT NULL GROUP BY user ORDER BY min(at), user)`

/** The same of several threads of one kind, by URL. */
export const participantsOfThreads = (
  store: Store,
  kind: ThreadKind,
  urls: readonly string[],
): TextsByThread =>
  new Map(
    store
      .rows(
        `SELECT o.url, (${PARTICIPANTS}) FROM ${THREAD_TABLES[kind]} AS o WHERE o.url IN (${valuesOf(urls)})`,
        ...urls,
      )
      .map(([url, users]) => [asText(url), urlsOf(users)]),
  )

/** A thread that closes another one, or is closed by it. */
export interface LinkedThread {
  readonly kind: 'issue' | 'pull_request'
  readonly url: string
  readonly number: number
  readonly title: string
  readonly state: string
  /** Whether it closes, or closed it: closed, may close or did not close. */
  readonly how: string
}

const CLOSES = `SELECT 'issue' AS kind, i.url, i.number, coalesce(i.title, '') AS title, i.state, c.how
  FROM closing_pull_requests AS c JOIN issues AS i ON i.url = c.issue
  WHERE c.pull_request = ? AND i.number IS NOT NULL LIMIT ?`

const CLOSED_BY = `SELECT 'pull_request' AS kind, p.url, p.number, coalesce(p.title, '') AS title, p.state, c.how
  FROM temp.closings AS c JOIN pull_requests AS p ON p.url = c.pull_request
  WHERE c.issue = ? AND c.how <> 'did not close' AND p.number IS NOT NULL LIMIT ?`

/** The issues that a pull request closes, or the pull requests that close an issue, whose records are there. */
export function linkedThreads(
  store: Store,
  how: 'closes' | 'closed by',
  url: string,
  limit: number,
): LinkedThread[] {
  if (how === 'closes') return store.all<LinkedThread>(CLOSES, url, limit)
  store.once(keepClosings)
  return store.all<LinkedThread>(CLOSED_BY, url, limit)
}

/** The issues that pull requests closed or would close, whether their records are there or not, by pull request. */
export const closedIssuesOf = (store: Store, urls: readonly string[]): TextsByThread =>
  byThread(
    store.rows(
      `SELECT pull_request, issue FROM closing_pull_requests WHERE pull_request IN (${valuesOf(urls)})
       ORDER BY length(issue), issue`,
      ...urls,
    ),
  )

/** Where the record of a thread is from. */
export interface RecordPlace {
  readonly archive: string
  readonly entry: string | null
  readonly record: number | null
  readonly exported: string | null
}

/** The archive and the entry that have the record of a thread. */
export const recordPlace = (store: Store, kind: ThreadKind, url: string): RecordPlace | undefined =>
  store.get<RecordPlace>(
    `SELECT a.name AS archive, o._entry AS entry, o._record_number AS record, a.exported_at AS exported
     FROM ${THREAD_TABLES[kind]} AS o JOIN archives AS a ON a.id = o._archive WHERE o.url = ?`,
    url,
  )

const HEAD = 'SELECT head_repo AS head FROM pull_requests WHERE url = ?'

/** The repository of the branch of a pull request, by URL; undefined if it is gone. */
export const headRepository = (store: Store, url: string): string | undefined =>
  store.get<{ head: string | null }>(HEAD, url)?.head ?? undefined
