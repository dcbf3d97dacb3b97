import { anOpenDatabase, aText, checkArguments } from '../../base/check-arguments.ts'
import { createLruCache, type LruCache } from '../../base/lru-cache.ts'
import type { Database } from '../../database/open-database.ts'
import { openSnapshot } from '../../database/open-snapshot.ts'
import { loginOf } from '../../database/schema/facts/people.ts'
import { timeOf } from '../../database/schema/facts/values.ts'
import { USER_LOGIN } from '../people/logins.ts'
import { Remembered } from '../remembered.ts'
import { Store } from '../store.ts'
import { type EventItem, toEvent, withSentence } from './event-item.ts'
import type { EventRow } from './event-sentences.ts'
import {
  type Order,
  type Orders,
  type Place,
  PlaceList,
  SOURCES,
  type Source,
  toOrders,
} from './places.ts'
import { HOLDS_ONLY_REPLIES, ReviewThreads } from './review-threads.ts'
import { REACTIONS, type TextRow, textsWithUploads, toText } from './texts.ts'
import type { ReviewThread, TimelineItem } from './thread.ts'

export type Item = Exclude<TimelineItem, { kind: 'event' }> | EventItem

export interface TimelinePage {
  /** Items of the whole timeline. */
  readonly total: number
  readonly items: Item[]
}

/** Bytes of the orders that are remembered: to sort a long thread takes longer than to read a page of it. */
const REMEMBERED = 2 * 2 ** 20

/**
 * In a second a review precedes what follows from it, then come comments and events, each in the order of their ids. Replies
 * follow the comment on a discussion that they answer.
 */
const ORDER = `${timeOf('at')}, rank, number, id`

const recordsOf = (threads: string) => `
    SELECT 'comment' AS source, o.thread, o.rowid AS id, created_at AS at, 1 AS rank, o.id AS number
      FROM issue_comments AS o WHERE thread ${threads}
    UNION ALL
    SELECT 'event', o.thread, o.rowid, created_at, 2, o.id
      FROM issue_events AS o WHERE thread ${threads}
    UNION ALL
    SELECT 'discussion_comment', o.discussion, o.rowid, coalesce(above.created_at, o.created_at), 1, coalesce(above.id, o.id)
      FROM discussion_comments AS o LEFT JOIN discussion_comments AS above ON above.url = o.in_reply_to
      WHERE o.discussion ${threads}
    UNION ALL
    SELECT iif(${HOLDS_ONLY_REPLIES}, 'replies', 'review'), o.pull_request, o.rowid, coalesce(submitted_at, created_at), 0, o.id
      FROM pull_request_reviews AS o WHERE pull_request ${threads}`

/** An operand, not a parameter alone: `../store.ts` says why. */
const URL = "(:url || '')"
const ITEM = "(:item || '')"

const HAPPENED = `
  SELECT source, id FROM (${recordsOf(`= ${URL}`)}
    UNION ALL
    SELECT 'review_thread', NULL, min(c.id), min(c.at), 0, min(c.id)
      FROM temp.review_threads AS c WHERE review IS NULL GROUP BY c.thread
  ) ORDER BY ${ORDER}`

/** The same of several threads without comments on lines. */
const HAPPENED_IN_THREADS = `
  SELECT thread, source, id FROM (${recordsOf('IN (SELECT value FROM json_each(:urls))')}
  ) ORDER BY thread, ${ORDER}`

/** Where an item may be in the order of its thread. */
const FIND = `
  SELECT 'comment' AS source, rowid AS id FROM issue_comments WHERE url = ${ITEM}
  UNION ALL SELECT 'event', rowid FROM issue_events WHERE url = ${ITEM}
  UNION ALL SELECT 'discussion_comment', rowid FROM discussion_comments WHERE url = ${ITEM}
  UNION ALL SELECT 'review', rowid FROM pull_request_reviews WHERE url = ${ITEM}
  UNION ALL SELECT 'review', r.rowid FROM pull_request_review_comments AS c
    JOIN temp.review_threads AS n ON n.id = c.rowid
    JOIN pull_request_reviews AS r ON r.url = n.review WHERE c.url = ${ITEM}
  UNION ALL SELECT 'review_thread', min(n.id) FROM temp.review_threads AS n WHERE n.thread = (
    SELECT o.thread FROM pull_request_review_comments AS c
    JOIN temp.review_threads AS o ON o.id = c.rowid WHERE c.url = ${ITEM}) HAVING min(n.id) IS NOT NULL`

const COMMENT = `url, ${USER_LOGIN} AS author, created_at, body, ${REACTIONS}`

const DISCUSSION_COMMENT = `${COMMENT}, in_reply_to, is_answer`

const REVIEW = `url, ${USER_LOGIN} AS author, coalesce(submitted_at, created_at) AS created_at, body, ${REACTIONS},
  state_name AS state`

const EVENT = `url, ${loginOf('o.actor', 'o.actor_login')} AS author, created_at, event, title_was, title_is, commit_id, ref, before_commit_oid,
  after_commit_oid, commit_repository, label, label_name, label_color, label_text_color, subject,
  referencing_pull_request, milestone_title, milestone`

