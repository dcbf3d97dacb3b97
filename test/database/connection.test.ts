import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { describe, expect, test } from 'vitest'
import { ArchiveError } from '../../src/base/errors.ts'
import {
  dependentsOf,
  openConnection,
  openTemporary,
  sqliteError,
} from '../../src/database/connection.ts'
import { folderOf } from '../support/folder.ts'

const refusal = (code: string, archive: string, message: RegExp) =>
  expect.objectContaining({
    name: 'ArchiveError',
    code,
    place: { archive },
    message: expect.stringMatching(message),
  })

async function emptyDatabase(): Promise<string> {
  const path = join(await folderOf(), 'x.db')
  new Sqlite(path).exec('CREATE TABLE t (name TEXT NOT NULL, size INTEGER, bytes BLOB)').close()
  return path
}

describe('openConnection', () => {
  test.each<[code: string, what: string, run: (path: string) => unknown, message: RegExp]>([
    [
      'database-damaged',
      'a table that is gone',
      (path) => openConnection(path).prepare('SELECT * FROM gone'),
      /no such table: gone/,
    ],
    [
      'database-damaged',
      'a statement with a syntax error',
      (path) => openConnection(path).prepare('SELEKT'),
      /near "SELEKT": syntax error/,
    ],
    [
      'database-damaged',
      'JSON that is none',
      (path) => openConnection(path).prepare("SELECT json('{')").get(),
      /malformed JSON/,
    ],
    [
      'database-damaged',
      'a sum that no integer holds',
      (path) =>
        openConnection(path)
          .prepare('SELECT sum(column1) FROM (VALUES (9223372036854775807), (9223372036854775807))')
          .all(),
      /integer overflow/,
    ],
    [
      'database-damaged',
      'a constraint that rows break',
      (path) => openConnection(path).prepare('INSERT INTO t (size) VALUES (1)').run(),
      /NOT NULL constraint failed: t.name/,
    ],
    [
      'database-full',
      'a file that may not grow',
      (path) => {
        const database = openConnection(path)
        database.pragma('max_page_count = 3')
        database.exec("INSERT INTO t VALUES ('', 1, zeroblob(1000000))")
      },
      /full/,
    ],
    [
      'database-read-only',
      'a file to be read alone',
      (path) => openConnection(path, { readonly: true }).exec('DELETE FROM t'),
      /readonly/,
    ],
    [
      'database-busy',
      'a file that another one writes',
      (path) => {
        openConnection(path).exec('BEGIN EXCLUSIVE')
        ;[...openConnection(path, { timeout: 0 }).prepare('SELECT * FROM t').iterate()]
      },
      /locked/,
    ],
    [
      'database-busy',
      'a change while its rows are read',
      (path) => {
        const database = openConnection(path)
        for (const _ of database.prepare('SELECT * FROM sqlite_schema').iterate())
          database.exec('DELETE FROM t')
      },
      /rows of this connection are still being read/,
    ],
    [
      'option-invalid',
      'a statement of a closed database',
      (path) => {
        const database = openConnection(path)
        const statement = database.prepare('SELECT * FROM t')
        database.close()
        statement.all()
      },
      /the database is closed/,
    ],
    [
      'database-busy',
      'a transaction in a file that another one writes',
      (path) => {
        openConnection(path).exec('BEGIN IMMEDIATE')
        openConnection(path, { timeout: 0 })
          .transaction(() => {})
          .immediate()
      },
      /locked/,
    ],
    [
      'option-invalid',
      'a transaction of a closed database',
      (path) =>
        openConnection(path)
          .close()
          .transaction(() => {})(),
      /the database is closed/,
    ],
    [
      'database-foreign',
      'a file of something else',
      (path) => {
        writeFileSync(path, 'quite some text, but no database of any sort')
        openConnection(path).pragma('user_version')
      },
      /not a database/,
    ],
    [
      'output-refused',
      'a file that is not there',
      (path) => openConnection(`${path}.other`, { fileMustExist: true }),
      /unable to open/,
    ],
  ])('throws %s for %s', async (code, _, run, message) => {
    const path = await emptyDatabase()
    const place = existsSync(path) && String(run).includes('.other') ? `${path}.other` : path
    expect(() => run(path)).toThrow(refusal(code, place, message))
  })

  test('leaves what the work of a transaction throws as it is', async () => {
    const database = openConnection(await emptyDatabase())
    const error = new ArchiveError('map-collision', 'two would have one name')
    const work = database.transaction(() => {
      throw error
    })
    for (const run of [work, work.immediate]) expect(run).toThrow(error)
    expect(error.place).toEqual({})
    expect(database.inTransaction).toBe(false)
  })

  test('closes with a connection what depends on it', async () => {
    const path = await emptyDatabase()
    const [database, dependent] = [openConnection(path), openConnection(path)]
    dependentsOf(database)?.add(dependent)
    database.close()
    expect(dependent.open).toBe(false)
  })

  test('keeps what SQLite said as the cause', async () => {
    const database = openConnection(await emptyDatabase())
    try {
      database.exec('SELECT * FROM gone')
      expect.unreachable()
    } catch (error) {
      expect(sqliteError(error)).toMatchObject({ code: 'SQLITE_ERROR' })
    }
  })

  test.each([
    ["INSERT INTO t VALUES ('', 'text', NULL)", 't.size holds no INTEGER'],
    ["INSERT INTO t VALUES ('', 1.5, NULL)", 't.size holds no INTEGER'],
    ["INSERT INTO t VALUES (x'00', 1, NULL)", 't.name holds no TEXT'],
    ["INSERT INTO t VALUES ('', 1, 'text')", 't.bytes holds no BLOB'],
  ])('D5: after %s says that %s', async (sql, message) => {
    const database = openConnection(await emptyDatabase())
    database.exec(sql)
    const damaged = expect.objectContaining({ code: 'database-damaged', message })
    const select = () => database.prepare('SELECT bytes, size AS other, name FROM t')
    expect(() => select().get()).toThrow(damaged)
    expect(() => select().all()).toThrow(damaged)
    expect(() => [...select().iterate()]).toThrow(damaged)
    expect(() => select().raw().all()).not.toThrow()
  })

  test('D5: looks at the one value that is plucked', async () => {
    const database = openConnection(await emptyDatabase())
    database.exec("INSERT INTO t VALUES ('', 'text', NULL)")
    expect(() => database.prepare('SELECT size FROM t').pluck().get()).toThrow('holds no INTEGER')
    expect(database.prepare('SELECT name, size FROM t').pluck().get()).toBe('')
  })

  test('takes NULL for a value of any type', async () => {
    const database = openConnection(await emptyDatabase())
    database.exec("INSERT INTO t VALUES ('', NULL, NULL)")
    expect(database.prepare('SELECT * FROM t').get()).toEqual({ name: '', size: null, bytes: null })
  })

  test('D2: does not let a schema call what only a connection should', async () => {
    const path = await emptyDatabase()
    new Sqlite(path).exec("CREATE VIEW evil AS SELECT load_extension('x') AS it").close()
    const database = openConnection(path)
    expect(() => database.prepare('SELECT * FROM evil').all()).toThrow(/unsafe use|prohibited/)
  })
})

test('openTemporary opens a database whose sorts and cache take 4 MB, and whose errors are those of databases', () => {
  const database = openTemporary()
  expect(database.pragma('cache_size', { simple: true })).toBe(-4096)
  expect(() => database.exec('SELECT * FROM gone')).toThrow(
    expect.objectContaining({ name: 'ArchiveError', code: 'database-damaged' }),
  )
  database.close()
})
