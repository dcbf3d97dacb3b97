import Sqlite from 'better-sqlite3'
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import type { Database } from '../src/database/open-database.ts'
import { loadArchive } from '../src/load-archive.ts'
import { columnOf, loaded, shard, sourceOf } from './support/load.ts'

// SQLite waits for others for five seconds; here, from a connection's first pragma on, for a tenth of one.
beforeEach(() => {
  const { pragma } = Sqlite.prototype
  const impatient = vi.spyOn(Sqlite.prototype, 'pragma').mockImplementation(function (
    this: Database,
    ...given
  ) {
    pragma.call(this, 'busy_timeout = 100')
    return pragma.apply(this, given)
  })
  onTestFinished(() => impatient.mockRestore())
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
