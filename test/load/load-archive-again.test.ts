import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { ArchiveSource } from '../../src/archive/open-archive.ts'
import { loadArchive } from '../../src/load/load-archive.ts'
import { type Files, tarGzOf } from '../support/build-tar.ts'
import { examineAt } from '../support/by-path.ts'
import { folderOf } from '../support/folder.ts'
import { columnOf, loaded, opened, recordFile, rowsOf, sourceOf } from '../support/load.ts'
import { everyDay, THOROUGH } from '../support/thorough.ts'

/** Everything that a database holds. */
const contentOf = (path: string) => {
  const database = opened(path)
  const tables = columnOf(database, "SELECT name FROM sqlite_schema WHERE type = 'table'")
  return tables.map((table) => [table, rowsOf(database, `SELECT * FROM "${table}"`)])
}

const first = {
  ...recordFile('issues', { url: 'a', title: 'Old' }, { url: 'b' }),
  'x/y.txt': 'old',
}
const second = {
  ...recordFile('issues', { url: 'a', title: 'Young' }, { url: 'c' }),
  'x/y.txt': 'young',
}

describe('A second archive', () => {
  test('adds, replaces and leaves records, counts that, and says where they stood last', async () => {
    const third = recordFile('issues', { url: 'b' }, { url: 'a', title: 'New' }, { url: 'd' })
    const { summary, database } = await loaded([first, third])
    expect(summary.archives.map(({ kinds }) => kinds.issues)).toEqual([
      { added: 2, replaced: 0, unchanged: 0 },
      { added: 1, replaced: 1, unchanged: 1 },
    ])
    expect(rowsOf(database, 'SELECT url, title, _archive FROM issues ORDER BY url')).toEqual([
      ['a', 'New', 2],
      ['b', null, 2],
      ['d', null, 2],
    ])
  })

  test('does not take a broken url for that of another record', THOROUGH, async () => {
    const [whole, broken] = [{ url: 'a\ufffd' }, { url: 'a\ud800' }]
    const { database } = await loaded([recordFile('issues', whole), recordFile('issues', broken)])
    expect(columnOf(database, 'SELECT count(*) FROM issues')).toEqual([2])
  })

  test(
    'J7: takes for one what says the same without a url, as often as it is said',
    THOROUGH,
    async () => {
      const [a, b, odd] = [{ title: 'a' }, { title: 'b' }, { url: 7, x: 'c' }]
      const { summary, database } = await loaded([
        { ...recordFile('issues', a, a, b, odd), ...recordFile('gadgets', a) },
        { ...recordFile('issues', odd, a, a, a), ...recordFile('gadgets', a, b) },
      ])
      expect(summary.archives[1]?.kinds).toEqual({
        issues: { added: 1, replaced: 0, unchanged: 3 },
        gadgets: { added: 1, replaced: 0, unchanged: 1 },
      })
      expect(rowsOf(database, 'SELECT title, _archive FROM issues ORDER BY 1, 2')).toEqual([
        [null, 2],
        ['a', 2],
        ['a', 2],
        ['a', 2],
        ['b', 1],
      ])
      expect(columnOf(database, 'SELECT count(*) FROM gadgets')).toEqual([2])
    },
  )

  test('is loaded into a database there already is', THOROUGH, async () => {
    const { path, database, summary } = await loaded(first)
    await loadArchive(sourceOf(second), path)
    expect(columnOf(database, 'SELECT title FROM issues ORDER BY url')).toEqual([
      'Young',
      null,
      null,
    ])
    expect(columnOf(database, 'SELECT count(*) FROM archives')).toEqual([2])
    expect(summary).toMatchObject({ database: path, archives: [{ alreadyLoaded: false }] })
  })

  test('brings kinds that are new to the database', THOROUGH, async () => {
    const more = { ...recordFile('users', { url: 'u' }), ...recordFile('gadgets', { url: 'g' }) }
    const { database } = await loaded([
      first,
      more,
      recordFile('gadgets', { url: 'g' }, { url: 'h' }),
    ])
    expect(columnOf(database, 'SELECT url FROM users')).toEqual(['u'])
    expect(columnOf(database, 'SELECT url FROM gadgets ORDER BY url')).toEqual(['g', 'h'])
  })

  test('of the metadata completes one of the Git data', THOROUGH, async () => {
    const common = {
      'schema.json': '{"version":"1.0.1"}',
      ...recordFile('repositories', { url: 'https://H/o/r' }),
    }
    const git = { ...common, 'repositories/o/r.git/HEAD': 'ref: refs/heads/main' }
    const metadata = {
      ...common,
      ...recordFile('issues', { url: 'i' }),
      'attachments/1/x.png': 'PNG',
    }
    const { database, summary } = await loaded([git, metadata])
    expect(summary.archives[1]?.kinds.repositories).toEqual({ added: 0, replaced: 0, unchanged: 1 })
    expect(columnOf(database, 'SELECT path FROM files ORDER BY path')).toEqual([
      'attachments/1/x.png',
      'repositories/o/r.git/HEAD',
    ])
    expect(columnOf(database, 'SELECT url FROM issues')).toEqual(['i'])
  })
})

