import type { Database } from '../database/open-database.ts'
import { createLruCache, type LruCache } from '../lru-cache.ts'
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
  /** The action of the author, in pieces. */
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
  /** How many items the timeline of a thread has. */
  count(url: string): number
  /** The position of an item in the timeline of a thread, from 0. A review comment is where its review is. */
  positionOf(url: string, item: string): number | undefined
}

/** The items of a thread in their order: where each is from, as an index of `SOURCES`, and its rowid there. */
interface Order {
  readonly sources: Uint8Array
  readonly ids: BigInt64Array
}

const SOURCES = ['comment', 'event', 'review', 'review_thread'] as const

type Source = (typeof SOURCES)[number]

/** Bytes of the orders that are remembered: to sort a long thread takes longer than to read a page of it. */
const REMEMBERED = 2 * 2 ** 20

/** Where an item may be in the order of its thread. */
const FIND = `
  SELECT 'comment' AS source, rowid AS id FROM issue_comments WHERE url = :item
  UNION ALL SELECT 'event', rowid FROM issue_events WHERE url = :item
  UNION ALL SELECT 'review', rowid FROM pull_request_reviews WHERE url = :item
  UNION ALL SELECT 'review', r.rowid FROM pull_request_review_comments AS c
    JOIN temp.review_threads AS n ON n.id = c.rowid
    JOIN pull_request_reviews AS r ON r.url = n.review WHERE c.url = :item
  UNION ALL SELECT 'review_thread', min(n.id) FROM temp.review_threads AS n WHERE n.thread = (
    SELECT o.thread FROM pull_request_review_comments AS c
    JOIN temp.review_threads AS o ON o.id = c.rowid WHERE c.url = :item) HAVING min(n.id) IS NOT NULL`

/**
 * Prepares all statements once. Unlike `readTimeline` it uses the connection itself and its temporary tables, so it reads one
 * page at a time.
 */
export function createThreadReader(database: Database): ThreadReader {
  createReviewThreadTable(database)
  const collect = prepareReviewThreads(database)
  const read = createItemReaders(database, describe)
  const prepare = <Values extends object>(sql: string) =>
    database.prepare<[Values], { source: Source; id: bigint }>(sql).safeIntegers()
  const happened = prepare<{ url: string }>(HAPPENED)
  const count = database
    .prepare<[{ url: string }], number>(`SELECT count(*) FROM (${HAPPENED})`)
    .pluck()
  const find = prepare<{ item: string }>(FIND)
  // It changes when another program has written to the database.
  const version = database.prepare<[], number>('PRAGMA data_version').pluck()
  let orders: LruCache<string, Order> | undefined
  let [known, collected] = [-1, '']
  const refresh = () => {
    const now = version.get() ?? 0
    if (orders && now === known) return orders
    ;[known, collected] = [now, '']
    orders = createLruCache<string, Order>(REMEMBERED, ({ ids }) => 9 * ids.length + 300)
    return orders
  }
  const collectOnce = (url: string) => {
    if (url !== collected) collect(url)
    collected = url
  }
  const orderOf = (url: string): Order => {
    const orders = refresh()
    const before = orders.get(url)
    if (before) return before
    collectOnce(url)
    const rows = happened.all({ url })
    const sources = Uint8Array.from(rows, ({ source }) => SOURCES.indexOf(source))
    const order = { sources, ids: BigInt64Array.from(rows, ({ id }) => id) }
    orders.set(url, order)
    return order
  }
  return {
    page(url, { offset, limit }) {
      const { sources, ids } = orderOf(url)
      const page = [...ids.subarray(offset, offset + limit)]
      // The parts of a review are in the temporary table.
      if (sources.subarray(offset, offset + limit).some((source) => source > 1)) collectOnce(url)
      const itemAt = (id: bigint, i: number) =>
        read[SOURCES[sources[offset + i] ?? 0] ?? 'comment'](id) as DetailedItem
      return { total: ids.length, items: page.map(itemAt) }
    },
    count(url) {
      const order = refresh().get(url)
      if (order) return order.ids.length
      collectOnce(url)
      return count.get({ url }) ?? 0
    },
    positionOf(url, item) {
      const { sources, ids } = orderOf(url)
      collectOnce(url)
      const positions = find.all({ item }).flatMap(({ source, id }) => {
        for (let at = ids.indexOf(id); at >= 0; at = ids.indexOf(id, at + 1)) {
          if (SOURCES[sources[at] ?? 0] === source) return [at]
        }
        return []
      })
      return positions.length === 0 ? undefined : Math.min(...positions)
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