/** Items of a thread, and bytes of one, up to which they are read together with those of other threads, and items of all. */
const FEW = 50
const SHORT = 10_000
const MOST_TOGETHER = 1250

/** Selects records whose rowids are in a JSON array, of those that are short. */
const selectShort = (table: string, columns: string, texts: readonly string[]): string =>
  `SELECT CAST(o.rowid AS TEXT) AS id, ${columns} FROM ${table} AS o
   WHERE o.rowid IN (SELECT value FROM json_each(?))
     AND ${texts.map((name) => `ifnull(octet_length(o.${name}), 0)`).join(' + ')} <= ${SHORT}`

const COMMENT_TEXTS = ['body', 'reactions', 'url']
const COMMENTS = selectShort('issue_comments', COMMENT, COMMENT_TEXTS)
const DISCUSSION_COMMENTS = selectShort('discussion_comments', DISCUSSION_COMMENT, COMMENT_TEXTS)
const EVENT_TEXTS =
  'url actor title_was title_is label label_name milestone milestone_title subject referencing_pull_request commit_id ref commit_repository'

const EVENTS = selectShort('issue_events', EVENT, EVENT_TEXTS.split(' '))

/** The timelines of the threads of a database. All their statements are prepared once for its connection. */
export const timelinesOf = (store: Store): Timelines => store.once(createTimelines)

const createTimelines = (store: Store): Timelines => new Timelines(store)

/** Comments, events, and reviews with their review threads, in chronological order, of one thread after another. */
export class Timelines {
  readonly #store: Store
  readonly #reviewThreads: ReviewThreads
  readonly #happened
  readonly #happenedInThreads
  readonly #find
  readonly #count
  #orders: LruCache<string, Orders> | undefined
  /** Items that were read together, by source and id. */
  #items: ReadonlyMap<string, Item> = new Map()
  /** Changes when another program has written to the database. */
  #version = -1

