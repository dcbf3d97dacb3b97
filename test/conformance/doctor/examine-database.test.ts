import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import {
  DATABASE_FAULTS,
  type DatabaseFaultCode,
} from '../../../src/conformance/doctor/database-fault.ts'
import { examineDatabase } from '../../../src/conformance/doctor/examine-database.ts'
import type { Database } from '../../../src/database/open-database.ts'
import { remakeSearchIndex } from '../../../src/search/update-search-index.ts'
import { examineAt } from '../../support/by-path.ts'
import { damagePage } from '../../support/damage-page.ts'
import { loaded, recordFile, rowsOf } from '../../support/load.ts'
import { everyDay, THOROUGH } from '../../support/thorough.ts'

const FILES = {
  ...recordFile('issues', { type: 'issue', url: 'a', labels: ['x'] }, { type: 'issue', url: 'b' }),
  ...recordFile('gadgets', { url: 'g' }),
  'attachments/1/a.txt': 'x'.repeat(1_100_000),
  'attachments/2/b.txt': 'y',
}

const codesOf = (path: string) => examineAt(path).faults.map(({ code }) => code)

/** Changes that a person or a disk may make to a database. */
const HARM: Record<Exclude<DatabaseFaultCode, 'pages-damaged'>, (database: Database) => unknown> = {
  'index-damaged': (database) => {
    // The index is hidden from SQLite while a row changes.
    database.unsafeMode(true)
    database.pragma('writable_schema = ON')
    database.exec(`CREATE TEMP TABLE hidden AS SELECT * FROM sqlite_schema WHERE name = 'issues_by_user';
      DELETE FROM sqlite_schema WHERE name = 'issues_by_user'`)
    database.pragma('writable_schema = RESET')
    database.exec("UPDATE issues SET user = 'u'")
    database.pragma('writable_schema = ON')
    database.exec('INSERT INTO sqlite_schema SELECT * FROM temp.hidden')
    database.pragma('writable_schema = RESET')
    database.unsafeMode(false)
  },
  'index-missing': (database) => database.exec('DROP INDEX issues_by_url'),
  'view-changed': (database) =>
    database.exec('DROP VIEW threads; CREATE VIEW threads AS SELECT 1 AS url'),
  'table-missing': (database) => database.exec('DROP TABLE projects'),
  'table-changed': (database) => database.exec('ALTER TABLE milestones RENAME title TO name'),
  'url-repeated': (database) =>
    database.exec("DROP INDEX issues_by_url; INSERT INTO issues (url) VALUES ('a')"),
  'json-damaged': (database) => database.exec("UPDATE issues SET labels = '[x' WHERE url = 'a'"),
  'value-invalid': (database) => database.exec("UPDATE files SET path = '../a' WHERE id = 1"),
  'origin-unknown': (database) =>
    database.exec("INSERT INTO issues (url, _archive) VALUES ('c', 99)"),
  'file-incomplete': (database) =>
    database.exec('DELETE FROM file_chunks WHERE file = 1 AND position = 1'),
  'chunk-damaged': (database) =>
    database.exec('UPDATE chunks SET bytes = zeroblob(length(bytes)) WHERE id = 1'),
  'search-damaged': (database) => {
    remakeSearchIndex(database)
    database.exec("INSERT INTO search_index (rowid, title, body) VALUES (16, 'stray', '')")
  },
  'chunk-orphaned': (database) =>
    database.exec('INSERT INTO chunks (sha256, bytes) SELECT randomblob(32), bytes FROM chunks'),
}

const CODES = Object.keys(HARM) as (keyof typeof HARM)[]
const REPAIRED = CODES.filter((code) => DATABASE_FAULTS[code].repair)
const LEFT = CODES.filter((code) => !DATABASE_FAULTS[code].repair)

describe('examineDatabase', () => {
  test('finds no damage in a loaded database with tables that its user added', async () => {
    const { path, database } = await loaded([
      FILES,
      recordFile('issues', { url: 'b', title: 'New' }),
    ])
    database.exec(`CREATE TABLE mine (x); CREATE VIEW my_view AS SELECT * FROM mine;
      CREATE INDEX my_index ON issues (title)`)
    expect(examineAt(path)).toMatchObject({ faults: [], count: 0, repaired: [] })
  })

  test('tells the bytes of contents that it has read so far', async () => {
    const { database } = await loaded({ 'attachments/1/a': 'abc', 'attachments/2/b': 'defgh' })
    const told: number[] = []
    examineDatabase(database, { progress: ({ bytes }) => void told.push(bytes) })
    expect(told.at(-1)).toBeGreaterThanOrEqual(8)
    expect(told).toEqual(told.toSorted((a, b) => a - b))
  })

  test('repairs all at once that can be', THOROUGH, async () => {
    const { path, database } = await loaded(FILES)
    for (const code of REPAIRED) HARM[code](database)
    expect(codesOf(path)).toEqual(expect.arrayContaining(REPAIRED))
    const { faults, repaired } = examineAt(path, { repair: true })
    expect(faults).toEqual([])
    expect(repaired.map(({ code }) => code)).toEqual(expect.arrayContaining(REPAIRED))
    expect(examineAt(path).count).toBe(0)
    expect(rowsOf(database, 'SELECT url FROM issues ORDER BY 1')).toEqual([['a'], ['b']])
  })

  // Where tables are not what they should be, nothing is asked of their rows.
  const isOfTables = (code: DatabaseFaultCode) => code.startsWith('table-')
  everyDay(1)([
    ['of tables', LEFT.filter(isOfTables)],
    ['of rows', LEFT.filter((code) => !isOfTables(code))],
  ])('finds all others %s at once, and leaves them as they are', async (_of, codes) => {
    const { path, database } = await loaded(FILES)
    for (const code of codes) HARM[code](database)
    const before = rowsOf(database, 'SELECT * FROM issues')
    const { faults } = examineAt(path, { repair: true })
    expect(faults.map(({ code }) => code)).toEqual(expect.arrayContaining(codes))
    expect(rowsOf(database, 'SELECT * FROM issues')).toEqual(before)
  })

  test.each(REPAIRED)('finds %s', THOROUGH, async (code) => {
    const { path, database } = await loaded(FILES)
    HARM[code](database)
    expect(codesOf(path)).toContain(code)
  })

  test.each(REPAIRED)('repairs %s', THOROUGH, async (code) => {
    const { path, database } = await loaded(FILES)
    HARM[code](database)
    const { faults, repaired } = examineAt(path, { repair: true })
    expect(faults).toEqual([])
    expect(repaired.map((each) => each.code)).toContain(code)
    expect(examineAt(path).count).toBe(0)
    expect(rowsOf(database, 'SELECT url FROM issues ORDER BY 1')).toEqual([['a'], ['b']])
  })

  test.each(LEFT)('finds %s, and leaves it as it is', THOROUGH, async (code) => {
    const { path, database } = await loaded(FILES)
    HARM[code](database)
    const before = rowsOf(database, 'SELECT * FROM issues')
    const { faults } = examineAt(path, { repair: true })
    expect(faults.map((each) => each.code)).toContain(code)
    expect(rowsOf(database, 'SELECT * FROM issues')).toEqual(before)
  })

  test('says of damaged bytes that they are, and writes nothing', THOROUGH, async () => {
    const { path, database } = await loaded(FILES)
    database.exec('DROP VIEW threads')
    database.close()
    damagePage(path)
    const before = readFileSync(path)
    const { faults } = examineAt(path, { repair: true })
    expect(faults.length).toBeGreaterThan(0)
    expect(readFileSync(path).equals(before)).toBe(true)
  })
})
