import { loginOf } from '../../database/schema/facts/people.ts'
import { timeOf } from '../../database/schema/facts/values.ts'
import { USER_LOGIN } from '../people/logins.ts'
import type { Store } from '../store.ts'
import { LINES, toLines } from './lines.ts'
import { REACTIONS, type TextRow, toText } from './texts.ts'
import type { ReviewThread, TimelineItem } from './thread.ts'

/**
 * The thread and review of each review comment of some pull requests. A thread may have no record: archives before 2021 have
 * none, and there a comment and its replies form one. Its name begins with its pull request, so that no other one has a part of it.
 * `review` is NULL if the review is missing.
 */
const TABLE = `
  CREATE TEMP TABLE IF NOT EXISTS review_threads (id INTEGER PRIMARY KEY, pull_request TEXT, at TEXT, thread TEXT, record INTEGER,
    review TEXT);
  CREATE INDEX IF NOT EXISTS temp.review_threads_by_review ON review_threads (pull_request, review, thread);
  CREATE INDEX IF NOT EXISTS temp.review_threads_by_thread ON review_threads (thread);
  DELETE FROM temp.review_threads`

const COLLECT = `INSERT INTO temp.review_threads
  SELECT c.rowid, c.pull_request, c.created_at,
    c.pull_request || ' ' || coalesce(t.url, c.in_reply_to, c.url, c.rowid), t.rowid, r.url
  FROM pull_request_review_comments AS c
  LEFT JOIN pull_request_review_threads AS t ON t.url = c.pull_request_review_thread
  LEFT JOIN pull_request_review_comments AS first ON first.url = c.in_reply_to
  LEFT JOIN pull_request_reviews AS r ON r.url =
    coalesce(t.pull_request_review, first.pull_request_review, c.pull_request_review)
  WHERE c.pull_request IN (SELECT value FROM json_each(?))`

const HAVE_COMMENTS = `SELECT 1 FROM pull_request_review_comments
  WHERE pull_request IN (SELECT value FROM json_each(?)) LIMIT 1`

/** In SQL, whether the review `o` exists only to hold replies in threads of other reviews. */
export const HOLDS_ONLY_REPLIES = `coalesce(o.body, '') = '' AND o.state = 1
  AND EXISTS (SELECT 1 FROM pull_request_review_comments AS c WHERE c.pull_request_review = o.url)
  AND NOT EXISTS (SELECT 1 FROM temp.review_threads AS n WHERE n.review = o.url AND n.pull_request = o.pull_request)`

const FIRST_REPLY = `SELECT c.url FROM pull_request_reviews AS r
  JOIN pull_request_review_comments AS c ON c.pull_request_review = r.url
  WHERE r.url = ? AND r.state = 1 AND coalesce(r.body, '') = '' GROUP BY r.url
  HAVING count(*) = count(c.in_reply_to) ORDER BY min(${timeOf('c.created_at')})`

/** The first reply of a review that has only replies, by their URLs: a timeline shows no other part of it. */
export const firstReply = (store: Store, review: string): string | undefined =>
  review.includes('#pullrequestreview-')
    ? store.get<{ url: string }>(FIRST_REPLY, review)?.url
    : undefined

interface Noted {
  thread: string
  /** Whether a record describes the thread. */
  isRecord: 0 | 1
}

interface PlaceRow {
  url: string | null
  path: string | null
  diff_hunk: string | null
  position: number | null
  original_position: number | null
  resolved_at: string | null
  resolver: string | null
}

const OF_REVIEW = `SELECT thread, max(record) IS NOT NULL AS isRecord FROM temp.review_threads
  WHERE pull_request = ? AND review = ? GROUP BY thread ORDER BY min(${timeOf('at')}), min(id)`

const OF_COMMENT =
  'SELECT thread, record IS NOT NULL AS isRecord FROM temp.review_threads WHERE id = ?'

const COMMENTS = `SELECT url, ${USER_LOGIN} AS author, created_at, body, ${REACTIONS}
  FROM temp.review_threads AS n JOIN pull_request_review_comments AS o ON o.rowid = n.id
  WHERE n.thread = ? ORDER BY ${timeOf('created_at')}, o.id, n.id`

const THE_RECORD = `FROM pull_request_review_threads AS o
  WHERE rowid = (SELECT max(record) FROM temp.review_threads WHERE thread = ?)`
const RECORD = `SELECT url, path, diff_hunk, position, NULL AS original_position, resolved_at, ${loginOf('o.resolver', 'o.resolver_login')} AS resolver ${THE_RECORD}`
const RECORDED_LINES = `SELECT ${LINES} ${THE_RECORD}`

const FIRST = `SELECT NULL AS url, path, diff_hunk, position, original_position, NULL AS resolved_at, NULL AS resolver
  FROM temp.review_threads AS n JOIN pull_request_review_comments AS c ON c.rowid = n.id
  WHERE n.thread = ? ORDER BY ${timeOf('created_at')}, n.id LIMIT 1`

/** Reads the review threads of pull requests, some after others, in a temporary table: memory does not grow with them. */
export class ReviewThreads {
  readonly #store: Store
  readonly #insert
  #collected: ReadonlySet<string> = new Set()
  #isEmpty = true

  constructor(store: Store) {
    this.#store = store
    store.database.exec(TABLE)
    this.#insert = store.database.prepare<[string]>(COLLECT)
  }

  /** Looks for the threads of pull requests, whose parts can then be read. */
  collect(urls: readonly string[]): void {
    if (urls.every((url) => this.#collected.has(url))) return
    if (!this.#isEmpty) this.#store.database.exec('DELETE FROM temp.review_threads')
    const json = JSON.stringify(urls)
    // Most threads have none: then nothing is written.
    this.#isEmpty = this.#store.get(HAVE_COMMENTS, json) === undefined
    if (!this.#isEmpty) this.#insert.run(json)
    this.#collected = new Set(urls)
  }

  /** The database has changed. */
  forget(): void {
    this.#collected = new Set()
  }

  ofReview = (pullRequest: string, url: string | null): ReviewThread[] =>
    url === null
      ? []
      : this.#store.all<Noted>(OF_REVIEW, pullRequest, url).map((noted) => this.#read(noted))

  /** The thread of a comment, by rowid, whose review is missing. */
  alone(id: bigint): TimelineItem & { kind: 'review_thread' } {
    const thread = this.#read(this.#store.get<Noted>(OF_COMMENT, id) as Noted)
    return { kind: 'review_thread', created_at: thread.comments[0]?.created_at ?? null, ...thread }
  }

  #read({ thread, isRecord }: Noted): ReviewThread {
    const place = this.#store.get<PlaceRow>(isRecord ? RECORD : FIRST, thread) as PlaceRow
    const { url, path, diff_hunk, position, original_position, resolved_at, resolver } = place
    const recorded = isRecord ? this.#store.row(RECORDED_LINES, thread) : undefined
    const at = { hunk: diff_hunk, position, originalPosition: original_position }
    const { line, originalLine, startLine, originalStartLine } = toLines(recorded, at)
    return {
      url,
      path,
      diff_hunk,
      resolved_at,
      resolver,
      line: line ?? originalLine,
      start_line: line === null ? originalStartLine : startLine,
      outdated: position === null,
      comments: this.#store.all<TextRow>(COMMENTS, thread).map((row) => toText(this.#store, row)),
    }
  }
}
