import { describe, expect, test } from 'vitest'
import type { Database } from '../../../src/database/open-database.ts'
import { quoteName } from '../../../src/database/quote.ts'
import { RELATIONS } from '../../../src/database/schema/schema.ts'
import { loadArchive } from '../../../src/load/load-archive.ts'
import { KINDS } from '../../../src/records/kinds/kinds.ts'
import { BARE, columnOf, loaded, opened, recordFile, rowsOf, sourceOf } from '../../support/load.ts'
import { emptyTables } from '../../support/tables.ts'
import { THOROUGH } from '../../support/thorough.ts'

const everyKind = Object.fromEntries(
  Object.keys(KINDS).flatMap((kind) => Object.entries(recordFile(kind, { url: kind }))),
)
const oneLine = /^\S(.*\S)?$/
const tables = RELATIONS.filter(({ type }) => type === 'table')
const planOf = (sql: string) =>
  rowsOf(emptyTables(), `EXPLAIN QUERY PLAN ${sql}`).map((row) => String(row[3]))

describe.each(RELATIONS)('The $type $name', ({ name, type, summary, columns }) => {
  test('has a summary and describes every column on one line', () => {
    expect(summary).toMatch(oneLine)
    for (const column of columns) expect(column.description, column.name).toMatch(oneLine)
  })

  test('has the columns that SQLite has, each once', () => {
    const names = columnOf(emptyTables(), 'SELECT name FROM pragma_table_xinfo(?)', name)
    expect(columns.map((column) => column.name).sort()).toEqual(names.sort())
    expect(new Set(names).size).toBe(names.length)
  })

  test('is what SQLite says it is', () => {
    expect(rowsOf(emptyTables(), 'SELECT type FROM sqlite_schema WHERE name = ?', name)).toEqual([
      [type],
    ])
  })

  test('refers to tables and views that are there', () => {
    const known = RELATIONS.map((relation) => relation.name)
    for (const { refersTo = [] } of columns)
      expect(known).toEqual(expect.arrayContaining([...refersTo]))
  })

  test('can be read', () => {
    expect(() => rowsOf(emptyTables(), `SELECT * FROM ${quoteName(name)}`)).not.toThrow()
  })
})

describe.each(tables)('The table $name', ({ name, indexes = [] }) => {
  test('has its indexes', () => {
    const found = columnOf(emptyTables(), 'SELECT name FROM pragma_index_list(?)', name)
    expect(found).toEqual(expect.arrayContaining(indexes.map((index) => index.name)))
  })
})

describe.each(Object.keys(KINDS))('The table %s', (name) => {
  test('finds a row by any url it holds without looking at all rows', () => {
    const columns = RELATIONS.find((relation) => relation.name === name)?.columns ?? []
    for (const { name: column, refersTo } of columns) {
      if ((!refersTo && column !== 'url') || column === '_archive') continue
      const plan = planOf(`SELECT rowid FROM ${quoteName(name)} WHERE ${quoteName(column)} = 'x'`)
      expect(plan.join(), column).toMatch(/^SEARCH .* USING (COVERING )?INDEX/)
    }
  })
})

