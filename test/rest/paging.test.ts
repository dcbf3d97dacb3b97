import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseLink } from '../../src/interface/link-header.ts'
import { linkOfPage, parsePage } from '../../src/rest/paging.ts'

const asked = (query: string, list: 'feed' | 'list' = 'list') =>
  parsePage(new URLSearchParams(query), list)

describe('A request asks for', () => {
  test.each([
    ['', 1, 30],
    ['page=3&per_page=100', 3, 100],
    ['per_page=101', 1, 100],
    ['page=0&per_page=0', 1, 30],
    ['page=-1&per_page=-5', 1, 30],
    ['page=1.5&per_page=x', 1, 30],
    ['page=9999999999999999', 1, 30],
    ['page=2&page=3', 2, 30],
  ])('%j: page %d of %d', (query, page, perPage) => {
    expect(asked(query)).toEqual({ page, perPage })
  })

  test('pages of 30 of a feed, whatever it wants', () => {
    expect(asked('page=10&per_page=100', 'feed')).toEqual({ page: 10, perPage: 30 })
  })

  test('no page of a feed above 10', () => {
    expect(() => asked('page=11', 'feed')).toThrow(
      expect.objectContaining({ status: 422, message: expect.stringContaining('rel=last') }),
    )
  })
})

const url = 'http://127.0.0.1/events'

const relations = (page: number, total: number) =>
  parseLink(linkOfPage(url, '', { page, perPage: 30 }, { total }))

test.each([
  [1, 30, {}],
  [2, 30, {}],
  [1, 61, { next: 2, last: 3 }],
  [2, 61, { prev: 1, next: 3, last: 3, first: 1 }],
  [3, 61, { prev: 2, first: 1 }],
  [9, 61, { prev: 3, first: 1 }],
])('Page %d of %d items has links to %j', (page, total, links) => {
  const urls = Object.entries(links).map(([name, number]) => [name, `${url}?page=${number}`])
  expect(relations(page, total)).toEqual(Object.fromEntries(urls))
})

test('Links keep all other parameters as they were given, and page comes last', () => {
  const link = linkOfPage(url, '?b=%20x&page=7&a&b="<>', { page: 1, perPage: 30 }, { total: 31 })
  expect(parseLink(link).next).toBe(`${url}?b=%20x&a&b=%22%3C%3E&page=2`)
})

test('Following next from the first page visits every item exactly once, in order', () => {
  const lists = fc.record({ total: fc.nat(400), perPage: fc.integer({ min: 1, max: 100 }) })
  fc.assert(
    fc.property(lists, ({ total, perPage }) => {
      const items = Array.from({ length: total }, (_, i) => i)
      const seen: number[] = []
      let search: string | undefined = `?per_page=${perPage}`
      while (search !== undefined) {
        const page = parsePage(new URLSearchParams(search), 'list')
        seen.push(...items.slice((page.page - 1) * page.perPage, page.page * page.perPage))
        const { next } = parseLink(linkOfPage(url, search, page, { total }))
        search = next && new URL(next).search
      }
      expect(seen).toEqual(items)
    }),
  )
})
