import { expect, test } from 'vitest'
import { RELATIONS } from '../../src/database/schema/schema.ts'
import { countRows, countRowsOf, describeDatabase } from '../../src/query/describe-database.ts'
import { BARE, columnOf, loaded, recordFile } from '../support/load.ts'
import { THOROUGH } from '../support/thorough.ts'

test('describeDatabase lists every table and view with every column', async () => {
  const { database } = await loaded({ ...recordFile('gadgets', {}), ...recordFile('labels', {}) })
  const relations = describeDatabase(database)
  const names = [...RELATIONS.map(({ name }) => name), 'gadgets', 'labels_records']
  expect(relations.map(({ name }) => name)).toEqual(names)
  for (const { name, columns } of relations) {
    const found = columnOf(database, 'SELECT name FROM pragma_table_xinfo(?)', name)
    expect(columns.map((column) => column.name).sort(), name).toEqual(found.sort())
  }
})

test('countRows counts the rows of a table or view, whatever its name', async () => {
  const labels = [{ url: 'l' }, { url: 'm' }]
  const files = { ...recordFile('repositories', { url: 'r', labels }), ...recordFile('select', {}) }
  const { database } = await loaded(files)
  const counts = ['labels', 'repositories', 'select', 'issues'].map((t) => countRows(database, t))
  expect(counts).toEqual([2, 1, 1, 0])
})

test(
  'Tables and views of other people are described by their columns, and their views are not counted',
  THOROUGH,
  async () => {
    const { database } = await loaded(BARE)
    database.exec(`CREATE TABLE mine (x, y INTEGER); INSERT INTO mine VALUES (1, 2);
    CREATE VIEW endless AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n`)
    const others = describeDatabase(database).slice(-2)
    expect(
      others.map(({ name, type, columns }) => [name, type, columns.map((column) => column.name)]),
    ).toEqual([
      ['mine', 'table', ['x', 'y']],
      ['endless', 'view', ['i']],
    ])
    expect(others.map((relation) => countRowsOf(database, relation))).toEqual([1, null])
  },
)
