import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { loadArchive } from '../../src/load/load-archive.ts'
import { openPages } from '../../src/pages/open-pages.ts'
import { openPageHandler, type PageHandler } from '../../src/pages/page-handler.ts'
import '../../src/tasks/merged-databases.ts'
import { smallArchive } from '../support/archives.ts'
import { THOROUGH } from '../support/thorough.ts'
import { htmlOf, sharePages } from '../support/web.ts'

const samples = sharePages()

const WAITING = { timeout: 60_000, interval: 50 }

const BY_SOURCE =
  'SELECT _source, count(*) AS threads FROM threads GROUP BY 1 HAVING count(*) > 0 ORDER BY 1'

describe('A server of several databases', () => {
  const folder = mkdtempSync(join(tmpdir(), 'marc-merged-'))
  let pages: PageHandler
  beforeAll(async () => {
    for (const name of ['hello', 'organization']) {
      await loadArchive(`samples/${name}.tar.gz`, join(folder, `${name}.db`))
    }
    const paths = ['hello', 'organization'].map((name) => join(folder, `${name}.db`))
    pages = openPageHandler(paths, 'all', { folder: join(folder, 'state') })
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  const ask = async (path: string, query: Record<string, string>) => {
    const answer = await pages.answer({
      path,
      query: new URLSearchParams(query),
      headers: new Headers(),
    })
    return String(answer.body)
  }
  /** The rows of an answer, when the databases are merged. */
  const rowsOf = (path: string, query: Record<string, string>) =>
    vi.waitFor(
      async () => JSON.parse(await ask(path, { ...query, format: 'json' })) as object[],
      WAITING,
    )

  test('answers a statement over all, with the database of each row', THOROUGH, async () => {
    expect(await rowsOf('/-/sql', { sql: BY_SOURCE })).toEqual([
      { _source: 'hello', threads: 9 },
      { _source: 'organization', threads: 175 },
    ])
  })

  test('answers a saved question over all', async () => {
    const rows = await rowsOf('/-/questions/labels-in-use', {})
    const names = rows.map((row) => (row as { full_name: string }).full_name)
    expect(names).toContain('mona-lindqvist/tea-timer')
    expect(names).toContain('harbour-lights/tidewatch')
  })

  test(
    'reads the databases where they are, and merges them for a statement that needs it',
    THOROUGH,
    async () => {
      const files = () =>
        readdirSync(join(folder, 'state'), { recursive: true }).filter((name) =>
          String(name).endsWith('.db'),
        )
      await rowsOf('/-/sql', { sql: BY_SOURCE })
      const before = files()
      const sql = 'SELECT count(*) AS n FROM main.repositories WHERE rowid IS NOT NULL'
      expect(await rowsOf('/-/sql', { sql })).toEqual([{ n: 3 }])
      expect(files()).toHaveLength(before.length + 1)
      expect(await rowsOf('/-/sql', { sql: BY_SOURCE })).toHaveLength(2)
      expect(files()).toHaveLength(before.length + 1)
    },
  )

  test('answers over one that is chosen, and lists the column of the others', async () => {
    const sql = 'SELECT count(*) AS n FROM repositories'
    expect(await rowsOf('/-/sql', { sql, db: 'hello' })).toEqual([{ n: 1 }])
    const html = await ask('/-/sql', {})
    expect(html).toContain('aria-current="true"><bdi>All databases')
    expect(html).toContain('_source')
    expect(await ask('/-/sql', { db: 'hello' })).not.toContain('_source')
  })

  test('answers as the databases are after a change', THOROUGH, async () => {
    writeFileSync(join(folder, 'small.tar.gz'), smallArchive())
    await loadArchive(join(folder, 'small.tar.gz'), join(folder, 'hello.db'))
    await vi.waitFor(async () => {
      const [hello] = await rowsOf('/-/sql', { sql: BY_SOURCE })
      expect(hello).toEqual({ _source: 'hello', threads: 12 })
    }, WAITING)
  })

  test('leaves no merged database behind', () => {
    expect(readdirSync(join(folder, 'state'))).not.toEqual([])
    pages.close()
    expect(readdirSync(join(folder, 'state'))).toEqual([])
  })
})

test('A page says how far the databases are merged, and a browser asks again without a script', async () => {
  const pages = openPages(samples.paths, { askAll: async () => ({ part: 0.428 }) })
  for (const path of ['/-/sql', '/-/questions/reviewers']) {
    const found = await pages.render(path, new URLSearchParams({ sql: 'SELECT 1' }))
    expect(htmlOf(found)).toContain('42 % are done')
    expect('view' in found && found.view?.again).toBe(2)
  }
  pages.close()
})
