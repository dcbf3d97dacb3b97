import Sqlite from 'better-sqlite3'
import { describe, expect, test } from 'vitest'
import { openDatabase } from '../../src/database/open-database.ts'
import { VIEWS_DIGEST } from '../../src/database/schema/schema-version.ts'
import { digestOf } from '../../src/database/secure-connection.ts'
import { updateSearchIndex } from '../../src/search/update-search-index.ts'
import { issue } from '../support/archives.ts'
import { columnOf, loaded, opened, recordFile, rowsOf } from '../support/load.ts'
import { run } from '../support/run-command.ts'
import { everyDay } from '../support/thorough.ts'

const ISSUES = recordFile('issues', issue(1, 'One'), issue(2, 'Two'))

/** A database that some SQL has changed. */
async function changed(sql: string): Promise<string> {
  const { path, database } = await loaded(ISSUES)
  database.close()
  new Sqlite(path).exec(sql).close()
  return path
}

const ENDLESS = `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i AS url FROM n`

test('VIEWS_DIGEST is that of the views of a database', async () => {
  const { database } = await loaded(ISSUES)
  const views = columnOf(
    database,
    "SELECT sql FROM sqlite_schema WHERE type = 'view' ORDER BY name",
  )
  expect(digestOf(views.map(String))).toBe(VIEWS_DIGEST)
})

describe('The schema of a database that is opened', () => {
  everyDay(1)([
    ['a view', 'files', `ALTER TABLE files RENAME TO f; CREATE VIEW files AS ${ENDLESS}`],
    ['a view', 'issues', `DROP TABLE issues; CREATE VIEW Issues AS ${ENDLESS}`],
    ['a virtual table', 'users', 'DROP TABLE users; CREATE VIRTUAL TABLE users USING fts5(url)'],
    ['a virtual table', 'search_index', 'CREATE VIRTUAL TABLE search_index USING fts5(x)'],
  ])('is refused if it has %s in the place of %s', async (found, table, sql) => {
    const path = await changed(sql)
    const refusal = expect.objectContaining({
      code: 'database-damaged',
      message: `${table} is ${found} that marc did not make, not its table`,
      place: { archive: path },
    })
    for (const readonly of [true, false]) {
      expect(() => openDatabase(path, { readonly })).toThrow(refusal)
    }
  })

  test('may have tables, views and indexes of other people', async () => {
    const path = await changed(
      'CREATE TABLE mine (x); CREATE VIEW my_view AS SELECT x FROM mine; CREATE INDEX my_index ON issues (title)',
    )
    expect(rowsOf(opened(path), 'SELECT * FROM my_view')).toEqual([])
  })

  everyDay(1)([
    ['has another definition', `DROP VIEW threads; CREATE VIEW threads AS ${ENDLESS}`],
    ['is a table', 'DROP VIEW threads; CREATE TABLE threads (url)'],
    ['is missing', 'DROP VIEW threads'],
  ])('does not decide what a view says that %s', async (_, sql) => {
    const database = opened(await changed(sql))
    expect(rowsOf(database, 'SELECT title FROM threads')).toEqual([['One'], ['Two']])
    expect(rowsOf(database, 'SELECT count(*) FROM timeline')).toEqual([[2]])
  })

  const PLANTED = `CREATE TRIGGER evil AFTER UPDATE ON issues BEGIN DELETE FROM issues; END`

  test('may have a trigger if it is only read', async () => {
    const path = await changed(PLANTED)
    expect(() => openDatabase(path).close()).not.toThrow()
  })

  everyDay(1)([
    PLANTED,
    'CREATE TRIGGER search_update_issues AFTER UPDATE ON issues BEGIN DELETE FROM users; END',
    'CREATE VIEW mine AS SELECT 1 AS x; CREATE TRIGGER evil INSTEAD OF DELETE ON mine BEGIN DELETE FROM users; END',
  ])('is not written to with %s', async (sql) => {
    const path = await changed(sql)
    expect(() => openDatabase(path, { readonly: false })).toThrow(/would run with what is written/)
  })

  test('is written to with the triggers of the search index', async () => {
    const { path, database } = await loaded(ISSUES)
    await updateSearchIndex(database)
    expect(
      rowsOf(database, "SELECT count(*) FROM sqlite_schema WHERE type = 'trigger'"),
    ).not.toEqual([[0]])
    expect(() => opened(path).exec("UPDATE issues SET title = 'x'")).not.toThrow()
  })

  test('deletes nothing by foreign keys', async () => {
    const database = opened(
      await changed(
        'CREATE TABLE mine (url REFERENCES issues (url) ON DELETE CASCADE); INSERT INTO mine SELECT url FROM issues',
      ),
    )
    database.exec('DELETE FROM issues')
    expect(rowsOf(database, 'SELECT count(*) FROM mine')).toEqual([[2]])
  })

  everyDay(1)([
    ['map', 'a.db', '--url', 'https://a.example=https://b.example', '-o', 'out.db'],
    ['redact', 'a.db', '-o', 'out.db'],
    ['repo', 'index', 'a.db'],
    ['search', 'a.db', 'one'],
  ])('is not changed by %s %s if it has a trigger', async (...command) => {
    const path = await changed(PLANTED)
    const { code, stderr } = await run(command.map((word) => (word === 'a.db' ? path : word)))
    expect(stderr).toContain(`${path}: the trigger "evil" would run`)
    expect(code).toBe(3)
  })
})
