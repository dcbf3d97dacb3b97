import { readFileSync, statSync } from 'node:fs'
import { describe, expect, test, vi } from 'vitest'
import { ArchiveError } from '../../src/base/errors.ts'
import { openPages } from '../../src/pages/open-pages.ts'
import { openPageHandler } from '../../src/pages/page-handler.ts'
import '../../src/tasks/search-indexes.ts'
import { folderOf } from '../support/folder.ts'
import { htmlOf, sharePages } from '../support/web.ts'

const samples = sharePages()
const QUESTION = { method: 'GET', path: '/search', query: new URLSearchParams({ q: 'bell' }) }

/** Asks a server for a search until its index is made and the search has time enough. */
async function searchIn(folder: string, databases = samples.paths.slice(0, 1)) {
  const pages = openPageHandler(databases, 'all', { folder })
  try {
    return await vi.waitFor(
      async () => {
        const { body } = await pages.answer({ ...QUESTION, headers: new Headers() })
        const html = String(body)
        expect(html).not.toMatch(/is being made|takes too long/)
        return html
      },
      { timeout: 120_000, interval: 50 },
    )
  } finally {
    pages.close()
  }
}

describe('The first search', () => {
  test('makes an index in a file of its own, which the next server finds', async () => {
    const folder = await folderOf()
    const [path = ''] = samples.paths
    const before = readFileSync(path)
    expect(await searchIn(folder)).toContain('rings twice')
    const { mode, mtimeMs } = statSync(`${folder}/search.db`)
    expect(mode & 0o777).toBe(0o600)
    expect(readFileSync(path).equals(before)).toBe(true)
    expect(await searchIn(folder)).toContain('<mark>bell</mark>')
    expect(statSync(`${folder}/search.db`).mtimeMs).toBe(mtimeMs)
  })

  test('says that it cannot be made, without the names of folders', async () => {
    const folder = await folderOf({ file: 'x' })
    const html = await searchIn(`${folder}/file/state`)
    expect(html).toContain('its index could not be made (output-refused)')
    expect(html).not.toContain(folder)
  })
})

test('A page says how far the index is, and a browser asks again without a script', async () => {
  const searchIndex = async () => ({ part: 0.428 })
  const pages = openPages(samples.paths, { searchIndex })
  const found = await pages.render('/search', QUESTION.query)
  expect(htmlOf(found)).toContain('42 % of all texts are indexed')
  expect('view' in found && found.view?.again).toBe(2)
  pages.close()
})

test.each([
  ['search-invalid', 'This search is invalid'],
  ['query-timeout', 'This search takes too long'],
  ['query-busy', 'Too many searches at once'],
  ['limit-memory', 'This search takes too much memory'],
] as const)('A search that is refused with %s says so', async (code, heading) => {
  const search = async () => {
    throw new ArchiveError(code, 'not finished after 10 s')
  }
  const searchIndex = async () => ({ index: undefined })
  const pages = openPages(samples.paths, { search, searchIndex })
  const html = htmlOf(await pages.render('/search', QUESTION.query))
  expect(html).toContain(heading)
  expect(html).toContain('Not finished after 10 s.')
  pages.close()
})
