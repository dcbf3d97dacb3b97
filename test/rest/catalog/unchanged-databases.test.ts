import { copyFileSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { expect, test } from 'vitest'
import { openDatabase } from '../../../src/database/open-database.ts'
import { openSnapshot } from '../../../src/database/open-snapshot.ts'
import { keyOf, stampOf } from '../../../src/reading/index/index-file.ts'
import { openCatalog } from '../../../src/rest/catalog/catalog.ts'
import { folderOf } from '../../support/folder.ts'
import { loaded } from '../../support/load.ts'
import { filesOf, worldRecords } from '../../support/rest-world.ts'
import { outputOf } from '../../support/run-program.ts'
import { THOROUGH } from '../../support/thorough.ts'

/** A copy of a database, alone in a folder. */
async function copied(): Promise<{ folder: string; path: string }> {
  const { path: original } = await loaded(filesOf(worldRecords()))
  const folder = await folderOf()
  const path = join(folder, 'it.db')
  copyFileSync(original, path)
  return { folder, path }
}

/** Serves a database with a new index, and stops. */
async function openAndClose(path: string, smallUpTo?: number): Promise<void> {
  const catalog = await openCatalog([path], { lookEvery: 0, smallUpTo })
  catalog.read().feeds.newest()
  await catalog.close()
}

async function expectUnchanged(smallUpTo?: number): Promise<void> {
  const { folder, path } = await copied()
  const state = () => {
    const { mode, mtimeMs, size } = statSync(path)
    return { names: readdirSync(folder), mode, mtimeMs, size }
  }
  const [before, bytes] = [state(), readFileSync(path)]
  await openAndClose(path, smallUpTo)
  expect(state()).toEqual(before)
  expect(readFileSync(path).equals(bytes)).toBe(true)
}

test('A database stays as it is while it is indexed in this process', () => expectUnchanged())

test('A database stays unchanged while a child process indexes it', THOROUGH, () =>
  expectUnchanged(0),
)

async function expectLogKept(smallUpTo?: number): Promise<void> {
  const { path: written } = await copied()
  const other = new Sqlite(written)
  other.pragma('journal_mode = WAL')
  other.exec("UPDATE repositories SET description = 'in the log'")
  const { path } = await copied()
  for (const part of ['', '-wal']) copyFileSync(written + part, path + part)
  other.close()
  const bytesOf = () => ['', '-wal'].map((part) => readFileSync(path + part).toString('latin1'))
  const before = bytesOf()
  await openAndClose(path, smallUpTo)
  expect(bytesOf()).toEqual(before)
  const database = openDatabase(path)
  expect(database.prepare('SELECT description FROM repositories').pluck().get()).toBe('in the log')
  database.close()
}

test('A write-ahead log that another program left is read and not carried out', THOROUGH, () =>
  expectLogKept(),
)

test('A child process does not checkpoint a write-ahead log either', THOROUGH, () =>
  expectLogKept(0),
)

test('Checking a database for changes does not release the lock of a running read', async () => {
  const { path } = await copied()
  const database = openDatabase(path)
  const snapshot = openSnapshot(database)
  stampOf(path)
  const other = openDatabase(path)
  keyOf([other], { allEvents: false })
  other.close()
  const write = `new (require('better-sqlite3'))(process.argv[1], { timeout: 0 })
    .exec('UPDATE repositories SET description = NULL')`
  expect(() => outputOf(process.execPath, ['-e', write, path])).toThrow(/database is locked/)
  snapshot.close()
  database.close()
  const writer = new Sqlite(path, { timeout: 0 })
  expect(writer.exec('UPDATE repositories SET description = NULL')).toBe(writer)
  writer.close()
})
