import { anOpenDatabase, aText, checkArguments } from '../../base/check-arguments.ts'
import { createLruCache, type LruCache } from '../../base/lru-cache.ts'
import type { Database } from '../../database/open-database.ts'
import { loginOf } from '../../database/schema/facts/people.ts'
import { timeOf } from '../../database/schema/facts/values.ts'
import { USER_LOGIN } from '../people/logins.ts'
import type { Store } from '../store.ts'
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
import { giveBackSnapshot, takeSnapshot } from './snapshots.ts'
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

const inThreads = (table: string, column: string) =>
  `FROM json_each(:urls) AS t CROSS JOIN ${table} AS o ON o.${column} = t.value`

/** The records of threads whose URLs are in a JSON array, by the place of the thread in it. */
const HAPPENED = `
  SELECT place, source, id FROM (
    SELECT t.key AS place, 'comment' AS source, o.rowid AS id, o.created_at AS at, 1 AS rank, o.id AS number
      ${inThreads('issue_comments', 'thread')}
    UNION ALL
    SELECT t.key, 'event', o.rowid, o.created_at, 2, o.id ${inThreads('issue_events', 'thread')}
    UNION ALL
    SELECT t.key, 'discussion_comment', o.rowid, coalesce(above.created_at, o.created_at), 1, coalesce(above.id, o.id)
      ${inThreads('discussion_comments', 'discussion')}
      LEFT JOIN discussion_comments AS above ON above.url = o.in_reply_to
    UNION ALL
    SELECT t.key, iif(${HOLDS_ONLY_REPLIES}, 'replies', 'review'), o.rowid, coalesce(o.submitted_at, o.created_at), 0, o.id
      ${inThreads('pull_request_reviews', 'pull_request')}
    UNION ALL
    SELECT t.key, 'review_thread', min(o.id), min(o.at), 0, min(o.id)
      ${inThreads('temp.review_threads', 'pull_request')} WHERE o.review IS NULL GROUP BY o.thread
  ) ORDER BY place, ${ORDER}`

/** An operand, not a parameter alone: `../store.ts` says why. */
const ITEM = "(:item || '')"

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
const REVIEWS = selectShort('pull_request_reviews', REVIEW, COMMENT_TEXTS)
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
    this.#happened = prepare<{ urls: string }, Place & { place: bigint }>(HAPPENED)
    this.#find = prepare<{ item: string }>(FIND)
    this.#count = database
      .prepare<[{ urls: string }], number>(
        `SELECT count(*) FROM (${HAPPENED}) WHERE source <> 'replies'`,
      )
      .pluck()
  }

  /** Reads several threads together: what is then asked of each takes less time. */
  prepare(urls: readonly string[]): void {
    const few: Order[] = []
    let together = 0
    for (const { items } of this.#readOrders(urls)) {
      const { length } = items.ids
      if (length > FEW || together + length > MOST_TOGETHER) continue
      together += length
      few.push(items)
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
      store.all<TextItemRow & { id: string }>(sql, idsOf(source)).map((row) => ({ source, ...row }))
    const texts = [
      ...read('comment', COMMENTS),
      ...read('discussion_comment', DISCUSSION_COMMENTS),
      ...read('review', REVIEWS),
    ]
    const urls = texts.flatMap(({ url }) => url ?? [])
    const withUploads = textsWithUploads(store, urls)
    const items = new Map<string, Item>()
    for (const { source, id, ...row } of texts) {
      const toItem = source === 'review' ? toReview : toComment
      items.set(
        `${source} ${id}`,
        toItem(store, row, (url) => withUploads.has(url)),
      )
    }
    for (const { id, ...row } of store.all<EventRow & { id: string }>(EVENTS, idsOf('event')))
      items.set(`event ${id}`, toEvent(store, row))
    return items
  }

  /** A page of the timeline of a thread; empty if there is no such record. */
  page(url: string, { offset, limit }: { offset: number; limit: number }): TimelinePage {
    const { sources, ids } = this.#ordersOf(url).items
    const kinds = sources.subarray(offset, offset + limit)
    if (kinds.some((source) => SOURCES[source]?.startsWith('review')))
      this.#reviewThreads.collect([url])
    const items = [...ids.subarray(offset, offset + limit)].map((id, i) =>
      this.#read(url, SOURCES[kinds[i] ?? 0] ?? 'comment', id),
    )
    return { total: ids.length, items }
  }

  /** How many items the timeline of a thread has. */
  count(url: string): number {
    const known = this.#refreshed().get(url)
    if (known) return known.items.ids.length
    this.#reviewThreads.collect([url])
    return this.#count.get({ urls: JSON.stringify([url]) }) ?? 0
  }

  /** The position of an item in the timeline of a thread, from 0. A review comment is where its review is. */
  positionOf(url: string, item: string): number | undefined {
    const { sources, ids } = this.#ordersOf(url).items
    this.#reviewThreads.collect([url])
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
    return this.#refreshed().get(url) ?? (this.#readOrders([url])[0] as Orders)
  }

  #readOrders(urls: readonly string[]): Orders[] {
    const orders = this.#refreshed()
    this.#reviewThreads.collect(urls)
    const lists = urls.map(() => new PlaceList())
    for (const { place, ...found } of this.#happened.iterate({ urls: JSON.stringify(urls) }))
      lists[Number(place)]?.add(found)
    const made = lists.map((list) => toOrders(list.order()))
    for (const [i, url] of urls.entries()) orders.set(url, made[i] as Orders)
    return made
  }

  #read(thread: string, source: Source, id: bigint): Item {
    const item = this.#items.get(`${source} ${id}`) ?? this.#readAlone(source, id)
    return item.kind === 'review'
      ? { ...item, threads: this.#reviewThreads.ofReview(thread, item.url) }
      : item
  }

  /** An item; a review without its threads. */
  #readAlone(source: Source, id: bigint): Item {
    switch (source) {
      case 'review_thread':
        return this.#reviewThreads.alone(id)
      case 'event':
        return toEvent(this.#store, this.#store.readRow<EventRow>('issue_events', EVENT, id))
      case 'comment':
        return toComment(this.#store, this.#store.readRow('issue_comments', COMMENT, id))
      case 'discussion_comment': {
        const row = this.#store.readRow<TextItemRow>('discussion_comments', DISCUSSION_COMMENT, id)
        return toComment(this.#store, row)
      }
      default:
        return toReview(this.#store, this.#store.readRow('pull_request_reviews', REVIEW, id))
    }
  }
}

/** Items that are read at once. */
const PAGE = 200

/** A comment or review; `is_answer` only of a comment on a discussion, `state` only of a review. */
type TextItemRow = TextRow & {
  in_reply_to?: string | null
  is_answer?: number | null
  state?: string | null
}

function toComment(
  store: Store,
  { in_reply_to, is_answer, ...row }: TextItemRow,
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

const toReview = (
  store: Store,
  { state, ...row }: TextItemRow,
  hasUploads?: (parent: string) => boolean,
): Item => ({
  kind: 'review',
  ...toText(store, row, hasUploads),
  state: state ?? null,
  threads: [],
})

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
  const snapshot = takeSnapshot(database)
  try {
    yield* timelinesOf(snapshot).each(url)
  } finally {
    giveBackSnapshot(database, snapshot)
  }
}
