import { expect, test } from 'vitest'
import { RELATIONS } from '../../src/database/schema/schema.ts'
import { countRows, describeDatabase } from '../../src/query/describe-database.ts'
import { columnOf, loaded, recordFile } from '../support/load.ts'

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
