import { expect, test } from 'vitest'
import { listPages } from '../../src/client/list-pages.ts'
import type { Answer } from '../../src/client/read-refusal.ts'
import { THOROUGH } from '../support/thorough.ts'

const FIRST = new URL('https://git.example/list?page=1')

/** Reads a list of which each page has one element, its address, and `Link` leads where `next` says. */
async function read(next: (page: number) => string | undefined): Promise<unknown[]> {
  const ask = async (url: URL): Promise<Answer> => {
    const to = next(Number(url.searchParams.get('page')))
    const headers = new Headers(to === undefined ? {} : { Link: `<${to}>; rel="next"` })
    return { status: 200, headers, url, body: [url.search] }
  }
  const found: unknown[] = []
  for await (const element of listPages(FIRST, ask, () => {})) found.push(element)
  return found
}

test('A list is read to its last page', async () => {
  expect(await read((page) => (page < 3 ? `/list?page=${page + 1}` : undefined))).toEqual([
    '?page=1',
    '?page=2',
    '?page=3',
  ])
})

test('A list that leads back to a page is refused', async () => {
  await expect(read((page) => `/list?page=${(page % 2) + 1}`)).rejects.toMatchObject({
    code: 'server-failed',
    message: 'page 3 of the list was read before',
  })
})

test('A list that always has another page is refused', THOROUGH, async () => {
  await expect(read((page) => `/list?page=${page + 1}`)).rejects.toMatchObject({
    code: 'server-failed',
    message: 'the list has no end',
  })
})

test('A list on another server is refused', async () => {
  await expect(read(() => 'https://else.example/list')).rejects.toMatchObject({
    code: 'server-failed',
    message: 'the next page is on another server, https://else.example',
  })
})
