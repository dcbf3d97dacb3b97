import type { Database } from '../database/open-database.ts'
import type { TextRow } from './read-texts.ts'
import type { ReviewThread, Text, TimelineItem } from './thread.ts'

/**
 * Records the thread and review of each review comment of a pull request. Archives before 2021 have no records of threads:
 * there, a comment and its replies form one. `review` is NULL if the review is missing.
 */
export function collectReviewThreads(own: Database, url: string): void {
  createReviewThreadTable(own)
  prepareReviewThreads(own)(url)
}

/** Creates the empty temporary table of `prepareReviewThreads`. */
export function createReviewThreadTable(own: Database): void {
  own.exec(`
    CREATE TEMP TABLE review_threads (id INTEGER PRIMARY KEY, at TEXT, thread TEXT, record INTEGER, review TEXT);
    CREATE INDEX temp.review_threads_by_review ON review_threads (review, thread);
    CREATE INDEX temp.review_threads_by_thread ON review_threads (thread)`)
}

/** The same for one pull request after another. */
export function prepareReviewThreads(own: Database): (url: string) => void {
  const clear = own.prepare('DELETE FROM temp.review_threads')
  const collect = own.prepare(`
      INSERT INTO temp.review_threads
      SELECT c.rowid, c.created_at, coalesce(t.url, c.in_reply_to, c.url, c.rowid), t.rowid, r.url
      FROM pull_request_review_comments AS c
      LEFT JOIN pull_request_review_threads AS t ON t.url = c.pull_request_review_thread
      LEFT JOIN pull_request_review_comments AS first ON first.url = c.in_reply_to
      LEFT JOIN pull_request_reviews AS r ON r.url =
        coalesce(t.pull_request_review, first.pull_request_review, c.pull_request_review)
      WHERE c.pull_request = ?`)
  // Most threads have none: then nothing is written.
  const hasComments = own.prepare<[string]>(
    'SELECT 1 FROM pull_request_review_comments WHERE pull_request = ?',
  )
  let isEmpty = false
  return (url) => {
    if (!isEmpty) clear.run()
    isEmpty = hasComments.get(url) === undefined
    if (!isEmpty) collect.run(url)
  }
}

/** In SQL, whether the review `o` exists only to hold replies in threads of other reviews. */
export const isEmptyShell = `coalesce(o.body, '') = '' AND o.state = 1
  AND EXISTS (SELECT 1 FROM pull_request_review_comments AS c WHERE c.pull_request_review = o.url)
  AND NOT EXISTS (SELECT 1 FROM temp.review_threads AS n WHERE n.review = o.url)`

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
  line: number | null
  start_line: number | null
  original_line: number | null
  original_start_line: number | null
  resolved_at: string | null
  resolver: string | null
}

/** Reads the threads that `collectReviewThreads` recorded. */
export function createReviewThreads(own: Database, asText: (row: TextRow) => Text) {
  const ofReview = own.prepare<[string], Noted>(
    `SELECT thread, max(record) IS NOT NULL AS isRecord FROM temp.review_threads WHERE review = ?
     GROUP BY thread ORDER BY min(unixepoch(at)), min(id)`,
  )
  const ofComment = own.prepare<[bigint], Noted>(
    'SELECT thread, record IS NOT NULL AS isRecord FROM temp.review_threads WHERE id = ?',
  )
  const comments = own.prepare<[string], TextRow>(
    `SELECT url, user_login AS author, created_at, body, reactions
     FROM temp.review_threads AS n JOIN pull_request_review_comments AS c ON c.rowid = n.id
     WHERE n.thread = ? ORDER BY unixepoch(created_at), c.id, n.id`,
  )
  const record = own.prepare<[string], PlaceRow>(
    `SELECT url, path, diff_hunk, position, line, start_line, original_line, original_start_line, resolved_at,
       resolver_login AS resolver FROM pull_request_review_threads
     WHERE rowid = (SELECT max(record) FROM temp.review_threads WHERE thread = ?)`,
  )
  const first = own.prepare<[string], PlaceRow>(
    `SELECT NULL AS url, path, diff_hunk, position, NULL AS line, NULL AS start_line, NULL AS original_line,
       NULL AS original_start_line, NULL AS resolved_at, NULL AS resolver
     FROM temp.review_threads AS n JOIN pull_request_review_comments AS c ON c.rowid = n.id
     WHERE n.thread = ? ORDER BY unixepoch(created_at), n.id LIMIT 1`,
  )
  const read = ({ thread, isRecord }: Noted): ReviewThread => {
    const place = (isRecord ? record : first).get(thread) as PlaceRow
    const { url, path, diff_hunk, position, resolved_at, resolver } = place
    return {
      ...{ url, path, diff_hunk, resolved_at, resolver },
      line: place.line ?? place.original_line,
      start_line: place.line === null ? place.original_start_line : place.start_line,
      outdated: position === null,
      comments: comments.all(thread).map(asText),
    }
  }
  return {
    ofReview: (url: string | null): ReviewThread[] =>
      url === null ? [] : ofReview.all(url).map(read),
    /** The thread of a comment, by rowid, whose review is missing. */
    alone(id: bigint): TimelineItem {
      const thread = read(ofComment.get(id) as Noted)
      return {
        kind: 'review_thread',
        created_at: thread.comments[0]?.created_at ?? null,
        ...thread,
      }
    },
  }
}