describe('A loaded database', () => {
  test.each([
    ['the timeline of a thread', "SELECT * FROM timeline WHERE thread = 'x' ORDER BY created_at"],
    ['a thread', "SELECT * FROM threads WHERE url = 'x'"],
    ['the comments on a thread', "SELECT * FROM issue_comments WHERE thread = 'x'"],
    ['what an attachment hangs on', "SELECT * FROM attachments WHERE parent = 'x'"],
    ['somebody', "SELECT * FROM people WHERE url = 'x'"],
    ['the labels of an issue', "SELECT * FROM issues_labels WHERE issue = 'x'"],
    ['the reactions to something', "SELECT * FROM reactions WHERE subject = 'x'"],
    ['what somebody wrote', "SELECT * FROM issue_comments WHERE user = 'x'"],
    ['a file', "SELECT * FROM files WHERE path = 'x'"],
  ])('finds %s without looking at all rows of a table', (_what, sql) => {
    // A view is scanned once its tables were searched, and so is each list that was found.
    const scanned = planOf(sql).flatMap((step) => /^SCAN (\S+)/.exec(step)?.[1] ?? [])
    const harmless = ['e', ...RELATIONS.flatMap(({ name, type }) => (type === 'view' ? name : []))]
    expect(scanned.filter((name) => !harmless.includes(name))).toEqual([])
  })

  test('is whole, as SQLite checks it', async () => {
    const issues = [{ url: 'a', labels: ['x'] }, { url: 'a' }, { url: 'b', type: 5 }, {}]
    const { database } = await loaded({
      ...recordFile('issues', ...issues),
      ...recordFile('gadgets', {}),
    })
    expect(columnOf(database, 'PRAGMA integrity_check')).toEqual(['ok'])
    expect(columnOf(database, 'PRAGMA application_id')).toEqual([0x6d617263])
  })

  test('has the tables and views of the schema and no others', async () => {
    const { database } = await loaded(BARE)
    const names = columnOf(
      database,
      "SELECT name FROM sqlite_schema WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite%'",
    )
    expect(names.sort()).toEqual(RELATIONS.map(({ name }) => name).sort())
  })

  test('describes each table and column in SQL', async () => {
    const { database } = await loaded(BARE)
    const [sql] = columnOf(database, "SELECT sql FROM sqlite_schema WHERE name = 'issues'")
    expect(sql).toContain('-- Issues. Pull requests, which share their numbers')
    expect(sql).toContain('"title" TEXT, -- The title.')
    expect(sql).toMatch(/"state" TEXT GENERATED ALWAYS AS .* -- open or closed\./)
  })

  test('describes a table in the same words, be it empty or not', async () => {
    const tables = (database: Database) =>
      rowsOf(database, "SELECT name, sql FROM sqlite_schema WHERE type = 'table' ORDER BY name")
    const [empty, full] = [await loaded(BARE), await loaded(everyKind)]
    expect(tables(full.database)).toEqual(tables(empty.database))
  })

  test('lets another connection that is open see its new tables whole', THOROUGH, async () => {
    const { path, database } = await loaded(recordFile('users', { url: 'u' }))
    expect(columnOf(database, 'SELECT number FROM issues')).toEqual([])
    const later = recordFile('issues', { url: 'https://H/o/r/issues/7' })
    await loadArchive(sourceOf({ ...later, ...recordFile('gadgets', { type: 'gadget' }) }), path)
    expect(columnOf(database, 'SELECT number FROM issues')).toEqual([7])
    expect(columnOf(database, 'SELECT type FROM gadgets')).toEqual(['gadget'])
    expect(columnOf(database, 'PRAGMA integrity_check')).toEqual(['ok'])
  })

  test('stays as it was where a later load is given up', THOROUGH, async () => {
    const { path, database } = await loaded(recordFile('users', { url: 'u' }))
    const before = rowsOf(database, 'SELECT * FROM sqlite_schema')
    const second = [
      sourceOf(recordFile('gadgets', { url: 'g' })),
      sourceOf({ 'x_000001.json': '[' }),
    ]
    await expect(loadArchive(second, path)).rejects.toMatchObject({ code: 'json-damaged' })
    expect(rowsOf(database, 'SELECT * FROM sqlite_schema')).toEqual(before)
  })

  test('explains the events', async () => {
    const { database } = await loaded(BARE)
    const sql = "SELECT members FROM event_types WHERE event = 'renamed'"
    expect(columnOf(database, sql)).toEqual(['["title_was","title_is"]'])
  })
})

const issues = recordFile('issues', { url: 'https://forge.example/ada/kettle/issues/1' })

describe('A load into a database', () => {
  test('makes dropped views again, and other connections see them', async () => {
    const { database, path } = await loaded(BARE)
    database.exec('DROP VIEW timeline; DROP VIEW threads')
    const other = opened(path)
    expect(() => columnOf(other, 'SELECT url FROM main.threads')).toThrow('no such table')
    await loadArchive(sourceOf(issues), path)
    expect(columnOf(other, 'SELECT url FROM main.threads')).toHaveLength(1)
    expect(columnOf(other, 'SELECT * FROM main.timeline')).toHaveLength(1)
    expect(columnOf(other, 'PRAGMA integrity_check')).toEqual(['ok'])
  })

  test('makes dropped tables again, with their indexes', THOROUGH, async () => {
    const { database, path } = await loaded(BARE)
    database.exec('DROP TABLE issues; DROP TABLE milestones; DROP TABLE commits')
    await loadArchive(sourceOf(issues), path)
    const whole = (await loaded(BARE)).database
    const tables =
      "SELECT sql FROM sqlite_schema WHERE type IN ('table', 'index') ORDER BY type, name"
    expect(columnOf(opened(path), tables)).toEqual(columnOf(whole, tables))
  })

  test('leaves a table alone that has the name of a view in other case', THOROUGH, async () => {
    const { database, path } = await loaded(BARE)
    database.exec("DROP VIEW timeline; CREATE TABLE Timeline AS SELECT 'mine' AS whose")
    await loadArchive(sourceOf(issues), path)
    const after = opened(path)
    expect(columnOf(after, 'SELECT whose FROM main.timeline')).toEqual(['mine'])
    expect(columnOf(after, 'PRAGMA integrity_check')).toEqual(['ok'])
  })
})
