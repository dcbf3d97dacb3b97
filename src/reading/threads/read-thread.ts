import { anOpenDatabase, aText, checkArguments } from '../../base/check-arguments.ts'
import { refuseLargeRow } from '../../database/large-row.ts'
import type { Database } from '../../database/open-database.ts'
import { elementsOf } from '../../database/schema/facts/values.ts'
import { loginOf, placeOf, repositoryOf } from '../names.ts'
import { loginAt, loginsAt, USER_LOGIN } from '../people/logins.ts'
import { Store } from '../store.ts'
import { type TextRow, toText } from './texts.ts'
import type { PullRequest, Thread } from './thread.ts'
import {
  closedIssues,
  readThreadFacts,
  requestedReviewers,
  THREAD_TABLES,
  type ThreadFacts,
  type ThreadKind,
} from './thread-facts.ts'

interface ThreadRow extends TextRow {
  url: string
  repository: string | null
  full_name: string | null
  number: number | null
  title: string | null
  labels: string | null
  discussion_category: string | null
}

interface PullRow {
  repository: string | null
  base_ref: string | null
  head_ref: string | null
  head_repo: string | null
  merge_commit_sha: string | null
}

const COLUMNS = `url, repository, full_name, number, title, body, ${USER_LOGIN} AS author, created_at, reactions, labels`

const KINDS = Object.keys(THREAD_TABLES) as ThreadKind[]

/** Whether the records of a table are threads. */
export const isThreadTable = (table: string): boolean =>
  KINDS.some((kind) => THREAD_TABLES[kind] === table)

/**
 * Reads an issue, pull request or discussion, without its timeline.
 *
 * @param database the database to read
 * @param url URL of the record
 * @returns the thread, or undefined if there is none
 * @throws `option-invalid`
 * @example
 * const [target] = resolveTarget(database, 'ada/kettle#1')
 * const thread = target && readThread(database, target.url)
 */
export function readThread(database: Database, url: string): Thread | undefined {
  checkArguments({ database, url }, { database: anOpenDatabase, url: aText })
  return threadAt(Store.borrow(database), url)
}

/** The thread with a URL; of several kinds the first that has it. */
export function threadAt(
  store: Store,
  url: string,
  kinds: readonly ThreadKind[] = KINDS,
): Thread | undefined {
  for (const kind of kinds) {
    const table = THREAD_TABLES[kind]
    const category = kind === 'discussion' ? 'discussion_category' : 'NULL AS discussion_category'
    refuseLargeRow(store.database, table, url)
    const row = store.get<ThreadRow>(
      `SELECT ${COLUMNS}, ${category} FROM ${table} AS o WHERE url = ?`,
      url,
    )
    if (row) return toThread(store, kind, row)
  }
  return undefined
}

function toThread(store: Store, kind: ThreadKind, row: ThreadRow): Thread {
  const { url, full_name, number, title, discussion_category: category } = row
  const facts = readThreadFacts(store, kind, url)
  return {
    kind,
    ...toText(store, row),
    url,
    full_name,
    number,
    title,
    state: facts?.state ?? null,
    closed_at: facts?.closedAt ?? null,
    locked: facts?.isLocked ?? false,
    lock_reason: facts?.lockReason ?? null,
    labels: labelsOf(store, row),
    assignees: loginsAt(store, facts?.assignees ?? []),
    milestone: facts?.milestoneTitle ?? null,
    milestone_url: facts?.milestone ?? null,
    category: category && categoryName(store, category),
    pull_request: facts && kind === 'pull_request' ? readPullRequest(store, url, facts) : null,
  }
}

/** The labels of the repository are read once, however many of them the thread has. */
const LABELS = `SELECT e.value AS url, l.name
  FROM (SELECT ? AS labels) AS o, ${elementsOf('o.labels', 'e')}
  LEFT JOIN (SELECT url, name FROM labels WHERE repository = ? GROUP BY url) AS l ON l.url = e.value
  WHERE e.type = 'text'`

/** Names of the labels, each by its record, or else by its URL. */
const labelsOf = (store: Store, { repository, labels }: ThreadRow): string[] =>
  store
    .all<{ url: unknown; name: unknown }>(LABELS, labels, repository)
    .flatMap(({ url, name }) => (typeof name === 'string' ? name : (loginOf(url) ?? [])))

const PULL = `SELECT repository, base_ref, head_ref, head_repo, merge_commit_sha FROM pull_requests WHERE url = ?`

function readPullRequest(store: Store, url: string, facts: ThreadFacts): PullRequest {
  const { repository, base_ref, head_ref, head_repo, merge_commit_sha } = store.get<PullRow>(
    PULL,
    url,
  ) as PullRow
  const fork = head_repo === repository ? '' : `${repositoryOf(head_repo) ?? 'a deleted fork'}:`
  return {
    base: base_ref,
    head: head_ref && fork + head_ref,
    draft: facts.isDraft,
    merged_at: facts.mergedAt,
    merge_commit_sha,
    merged_by: loginAt(store, facts.mergedBy),
    review_requests: loginsAt(store, requestedReviewers(store, url)),
    closes: closedIssues(store, url).flatMap((issue) => placeOf(issue) ?? []),
  }
}

const CATEGORY = 'SELECT name FROM discussion_categories WHERE url = ?'

const categoryName = (store: Store, url: string): string =>
  store.get<{ name: string | null }>(CATEGORY, url)?.name ?? loginOf(url) ?? url
