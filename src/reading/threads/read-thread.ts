import { anOpenDatabase, aText, checkArguments } from '../../base/check-arguments.ts'
import { refuseLargeRow } from '../../database/large-row.ts'
import type { Database } from '../../database/open-database.ts'
import { loginOf, placeOf, repositoryOf } from '../names.ts'
import { loginsByUrl, USER_LOGIN } from '../people/logins.ts'
import { Store, valuesOf } from '../store.ts'
import { urlsOf } from '../values.ts'
import { REACTIONS, type TextRow, textsWithUploads, toText } from './texts.ts'
import type { PullRequest, Thread } from './thread.ts'
import {
  closedIssuesOf,
  factsOfThreads,
  requestedReviewersOf,
  type StateFacts,
  THREAD_TABLES,
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
  base_ref: string | null
  head_ref: string | null
  head_repo: string | null
  merge_commit_sha: string | null
}

const COLUMNS = `url, repository, full_name, number, title, body, ${USER_LOGIN} AS author, created_at, ${REACTIONS}`

const PULL_COLUMNS = 'base_ref, head_ref, head_repo, merge_commit_sha'
const NO_PULL = PULL_COLUMNS.replaceAll(/\w+/g, 'NULL AS $&')

/** The columns that not all kinds have. */
const COLUMNS_OF: Readonly<Record<ThreadKind, string>> = {
  issue: `labels, NULL AS discussion_category, ${NO_PULL}`,
  pull_request: `labels, NULL AS discussion_category, ${PULL_COLUMNS}`,
  discussion: `labels, discussion_category, ${NO_PULL}`,
}

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
    const [thread] = threadsAt(store, kind, [url])
    if (thread) return thread
  }
  return undefined
}

/**
 * The threads of one kind with these URLs, in this order, without those that have no record. They are read together: a statement
 * for each thread would take most of the time.
 */
export function threadsAt(store: Store, kind: ThreadKind, urls: readonly string[]): Thread[] {
  const table = THREAD_TABLES[kind]
  for (const url of urls) refuseLargeRow(store.database, table, url)
  const sql = `SELECT ${COLUMNS}, ${COLUMNS_OF[kind]} FROM ${table} AS o WHERE o.url IN (${valuesOf(urls)})`
  const found = new Map(store.all<ThreadRow>(sql, ...urls).map((row) => [row.url, row]))
  const rows = urls.flatMap((url) => found.get(url) ?? [])
  if (rows.length === 0) return []
  const surroundings = readSurroundings(store, kind, rows)
  return rows.map((row) => toThread(store, kind, row, surroundings))
}

/** Facts that belong to rows of threads, by the URL of the thread. */
interface Surroundings {
  readonly facts: ReadonlyMap<string, StateFacts>
  readonly requested: ReadonlyMap<string, readonly string[]>
  readonly closed: ReadonlyMap<string, readonly string[]>
  /** By the repository and the URL of the label. */
  readonly labels: LabelNames
  readonly withUploads: ReadonlySet<string>
  /** By the URL of the person. */
  readonly logins: ReadonlyMap<string, string | null>
}

const NONE: ReadonlyMap<string, readonly string[]> = new Map()

function readSurroundings(
  store: Store,
  kind: ThreadKind,
  rows: readonly ThreadRow[],
): Surroundings {
  const urls = rows.map(({ url }) => url)
  const isPull = kind === 'pull_request'
  const facts = factsOfThreads(store, kind, urls)
  const requested = isPull ? requestedReviewersOf(store, urls) : NONE
  const people = [...facts.values()].flatMap(({ assignees, mergedBy }) => [
    ...assignees,
    ...(mergedBy === null ? [] : [mergedBy]),
  ])
  return {
    facts,
    requested,
    closed: isPull ? closedIssuesOf(store, urls) : NONE,
    labels: labelNames(store, rows),
    withUploads: textsWithUploads(store, urls),
    logins: loginsByUrl(store, [...people, ...[...requested.values()].flat()]),
  }
}

function toThread(store: Store, kind: ThreadKind, row: ThreadRow, around: Surroundings): Thread {
  const { url, repository, full_name, number, title, discussion_category: category } = row
  const facts = around.facts.get(url)
  const names = around.labels.get(repository)
  return {
    kind,
    ...toText(store, row, (parent) => around.withUploads.has(parent)),
    url,
    full_name,
    number,
    title,
    state: facts?.state ?? null,
    closed_at: facts?.closedAt ?? null,
    locked: facts?.isLocked ?? false,
    lock_reason: facts?.lockReason ?? null,
    labels: urlsOf(row.labels).flatMap((label) => names?.get(label) ?? loginOf(label) ?? []),
    assignees: loginsOf(facts?.assignees ?? [], around),
    milestone: facts?.milestoneTitle ?? null,
    milestone_url: facts?.milestone ?? null,
    category: category && categoryName(store, category),
    pull_request: facts && kind === 'pull_request' ? toPullRequest(row, facts, around) : null,
  }
}

function toPullRequest(row: ThreadRow, facts: StateFacts, around: Surroundings): PullRequest {
  const { url, repository, base_ref, head_ref, head_repo, merge_commit_sha } = row
  const fork = head_repo === repository ? '' : `${repositoryOf(head_repo) ?? 'a deleted fork'}:`
  const { mergedAt, mergedBy, isDraft } = facts
  return {
    base: base_ref,
    head: head_ref && fork + head_ref,
    draft: isDraft,
    merged_at: mergedAt,
    merge_commit_sha,
    merged_by: mergedBy === null ? null : (around.logins.get(mergedBy) ?? null),
    review_requests: loginsOf(around.requested.get(url) ?? [], around),
    closes: (around.closed.get(url) ?? []).flatMap((issue) => placeOf(issue) ?? []),
  }
}

const loginsOf = (urls: readonly string[], { logins }: Surroundings): string[] =>
  urls.flatMap((url) => logins.get(url) ?? [])

/** The labels of a repository are read once, however many of its threads have how many of them. */
const LABELS = `SELECT url, name FROM labels
  WHERE repository = ? AND url IN (SELECT value FROM json_each(?)) AND name IS NOT NULL GROUP BY url`

type LabelNames = ReadonlyMap<string | null, ReadonlyMap<string, string>>

/** The names of the labels of threads, of those that have a record. */
function labelNames(store: Store, threads: readonly ThreadRow[]): LabelNames {
  const names = new Map<string | null, ReadonlyMap<string, string>>()
  for (const [repository, rows] of Map.groupBy(threads, (row) => row.repository)) {
    const urls = new Set(rows.flatMap(({ labels }) => urlsOf(labels)))
    if (repository === null || urls.size === 0) continue
    const found = store.all<{ url: string; name: string }>(
      LABELS,
      repository,
      JSON.stringify([...urls]),
    )
    names.set(repository, new Map(found.map(({ url, name }) => [url, name])))
  }
  return names
}

const CATEGORY = 'SELECT name FROM discussion_categories WHERE url = ?'

const categoryName = (store: Store, url: string): string =>
  store.get<{ name: string | null }>(CATEGORY, url)?.name ?? loginOf(url) ?? url
