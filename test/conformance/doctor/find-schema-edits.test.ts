import { expect, test } from 'vitest'
import { findSchemaEdits } from '../../../src/conformance/doctor/find-schema-edits.ts'
import { updateSearchIndex } from '../../../src/search/update-search-index.ts'
import { loaded, recordFile } from '../../support/load.ts'

const FILES = { ...recordFile('gadgets', { url: 'g' }), ...recordFile('labels', { url: 'l' }) }

test('findSchemaEdits finds nothing where kinds are unknown and texts are indexed', async () => {
  const { database } = await loaded(FILES)
  await updateSearchIndex(database)
  expect(findSchemaEdits(database)).toEqual([])
})

test('findSchemaEdits names what was added and changed, by type', async () => {
  const { database } = await loaded(FILES)
  database.exec(`
    CREATE TABLE mine (url TEXT UNIQUE); CREATE VIEW seen AS SELECT 1 AS x; CREATE INDEX found ON users (name);
    CREATE TRIGGER evil AFTER DELETE ON mine BEGIN SELECT 1; END;
    ALTER TABLE gadgets ADD COLUMN size INTEGER;
    DROP TABLE problems; CREATE TABLE problems (archive, code, entry, record, member, message, content, times)`)
  const edits = findSchemaEdits(database).map(({ kind, added, changed }) => [kind, added, changed])
  expect(edits).toEqual([
    ['trigger evil', 1, 0],
    ['index found', 1, 0],
    ['column gadgets.size', 1, 0],
    ['table mine', 1, 0],
    ['table problems', 0, 1],
    ['view seen', 1, 0],
  ])
})
