import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Database } from '../../src/database/open-database.ts'
import { readTimeline } from '../../src/thread/read-timeline.ts'
import type { TimelineItem } from '../../src/thread/thread.ts'
import { createThreadReader } from '../../src/thread/thread-reader.ts'
import { THOROUGH } from '../support/thorough.ts'
import { openSamples } from '../support/web.ts'

let databases: Database[]
let close: () => Promise<void>
beforeAll(async () => {
  ;({ databases, close } = await openSamples())
})
afterAll(() => close())

type Timeline = readonly [url: string, whole: TimelineItem[]]
const known = new Map<string, Timeline>()

/** The timelines of every nth thread of each database, which are read on a connection of their own. */
const timelines = (share: number) =>
  databases.map((database) => {
    const urls = database.prepare<[], string>('SELECT url FROM threads').pluck().all()
    const timelineOf = (url: string): Timeline => {
      const timeline = known.get(url) ?? ([url, [...readTimeline(database, url)]] as const)
      known.set(url, timeline)
      return timeline
    }
    return [database, urls.filter((_, i) => i % share === 0).map(timelineOf)] as const
  })

describe('Pages of a timeline', () => {
  const together = (limit: number, share = 1) => {
    for (const [database, threads] of timelines(share)) {
      const reader = createThreadReader(database)
      for (const [url, whole] of threads) {
        const paged: unknown[] = []
        for (let offset = 0; ; offset += limit) {
          const { items, total } = reader.page(url, { offset, limit })
          if (items.length > 0) expect(total).toBe(whole.length)
          paged.push(
            ...items.map((item) => {
              if (item.kind !== 'event') return item
              const { parts, row: _, ...rest } = item
              const words = parts.map((part) => (typeof part === 'string' ? part : part.text))
              return { ...rest, sentence: words.join('') }
            }),
          )
          if (items.length < limit) break
        }
        expect(paged).toEqual(whole)
      }
      database.exec('DROP TABLE temp.review_threads')
    }
  }
  test('of 3 items are together what readTimeline reads, of every twentieth thread', () =>
    together(3, 20))
  test.each([1, 3, 40])('of %i items are together what readTimeline reads', THOROUGH, (limit) =>
    together(limit),
  )

  test('tell where an item is, and of a review comment where its review is', () => {
    for (const [database, threads] of timelines(20)) {
      const reader = createThreadReader(database)
      for (const [url, whole] of threads) {
        for (const [position, item] of whole.entries()) {
          const urls = 'threads' in item ? item.threads.flatMap(({ comments }) => comments) : []
          for (const each of [item, ...urls]) {
            if (each.url !== null) expect(reader.positionOf(url, each.url), each.url).toBe(position)
          }
        }
        expect(reader.positionOf(url, `${url}#nothing`)).toBeUndefined()
      }
      database.exec('DROP TABLE temp.review_threads')
    }
  })
})
