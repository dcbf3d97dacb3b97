import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { describe, expect, test } from 'vitest'
import { openDatabase } from '../../src/database/open-database.ts'
import { SCHEMA_VERSION } from '../../src/database/schema/schema-version.ts'
import { folderOf } from '../support/folder.ts'
import { BARE, loaded, opened } from '../support/load.ts'

/** A SQLite file that some SQL has made. */
async function databaseOf(sql: string): Promise<string> {
  const path = join(await folderOf(), 'x.db')
  new Sqlite(path).exec(sql).close()
  return path
}

const refusal = (code: string, archive: string) =>
  expect.objectContaining({ name: 'ArchiveError', code, place: { archive } })

describe('openDatabase', () => {
  test('opens what loadArchive made, to read alone', async () => {
    const { path } = await loaded(BARE)
    const database = openDatabase(path)
    expect(() => database.exec('DELETE FROM issues')).toThrow('readonly')
    database.close()
  })

  test('opens it for writing on request', async () => {
    const { path } = await loaded(BARE)
    expect(() => opened(path).exec('DELETE FROM issues')).not.toThrow()
  })

  test('refuses a path where nothing is', async () => {
    const path = join(await folderOf(), 'x.db')
    expect(() => openDatabase(path)).toThrow(refusal('database-not-found', path))
  })

  test("refuses another program's database", async () => {
    const path = await databaseOf('CREATE TABLE issues (url)')
    expect(() => openDatabase(path)).toThrow(refusal('database-foreign', path))
  })

  test.each(['no database, but quite some text', ''])('refuses the file %j', async (content) => {
    const path = join(await folderOf({ 'x.db': content }), 'x.db')
    expect(() => openDatabase(path)).toThrow(refusal('database-foreign', path))
  })

  test.each([
    ['database-newer', SCHEMA_VERSION + 1],
    ['database-older', SCHEMA_VERSION - 1],
  ])('refuses with %s a schema of version %i', async (code, version) => {
    const { path, database } = await loaded(BARE)
    database.pragma(`user_version = ${version}`)
    expect(() => openDatabase(path)).toThrow(refusal(code, path))
  })

  test('refuses a folder', async () => {
    const path = await folderOf()
    expect(() => openDatabase(path)).toThrow(refusal('database-foreign', path))
  })

  test('refuses a file cut short', async () => {
    const { path, database } = await loaded(BARE)
    writeFileSync(path, database.serialize().subarray(0, 5000))
    expect(() => openDatabase(path)).toThrow(refusal('database-damaged', path))
  })
})
