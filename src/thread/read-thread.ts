import { anOpenDatabase, aText, checkArguments } from '../check-arguments.ts'
import type { Database } from '../database/open-database.ts'
import { prepareOnce } from '../database/prepare-once.ts'
import { listOf, loginOf, nameOf, objectsOf, placeOf, repositoryOf } from './names.ts'
import { createTexts, type TextRow } from './read-texts.ts'
import type { PullRequest, Thread } from './thread.ts'

const KINDS = {
  issues: 'issue',
  pull_requests: 'pull_request',
  discussions: 'discussion',
} as const satisfies Record<string, Thread['kind']>

interface ThreadRow extends TextRow {
  url: string
  full_name: string | null
  number: number | null
  title: string | null
  state: string | null
  closed_at: string | null
  labels: string | null
  assignees: string | null
  milestone: string | null
  discussion_category: string | null
}

interface PullRow {
  repository: string | null
  base_ref: string | null
  head_ref: string | null
  head_repo: string | null
  work_in_progress: number | null
  merged_at: string | null
  merge_commit_sha: string | null
  review_requests: string | null
  close_issue_references: string | null
}

const common =
  'url, full_name, number, title, body, user_login AS author, created_at, reactions, labels'
const COLUMNS: Record<keyof typeof KINDS, string> = {
  issues: `${common}, state, closed_at, assignees, milestone, NULL AS discussion_category`,
  pull_requests: `${common}, state, closed_at, assignees, milestone, NULL AS discussion_category`,
  discussions: `${common}, NULL AS state, NULL AS closed_at, NULL AS assignees, NULL AS milestone, discussion_category`,
}

/** Whether `readThread` can read the records of a table. */
export const isThreadTable = (table: string): table is keyof typeof KINDS =>
  Object.hasOwn(KINDS, table)

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
  for (const table of Object.keys(KINDS) as (keyof typeof KINDS)[]) {
    const sql = `SELECT ${COLUMNS[table]} FROM ${table} WHERE url = ?`
    const row = prepareOnce<[string], ThreadRow>(database, sql).get(url)
    if (row === undefined) continue
    const { full_name, number, title, state, closed_at } = row
    return {
      kind: KINDS[table],
      ...textsOf(database)(row),
      ...{ url, full_name, number, title, state, closed_at },
      labels: listOf(row.labels).flatMap((label) => nameOf(label) ?? []),
      assignees: listOf(row.assignees).flatMap((person) => loginOf(person) ?? []),
      milestone: row.milestone && milestoneTitle(database, row.milestone),
      category: row.discussion_category && categoryName(database, row.discussion_category),
      pull_request: table === 'pull_requests' ? readPullRequest(database, url) : null,
    }
  }
  return undefined
}

const PULL = `SELECT repository, base_ref, head_ref, head_repo, work_in_progress, merged_at, merge_commit_sha,
  review_requests, close_issue_references FROM pull_requests WHERE url = ?`

const texts = new WeakMap<Database, ReturnType<typeof createTexts>>()

/** The reader of texts of a connection, prepared once. */
function textsOf(database: Database): ReturnType<typeof createTexts> {
  const known = texts.get(database) ?? createTexts(database)
  texts.set(database, known)
  return known
}

function readPullRequest(database: Database, url: string): PullRequest {
  const row = prepareOnce<[string], PullRow>(database, PULL).get(url) as PullRow
  const { merged_at, merge_commit_sha, head_repo } = row
  const fork = head_repo === row.repository ? '' : `${repositoryOf(head_repo) ?? 'a deleted fork'}:`
  return {
    base: row.base_ref,
    head: row.head_ref && fork + row.head_ref,
    draft: row.work_in_progress === 1,
    ...{ merged_at, merge_commit_sha },
    review_requests: objectsOf(row.review_requests).flatMap(
      ({ reviewer }) => loginOf(reviewer) ?? [],
    ),
    closes: objectsOf(row.close_issue_references).flatMap(({ issue }) => placeOf(issue) ?? []),
  }
}

const milestoneTitle = (database: Database, url: string): string =>
  textOf(database, 'SELECT title AS text FROM milestones WHERE url = ?', url) ?? nameOf(url) ?? url

const categoryName = (database: Database, url: string): string =>
  textOf(database, 'SELECT name AS text FROM discussion_categories WHERE url = ?', url) ??
  nameOf(url) ??
  url

const textOf = (database: Database, sql: string, url: string) =>
  prepareOnce<[string], { text: string | null }>(database, sql).get(url)?.text
