import { anOpenDatabase, aText, checkArguments } from '../check-arguments.ts'
import type { Database } from '../database/open-database.ts'
import { openSnapshot } from '../database/open-snapshot.ts'
import { readPages } from '../database/read-pages.ts'
import { eventSentence } from './event-sentences.ts'
import { placeOf, repositoryOf, shortOid } from './names.ts'
import { createTexts, type TextRow } from './read-texts.ts'
import { collectReviewThreads, createReviewThreads, isEmptyShell } from './review-threads.ts'
import type { TimelineItem } from './thread.ts'

const PAGE = 200

/**
 * Reads what happened in a thread in chronological order: comments, events, and reviews with their review threads. Memory
 * does not grow with the length of the thread.
 *
 * @param database the database to read
 * @param url URL of the issue, pull request or discussion
 * @returns the timeline; empty if there is no such record
 * @throws `database-busy`, `database-damaged` or `option-invalid`
 * @example
 * for (const item of readTimeline(database, thread.url)) if (item.kind === 'event') show(item.sentence)
 */
export function* readTimeline(database: Database, url: string): Generator<TimelineItem> {
  checkArguments({ database, url }, { database: anOpenDatabase, url: aText })
  const own = openSnapshot(database)
  try {
    collectReviewThreads(own, url)
    own.exec(`CREATE TEMP TABLE happened (source TEXT, id INTEGER)`)
    own.prepare(`INSERT INTO temp.happened ${HAPPENED}`).run({ url })
    const read = createItemReaders(own, describeEvent)
    const pages = readPages<{ source: keyof typeof read; id: bigint }>(own, {
      ...{ from: 'temp.happened', rowids: ['id'], size: PAGE },
    })
    for (const happened of pages) for (const { source, id } of happened) yield read[source](id)
  } finally {
    own.close()
  }
}

// At equal times, a review precedes what follows from it, and events are in the order of their ids.
export const HAPPENED = `
  SELECT source, id FROM (
    SELECT 'comment' AS source, o.rowid AS id, created_at AS at, 1 AS rank, o.id AS number
      FROM issue_comments AS o WHERE issue = :url OR pull_request = :url
    UNION ALL
    SELECT 'event', o.rowid, created_at, 2, o.id
      FROM issue_events AS o WHERE issue = :url OR pull_request = :url
    UNION ALL
    SELECT 'review', o.rowid, coalesce(submitted_at, created_at), 0, o.id
      FROM pull_request_reviews AS o WHERE pull_request = :url AND NOT (${isEmptyShell})
    UNION ALL
    SELECT 'review_thread', min(c.id), min(c.at), 0, min(c.id)
      FROM temp.review_threads AS c WHERE review IS NULL GROUP BY c.thread
  ) ORDER BY unixepoch(at), rank, number, id`

export interface EventRow {
  url: string | null
  author: string | null
  created_at: string | null
  event: string | null
  /** Members that only some events have. */
  [member: string]: string | null
}

/** Readers of items by rowid, for each source of `HAPPENED`. */
export function createItemReaders<Event = TimelineItem>(
  own: Database,
  toEvent: (row: EventRow) => Event,
) {
  const asText = createTexts(own)
  const threads = createReviewThreads(own, asText)
  const comment = own.prepare<[bigint], TextRow>(
    `SELECT url, user_login AS author, created_at, body, reactions FROM issue_comments WHERE rowid = ?`,
  )
  const review = own.prepare<[bigint], TextRow & { state: string | null }>(
    `SELECT url, user_login AS author, coalesce(submitted_at, created_at) AS created_at, body, reactions,
       state_name AS state FROM pull_request_reviews WHERE rowid = ?`,
  )
  const event = own.prepare<[bigint], EventRow>(
    `SELECT url, actor_login AS author, created_at, event, title_was, title_is, commit_id, ref, before_commit_oid,
       after_commit_oid, commit_repository, label, label_name, label_color, label_text_color, subject,
       referencing_pull_request, milestone_title, milestone FROM issue_events WHERE rowid = ?`,
  )
  return {
    comment: (id: bigint): TimelineItem => ({
      kind: 'comment',
      ...asText(comment.get(id) as TextRow),
    }),
    review(id: bigint): TimelineItem {
      const row = review.get(id) as TextRow & { state: string | null }
      return {
        kind: 'review',
        ...asText(row),
        state: row.state,
        threads: threads.ofReview(row.url),
      }
    },
    review_thread: (id: bigint): TimelineItem => threads.alone(id),
    event: (id: bigint): Event => toEvent(event.get(id) as EventRow),
  }
}

function describeEvent(row: EventRow): TimelineItem {
  const { url, author, created_at, event } = row
  return {
    ...{ kind: 'event', url, author, created_at, event: event ?? '' },
    sentence: eventSentence(event ?? '', eventWords(row)),
  }
}

/** The fields of an event as text. */
export function eventWords({ url, author, created_at, event, ...row }: EventRow) {
  const words: Record<string, string | undefined> = {}
  for (const [member, value] of Object.entries(row)) {
    if (typeof value === 'string') words[member] = inWords(member, value, url)
  }
  return words
}

function inWords(member: string, value: string, event: string | null): string | undefined {
  switch (member) {
    case 'subject':
    case 'referencing_pull_request':
      return nearby(placeOf(value) ?? value, repositoryOf(event))
    case 'commit_repository': {
      const repository = repositoryOf(value)
      return repository === repositoryOf(event) ? undefined : (repository ?? value)
    }
    case 'commit_id':
    case 'before_commit_oid':
    case 'after_commit_oid':
      return shortOid(value)
    default:
      return value
  }
}

/** Shortens `owner/name#12` to `#12` in the same repository. */
const nearby = (place: string, repository: string | null): string =>
  repository !== null && place.startsWith(`${repository}#`) ? place.slice(repository.length) : place
