import { expect, test } from 'vitest'
import { RELATIONS } from '../../src/database/schema/schema.ts'
import { countRows, describeDatabase } from '../../src/query/describe-database.ts'
import { columnOf, loaded, shard } from '../support/load.ts'

test('describeDatabase tells of every table and view, with every column', async () => {
  const { database } = await loaded({ ...shard('gadgets', {}), ...shard('labels', {}) })
  const relations = describeDatabase(database)
  const names = [...RELATIONS.map(({ name }) => name), 'gadgets', 'labels_records']
  expect(relations.map(({ name }) => name)).toEqual(names)
  for (const { name, columns } of relations) {
    const found = columnOf(database, 'SELECT name FROM pragma_table_xinfo(?)', name)
    expect(columns.map((column) => column.name).sort(), name).toEqual(found.sort())
  }
})

test('countRows counts the rows of a table or view, whatever its name is', async () => {
  const labels = [{ url: 'l' }, { url: 'm' }]
  const files = { ...shard('repositories', { url: 'r', labels }), ...shard('select', {}) }
  const { database } = await loaded(files)
  const counts = ['labels', 'repositories', 'select', 'issues'].map((t) => countRows(database, t))
  expect(counts).toEqual([2, 1, 1, 0])
})
