import { describe, expect, test } from 'vitest'
import { openPages } from '../../../src/pages/open-pages.ts'
import type { Search } from '../../../src/pages/page.ts'
import '../../../src/pages/kinds/search.ts'
import { everyDay } from '../../support/thorough.ts'
import { htmlOf, sharePages } from '../../support/web.ts'

const samples = sharePages()
const searchIndex = async () => ({ index: undefined })

/** A search that finds so many texts in each database. */
const findsTexts =
  (count: number): Search =>
  async (store, _, { limit = Number.POSITIVE_INFINITY }) =>
    Array.from({ length: Math.min(count, limit) }, (_, i) => ({
      kind: 'issue',
      full_name: null,
      number: null,
      state: null,
      place: `${store.title}#${i}`,
      title: [{ text: `Thread ${i}`, matched: false }],
      snippet: [],
      url: null,
      author: null,
      created_at: null,
      score: count - i,
    }))

/** The heading of a page of results, its rows and its links to others. */
async function pageOf(count: number, page: number, databases = samples.paths.slice(0, 1)) {
  const pages = openPages(databases, { search: findsTexts(count), searchIndex })
  try {
    const query = new URLSearchParams({ q: 'bell', page: String(page) })
    const answer = await pages.render('/search', query)
    const html = htmlOf(answer)
    return {
      status: answer.status,
      heading: /<h2 class="about">([^<]*)/.exec(html)?.[1],
      rows: html.match(/<li class="found">/g)?.length ?? 0,
      prev: /<link rel="prev" href="([^"]*)"/.exec(html)?.[1],
      next: /<link rel="next" href="([^"]*)"/.exec(html)?.[1],
      isCut: html.includes('Further results are not listed'),
    }
  } finally {
    pages.close()
  }
}

describe('A search shows its results on pages:', () => {
  everyDay(3)([
    [1, 1, { heading: '1 result', rows: 1, next: undefined }],
    [50, 1, { heading: '50 results', rows: 50, next: undefined }],
    [51, 1, { heading: 'Results 1 to 50', rows: 50, next: '/search?q=bell&amp;page=2' }],
    [51, 2, { heading: 'Results 51 to 51', rows: 1, prev: '/search?q=bell', next: undefined }],
    [5_000, 20, { heading: 'Results 951 to 1,000', rows: 50, next: undefined, isCut: true }],
    [1_000, 19, { rows: 50, next: '/search?q=bell&amp;page=20', isCut: false }],
  ])('of %i texts, page %i', async (count, page, expected) => {
    expect(await pageOf(count, page)).toMatchObject({ status: 200, ...expected })
  })

  test('there is no page beyond the last one', async () => {
    expect(await pageOf(51, 3)).toMatchObject({ status: 404 })
    expect(await pageOf(5_000, 21)).toMatchObject({ status: 404 })
  })

  test('those of several databases are one list', async () => {
    expect(await pageOf(30, 1, samples.paths)).toMatchObject({ heading: 'Results 1 to 50' })
    expect(await pageOf(30, 2, samples.paths)).toMatchObject({ heading: 'Results 51 to 60' })
  })
})

describe('A search for a name that nothing has says so:', () => {
  everyDay(1)([
    ['author:nobody', 'There is no person nobody.'],
    ['bell author:mona-lindqist', 'There is no person mona-lindqist.', 'mona-lindqvist'],
    ['repo:acme/nothing bell', 'There is no repository acme/nothing.'],
    ['label:nope', 'There is no label nope.'],
    ['bell author:mona-lindqvist', 'No text of the archive has all these words.'],
  ])('%s', async (words, said, meant = '') => {
    const pages = openPages(samples.paths, { search: findsTexts(0), searchIndex })
    try {
      const html = htmlOf(await pages.render('/search', new URLSearchParams({ q: words })))
      expect(html).toContain(said)
      expect(/Did you mean (?:<[^>]*>)*([^<]*)/.exec(html)?.[1] ?? '').toBe(meant)
    } finally {
      pages.close()
    }
  })
})
