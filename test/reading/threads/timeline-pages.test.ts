import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Database } from '../../../src/database/open-database.ts'
import { Remembered } from '../../../src/reading/remembered.ts'
import { Store } from '../../../src/reading/store.ts'
import { type Item, timelinesOf } from '../../../src/reading/threads/timeline.ts'
import { THOROUGH } from '../../support/thorough.ts'
import { openSamples } from '../../support/web.ts'

let databases: Database[]
let stores: Store[]
let close: () => Promise<void>
beforeAll(async () => {
  ;({ databases, close } = await openSamples())
  stores = databases.map((database) => Store.of(database, new Remembered()))
})
afterAll(() => close())

const urlsIn = ({ database }: Store, share: number) =>
  database
    .prepare<[], string>('SELECT url FROM threads')
    .pluck()
    .all()
    .filter((_, i) => i % share === 0)

const wholeOf = (store: Store, url: string): Item[] =>
  timelinesOf(store).page(url, { offset: 0, limit: 100_000 }).items

describe('Pages of a timeline', () => {
  const together = (limit: number, share = 1) => {
    for (const store of stores) {
      const timelines = timelinesOf(store)
      for (const url of urlsIn(store, share)) {
        const whole = wholeOf(store, url)
        const paged: Item[] = []
        for (let offset = 0; ; offset += limit) {
          const { items, total } = timelines.page(url, { offset, limit })
          if (items.length > 0) expect(total).toBe(whole.length)
          paged.push(...items)
          if (items.length < limit) break
        }
        expect(paged).toEqual(whole)
        expect(timelines.count(url)).toBe(whole.length)
      }
    }
  }
  test('of 3 items are together the whole, of every twentieth thread', () => together(3, 20))
  test.each([1, 3, 40])('of %i items are together the whole', THOROUGH, (limit) => together(limit))

  test('are the same of threads that were prepared together', () => {
    for (const store of stores) {
      const urls = urlsIn(store, 1)
      const timelines = timelinesOf(store)
      const all = () =>
        urls.map((url) => [timelines.page(url, { offset: 0, limit: 1000 }), timelines.rowsOf(url)])
      const alone = all()
      timelines.prepare([...urls, `${urls[0]}0000`])
      expect(all()).toEqual(alone)
    }
  })

  test('tell where an item is, and of a review comment where its review is', () => {
    for (const store of stores) {
      const timelines = timelinesOf(store)
      for (const url of urlsIn(store, 20)) {
        for (const [position, item] of wholeOf(store, url).entries()) {
          const urls = 'threads' in item ? item.threads.flatMap(({ comments }) => comments) : []
          for (const each of [item, ...urls]) {
            if (each.url !== null)
              expect(timelines.positionOf(url, each.url), each.url).toBe(position)
          }
        }
        expect(timelines.positionOf(url, `${url}#nothing`)).toBeUndefined()
      }
    }
  })
})