describe('The same archive again', () => {
  type Way = (files: Files) => Promise<() => ArchiveSource>

  const fromFile: Way = async (files) => {
    const path = join(await folderOf({ 'it.tar.gz': tarGzOf(files) }), 'it.tar.gz')
    return () => path
  }
  const fromFolder: Way = async (files) => {
    const texts = Object.entries(files).map(([path, content]) => [
      path,
      typeof content === 'string' ? content : JSON.stringify(content),
    ])
    const path = await folderOf(Object.fromEntries(texts))
    return () => path
  }
  const fromBytes: Way = async (files) => () => sourceOf(files)

  everyDay(1)([
    ['from a file', fromFile],
    ['from bytes', fromBytes],
    ['from a folder', fromFolder],
  ])('%s changes nothing', async (_way, way) => {
    const source = await way(first)
    const path = join(await folderOf(), 'it.db')
    await loadArchive(source(), path)
    const before = contentOf(path)
    const { archives } = await loadArchive(source(), path)
    const nothing = { kinds: {}, files: { count: 0, bytes: 0 }, problems: {} }
    const known = { name: expect.any(String), alreadyLoaded: true, state: 'complete', lost: [] }
    expect(archives).toEqual([{ ...nothing, ...known, missing: 0 }])
    expect(contentOf(path)).toEqual(before)
  })

  everyDay(1)([
    ['from a file', fromFile],
    ['from a folder', fromFolder],
  ])('%s brings the contents that were left out', async (_way, way) => {
    const files = { ...first, 'x/z.txt': 'x'.repeat(1_100_000), 'x/none.txt': '' }
    const source = await way(files)
    const [path, atOnce] = [join(await folderOf(), 'it.db'), join(await folderOf(), 'it.db')]
    await loadArchive(source(), path, { files: (each) => each === 'x/y.txt' })
    const { archives } = await loadArchive(source(), path)
    expect(archives[0]).toMatchObject({
      alreadyLoaded: true,
      files: { count: 2, bytes: 1_100_000 },
      missing: 0,
    })
    await loadArchive(source(), atOnce)
    const contents =
      'SELECT path, stored, position, chunks.sha256 FROM files LEFT JOIN file_chunks ON file = files.id LEFT JOIN chunks ON chunk = chunks.id'
    expect(rowsOf(opened(path), contents).sort()).toEqual(rowsOf(opened(atOnce), contents).sort())
    expect(examineAt(path).faults).toEqual([])
  })

  test('from bytes reports contents that are still missing', THOROUGH, async () => {
    const path = join(await folderOf(), 'it.db')
    await loadArchive(sourceOf(first), path, { files: false })
    const { archives } = await loadArchive(sourceOf(first), path)
    expect(archives[0]).toMatchObject({ files: { count: 0 }, missing: 1 })
  })

  test(
    'is known as a file where it was loaded from bytes, and the other way round',
    THOROUGH,
    async () => {
      const file = (await fromFile(first))()
      for (const sources of [
        [file, sourceOf(tarGzOf(first))],
        [sourceOf(tarGzOf(first)), file],
      ]) {
        const path = join(await folderOf(), 'it.db')
        const { archives } = await loadArchive(sources, path)
        expect(archives.map(({ alreadyLoaded }) => alreadyLoaded)).toEqual([false, true])
      }
    },
  )

  everyDay(1)([
    ['from files', fromFile],
    ['from bytes', fromBytes],
  ])('%s does not undo what a later one has replaced', async (_way, way) => {
    const [a, b] = [await way(first), await way(second)]
    const path = join(await folderOf(), 'it.db')
    await loadArchive([a(), b(), a()], path)
    expect(columnOf(opened(path), "SELECT title FROM issues WHERE url = 'a'")).toEqual(['Young'])
    expect(columnOf(opened(path), 'SELECT count(*) FROM archives')).toEqual([2])
    expect(columnOf(opened(path), 'SELECT size FROM files')).toEqual([5])
  })

  test('leaves no table of a kind it brought', THOROUGH, async () => {
    const { path, database } = await loaded(first)
    await loadArchive([sourceOf(recordFile('gadgets', {})), sourceOf(first)], path)
    database.exec('DELETE FROM gadgets')
    await loadArchive(sourceOf(recordFile('gadgets', {})), path)
    expect(columnOf(database, 'SELECT count(*) FROM gadgets')).toEqual([0])
  })

  test('is known by the SHA-256 of the whole file, whatever follows the archive in it', async () => {
    const bytes = Buffer.concat([tarGzOf(first), Buffer.alloc(70_000)])
    const path = join(await folderOf({ 'it.tar.gz': bytes }), 'it.tar.gz')
    const database = `${path}.db`
    await loadArchive(path, database)
    const sha256 = createHash('sha256').update(bytes).digest('hex')
    expect(rowsOf(opened(database), 'SELECT name, size, sha256 FROM archives')).toEqual([
      ['it.tar.gz', bytes.length, sha256],
    ])
  })

  test('is another archive once a byte of it has changed', THOROUGH, async () => {
    const folder = await folderOf({ 'attachments/1/y.txt': 'old' })
    const path = join(await folderOf(), 'it.db')
    await loadArchive(folder, path)
    writeFileSync(join(folder, 'attachments/1/y.txt'), 'new')
    expect((await loadArchive(folder, path)).archives[0]?.alreadyLoaded).toBe(false)
  })
})
