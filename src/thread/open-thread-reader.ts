import type { Database } from '../database/open-database.ts'
import { type EventPart, eventParts } from './event-sentences.ts'
import { createItemReaders, type EventRow, eventWords, HAPPENED } from './read-timeline.ts'
import { createReviewThreadTable, prepareReviewThreads } from './review-threads.ts'
import type { TimelineItem } from './thread.ts'

/** An event with its fields, for who shows more than a sentence. */
export interface DetailedEvent {
  kind: 'event'
  url: string | null
  author: string | null
  created_at: string | null
  event: string
  /** What the author did, in pieces. */
  parts: EventPart[]
  /** The fields as stored. */
  row: EventRow
}

export type DetailedItem = Exclude<TimelineItem, { kind: 'event' }> | DetailedEvent

export interface TimelinePage {
  /** Items of the whole timeline. */
  total: number
  items: DetailedItem[]
}

/** Reads pages of timelines, one thread after another. */
export interface ThreadReader {
  page(url: string, range: { offset: number; limit: number }): TimelinePage
  /** The position of an item in the timeline of a thread, from 0. A review comment is where its review is. */
  positionOf(url: string, item: string): number | undefined
}

/**
 * Prepares all statements once. Unlike `readTimeline` it uses the connection itself and its temporary tables, so it reads one
 * page at a time.
 */
export function openThreadReader(database: Database): ThreadReader {
  createReviewThreadTable(database)
  const collect = prepareReviewThreads(database)
  const read = createItemReaders(database, describe)
  type Happened = { source: keyof typeof read; id: bigint }
  const happened = database
    .prepare<[{ url: string; limit: number; offset: number }], Happened>(
      `${HAPPENED} LIMIT :limit OFFSET :offset`,
    )
    .safeIntegers()
  const count = database
    .prepare<[{ url: string }], number>(`SELECT count(*) FROM (${HAPPENED})`)
    .pluck()
  const find = database
    .prepare<[{ url: string; item: string }], number>(
      `WITH numbered AS (SELECT source, id, row_number() OVER () - 1 AS position FROM (${HAPPENED}))
       SELECT position FROM numbered WHERE
         source = 'comment' AND id = (SELECT rowid FROM issue_comments WHERE url = :item)
         OR source = 'event' AND id = (SELECT rowid FROM issue_events WHERE url = :item)
         OR source = 'review' AND id IN (
           SELECT rowid FROM pull_request_reviews WHERE url = :item
           UNION ALL SELECT r.rowid FROM pull_request_review_comments AS c
           JOIN temp.review_threads AS n ON n.id = c.rowid
           JOIN pull_request_reviews AS r ON r.url = n.review WHERE c.url = :item)
         OR source = 'review_thread' AND id IN (
           SELECT min(n.id) FROM temp.review_threads AS n WHERE n.thread = (
             SELECT o.thread FROM pull_request_review_comments AS c
             JOIN temp.review_threads AS o ON o.id = c.rowid WHERE c.url = :item))`,
    )
    .pluck()
  return {
    page(url, { offset, limit }) {
      collect(url)
      const rows = happened.all({ url, limit, offset })
      const isAll = offset === 0 && rows.length < limit
      return {
        total: isAll ? rows.length : (count.get({ url }) ?? 0),
        items: rows.map(({ source, id }) => read[source](id) as DetailedItem),
      }
    },
    positionOf(url, item) {
      collect(url)
      return find.get({ url, item })
    },
  }
}

function describe(row: EventRow): DetailedEvent {
  const { url, author, created_at, event } = row
  return {
    ...{ kind: 'event', url, author, created_at, event: event ?? '' },
    parts: eventParts(event ?? '', eventWords(row)),
    row,
  }
}
