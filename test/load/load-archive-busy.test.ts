import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import type { Database } from '../../src/database/open-database.ts'
import { loadArchive } from '../../src/load/load-archive.ts'
import { tarGzOf } from '../support/build-tar.ts'
import { columnOf, loaded, opened, recordFile, sourceOf } from '../support/load.ts'
import { inFolder, ROOT, start } from '../support/run-command.ts'
import { THOROUGH } from '../support/thorough.ts'

const MODULES = join(ROOT, 'node_modules')

/** For how many milliseconds a connection waits for others, from its first pragma on. By default, SQLite waits five seconds. */
let patience: number
beforeEach(() => {
  patience = 100
  const { pragma } = Sqlite.prototype
  const impatient = vi.spyOn(Sqlite.prototype, 'pragma').mockImplementation(function (
    this: Database,
    ...given
  ) {
    pragma.call(this, `busy_timeout = ${patience}`)
    return pragma.apply(this, given)
  })
  onTestFinished(() => impatient.mockRestore())
})

test('P3: A load into a database that another one is changing waits a while, then gives up', async () => {
  const { path, database } = await loaded(recordFile('issues', { url: 'a' }))
  database.exec('BEGIN IMMEDIATE')
  const began = performance.now()
  const loading = loadArchive(sourceOf(recordFile('issues', { url: 'b' })), path)
  const busy = { name: 'ArchiveError', code: 'database-busy', place: { archive: path } }
  await expect(loading).rejects.toMatchObject(busy)
  expect(performance.now() - began).toBeGreaterThan(patience / 2)
  database.exec('COMMIT')
  await loadArchive(sourceOf(recordFile('issues', { url: 'b' })), path)
  expect(columnOf(database, 'SELECT url FROM issues')).toEqual(['a', 'b'])
}, 10_000)

test('P3: During a load a reader sees the database as before, and afterwards the new one', async () => {
  const { path, database } = await loaded(recordFile('issues', { url: 'a' }))
  const seen: unknown[] = []
  const progress = () => void seen.push(columnOf(database, 'SELECT url FROM issues'))
  const more = { ...recordFile('issues', { url: 'b' }), ...recordFile('users', { url: 'u' }) }
  await loadArchive(sourceOf(more), path, { progress })
  expect(seen).toEqual([['a'], ['a']])
  expect(columnOf(database, 'SELECT url FROM issues ORDER BY 1')).toEqual(['a', 'b'])
})

test(
  'P3: A load that a reader keeps from its end leaves everything as it was, and says why',
  THOROUGH,
  async () => {
    const { path, database } = await loaded(recordFile('issues', { url: 'a' }))
    database.exec('BEGIN; SELECT count(*) FROM issues')
    database.prepare('SELECT count(*) FROM issues').get()
    const loading = loadArchive(sourceOf(recordFile('issues', { url: 'b' })), path)
    await expect(loading).rejects.toMatchObject({ code: 'database-busy', place: { archive: path } })
    database.exec('COMMIT')
    expect(columnOf(database, 'SELECT url FROM issues')).toEqual(['a'])
    await loadArchive(sourceOf(recordFile('issues', { url: 'b' })), path)
    expect(columnOf(database, 'SELECT url FROM issues ORDER BY 1')).toEqual(['a', 'b'])
  },
)

/** Changes a database in a process of its own, holds it for a while, and says when it has begun. */
const HOLDER = `
  const database = new (require('better-sqlite3'))('it.db')
  database.exec("BEGIN IMMEDIATE; INSERT INTO issues (url) VALUES ('b')")
  console.log('begun')
  setTimeout(() => database.exec('COMMIT'), 100)`

// SQLite waits for the other one: that a load lets it wait is shown by the one that gives up.
test(
  'P3: A load into a database that another program is changing begins when that is done',
  THOROUGH,
  async () => {
    inFolder()
    patience = 10_000
    await loadArchive(sourceOf(recordFile('issues', { url: 'a' })), 'it.db')
    const holder = spawn(process.execPath, ['-e', HOLDER], { env: { NODE_PATH: MODULES } })
    const ended = once(holder, 'exit')
    await once(holder.stdout, 'data')
    await loadArchive(sourceOf(recordFile('issues', { url: 'c' })), 'it.db')
    expect(columnOf(opened('it.db'), 'SELECT url FROM issues ORDER BY 1')).toEqual(['a', 'b', 'c'])
    expect(await ended).toEqual([0, null])
  },
)

test(
  'P3: Of two loads into one database the second begins when the first is done',
  THOROUGH,
  async () => {
    inFolder({ 'b.tar.gz': tarGzOf(recordFile('issues', { url: 'b' })) })
    await loadArchive(sourceOf(recordFile('issues', { url: 'a' })), 'it.db')
    const first = start(['load', '-', '-o', 'it.db'])
    first.child.stdin.write(tarGzOf(recordFile('issues', { url: 'c' })).subarray(0, 30))
    // It has begun, as nobody else may write.
    await vi.waitFor(() => expect(() => lockOf('it.db')).toThrow('locked'), { timeout: 10_000 })
    const second = start(['load', 'b.tar.gz', '-o', 'it.db'])
    second.child.stdin.end()
    first.child.stdin.end(tarGzOf(recordFile('issues', { url: 'c' })).subarray(30))
    expect(await Promise.all([first.ended, second.ended])).toMatchObject([{ code: 0 }, { code: 0 }])
    const database = new Sqlite('it.db')
    expect(columnOf(database, 'SELECT url FROM issues ORDER BY 1')).toEqual(['a', 'b', 'c'])
    database.close()
  },
)

/** Throws while another process writes. */
function lockOf(path: string): void {
  const database = new Sqlite(path, { timeout: 0 })
  try {
    database.exec('BEGIN IMMEDIATE; ROLLBACK')
  } finally {
    database.close()
  }
}
