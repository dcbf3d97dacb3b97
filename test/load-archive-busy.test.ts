import { expect, test, vi } from 'vitest'
import { loadArchive } from '../src/load-archive.ts'
import { columnOf, loaded, shard, sourceOf } from './support/load.ts'

// SQLite waits for others for five seconds; here it waits for a tenth of one.
vi.mock('better-sqlite3', async (original) => {
  const { default: Sqlite } = await original<{ default: typeof import('better-sqlite3') }>()
  class Impatient extends Sqlite {
    constructor(path: string, options: object) {
      super(path, { ...options, timeout: 100 })
    }
  }
  return { default: Impatient }
})

test('A load into a database that another one is changing waits a while, then gives up', async () => {
  const { path, database } = await loaded(shard('issues', { url: 'a' }))
  database.exec('BEGIN IMMEDIATE')
  const loading = loadArchive(sourceOf(shard('issues', { url: 'b' })), path)
  const busy = { name: 'ArchiveError', code: 'database-busy', place: { archive: path } }
  await expect(loading).rejects.toMatchObject(busy)
  database.exec('COMMIT')
  await loadArchive(sourceOf(shard('issues', { url: 'b' })), path)
  expect(columnOf(database, 'SELECT url FROM issues')).toEqual(['a', 'b'])
}, 10_000)