  constructor(store: Store) {
    const { database } = store
    this.#store = store
    this.#reviewThreads = new ReviewThreads(store)
    const prepare = <Values extends object, Row = Place>(sql: string) =>
      database.prepare<[Values], Row>(sql).safeIntegers()
    this.#happened = prepare<{ url: string }>(HAPPENED)
    this.#happenedInThreads = prepare<{ urls: string }, Place & { thread: string }>(
      HAPPENED_IN_THREADS,
    )
    this.#find = prepare<{ item: string }>(FIND)
    this.#count = database
      .prepare<[{ url: string }], number>(
        `SELECT count(*) FROM (${HAPPENED}) WHERE source <> 'replies'`,
      )
      .pluck()
  }

  /** Reads several threads together: what is then asked of each takes less time. */
  prepare(urls: readonly string[]): void {
    const orders = this.#refreshed()
    const withReviewThreads = this.#reviewThreads.which(urls)
    const others = urls.filter((url) => !withReviewThreads.has(url))
    this.#reviewThreads.clear()
    const lists = new Map(others.map((url) => [url, new PlaceList()]))
    for (const place of this.#happenedInThreads.iterate({ urls: JSON.stringify(others) }))
      lists.get(place.thread)?.add(place)
    const few: Order[] = []
    let together = 0
    for (const [url, list] of lists) {
      const made = toOrders(list.order())
      orders.set(url, made)
      const { length } = made.items.ids
      if (length > FEW || together + length > MOST_TOGETHER) continue
      together += length
      few.push(made.items)
    }
    this.#items = this.#readTogether(few)
  }

  #readTogether(orders: readonly Order[]): ReadonlyMap<string, Item> {
    const store = this.#store
    const idsOf = (source: Source) => {
      const number = SOURCES.indexOf(source)
      return `[${orders.flatMap(({ sources, ids }) => [...ids.filter((_, i) => sources[i] === number)])}]`
    }
    const read = (source: Source, sql: string) =>
      store.all<CommentRow & { id: string }>(sql, idsOf(source)).map((row) => ({ source, ...row }))
    const comments = [
      ...read('comment', COMMENTS),
      ...read('discussion_comment', DISCUSSION_COMMENTS),
    ]
    const urls = comments.flatMap(({ url }) => url ?? [])
    const withUploads = textsWithUploads(store, urls)
    const items = new Map<string, Item>()
    for (const { source, id, ...row } of comments)
      items.set(
        `${source} ${id}`,
        toComment(store, row, (url) => withUploads.has(url)),
      )
    for (const { id, ...row } of store.all<EventRow & { id: string }>(EVENTS, idsOf('event')))
      items.set(`event ${id}`, toEvent(store, row))
    return items
  }

  /** A page of the timeline of a thread; empty if there is no such record. */
  page(url: string, { offset, limit }: { offset: number; limit: number }): TimelinePage {
    const { sources, ids } = this.#ordersOf(url).items
    const kinds = sources.subarray(offset, offset + limit)
    if (kinds.some((source) => SOURCES[source]?.startsWith('review')))
      this.#reviewThreads.collect(url)
    const items = [...ids.subarray(offset, offset + limit)].map((id, i) =>
      this.#read(SOURCES[kinds[i] ?? 0] ?? 'comment', id),
    )
    return { total: ids.length, items }
  }

  /** How many items the timeline of a thread has. */
  count(url: string): number {
    const known = this.#refreshed().get(url)
    if (known) return known.items.ids.length
    this.#reviewThreads.collect(url)
    return this.#count.get({ url }) ?? 0
  }

  /** The position of an item in the timeline of a thread, from 0. A review comment is where its review is. */
  positionOf(url: string, item: string): number | undefined {
    const { sources, ids } = this.#ordersOf(url).items
    this.#reviewThreads.collect(url)
    const positions = this.#find.all({ item }).flatMap(({ source, id }) => {
      for (let at = ids.indexOf(id); at >= 0; at = ids.indexOf(id, at + 1)) {
        if (SOURCES[sources[at] ?? 0] === source) return [at]
      }
      return []
    })
    return positions.length === 0 ? undefined : Math.min(...positions)
  }

  /** The place of each record in the order of the timeline, for faces that list each review and show no review threads. */
  rowsOf(url: string): { readonly source: Source; readonly row: number }[] {
    const { sources, ids } = this.#ordersOf(url).all
    return Array.from(ids, (id, i) => ({
      source: SOURCES[sources[i] ?? 0] ?? 'comment',
      row: Number(id),
    }))
  }

  /** All comments on lines of a pull request, `limit` of them at most. */
  reviewThreads(url: string, limit: number): ReviewThread[] {
    const threads: ReviewThread[] = []
    for (let offset = 0; threads.length < limit; offset += PAGE) {
      const { items, total } = this.page(url, { offset, limit: PAGE })
      for (const item of items) {
        if (item.kind === 'review') threads.push(...item.threads)
        else if (item.kind === 'review_thread') threads.push(item)
      }
      if (offset + PAGE >= total) break
    }
    return threads.slice(0, limit)
  }

  /** The whole timeline, with events as sentences. Of its items only their places are in memory. */
  *each(url: string): Generator<TimelineItem> {
    for (let offset = 0; ; offset += PAGE) {
      const { items, total } = this.page(url, { offset, limit: PAGE })
      for (const item of items) yield item.kind === 'event' ? withSentence(item) : item
      if (offset + PAGE >= total) return
    }
  }

  #refreshed(): LruCache<string, Orders> {
    const now = this.#store.count('PRAGMA data_version')
    if (!this.#orders || now !== this.#version) {
      this.#version = now
      this.#reviewThreads.forget()
      this.#items = new Map()
      this.#orders = createLruCache<string, Orders>(
        REMEMBERED,
        ({ all, items }) => 9 * (all.ids.length + (items === all ? 0 : items.ids.length)) + 300,
      )
    }
    return this.#orders
  }

  #ordersOf(url: string): Orders {
    const orders = this.#refreshed()
    const known = orders.get(url)
    if (known) return known
    this.#reviewThreads.collect(url)
    const list = new PlaceList()
    for (const place of this.#happened.iterate({ url })) list.add(place)
    const made = toOrders(list.order())
    orders.set(url, made)
    return made
  }

  #read(source: Source, id: bigint): Item {
    const known = this.#items.get(`${source} ${id}`)
    if (known) return known
    switch (source) {
      case 'review_thread':
        return this.#reviewThreads.alone(id)
      case 'event':
        return toEvent(this.#store, this.#store.readRow<EventRow>('issue_events', EVENT, id))
      case 'comment':
        return toComment(this.#store, this.#store.readRow('issue_comments', COMMENT, id))
      case 'discussion_comment': {
        const row = this.#store.readRow<CommentRow>('discussion_comments', DISCUSSION_COMMENT, id)
        return toComment(this.#store, row)
      }
      default: {
        const table = 'pull_request_reviews'
        const row = this.#store.readRow<TextRow & { state: string | null }>(table, REVIEW, id)
        return {
          kind: 'review',
          ...toText(this.#store, row),
          state: row.state,
          threads: this.#reviewThreads.ofReview(row.url),
        }
      }
    }
  }
}

/** Items that are read at once. */
const PAGE = 200

/** A comment; `is_answer` only of one on a discussion. */
type CommentRow = TextRow & { in_reply_to?: string | null; is_answer?: number | null }

function toComment(
  store: Store,
  { in_reply_to, is_answer, ...row }: CommentRow,
  hasUploads?: (parent: string) => boolean,
): Item {
  const text = toText(store, row, hasUploads)
  if (is_answer === undefined) return { kind: 'comment', ...text }
  return {
    kind: 'comment',
    ...text,
    in_reply_to: in_reply_to ?? null,
    is_answer: is_answer === 1,
  }
}

/**
 * Reads what happened in a thread in chronological order: comments, events, and reviews with their review threads. What
 * others write meanwhile is not seen.
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
  const store = Store.of(openSnapshot(database), new Remembered(), { isFrozen: true })
  try {
    yield* timelinesOf(store).each(url)
  } finally {
    store.close()
  }
}
