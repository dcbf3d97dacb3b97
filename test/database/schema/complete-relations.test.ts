import { describe, expect, test } from 'vitest'
import { loadArchive } from '../../../src/load-archive/load-archive.ts'
import { BARE, columnOf, loaded, opened, recordFile, sourceOf } from '../../support/load.ts'

const issues = recordFile('issues', { url: 'https://forge.example/ada/kettle/issues/1' })

describe('A load into a database', () => {
  test('makes views that somebody dropped again, and others who have it open see them', async () => {
    const { database, path } = await loaded(BARE)
    database.exec('DROP VIEW timeline; DROP VIEW threads')
    const other = opened(path)
    expect(() => columnOf(other, 'SELECT url FROM threads')).toThrow('no such table')
    await loadArchive(sourceOf(issues), path)
    expect(columnOf(other, 'SELECT url FROM threads')).toHaveLength(1)
    expect(columnOf(other, 'SELECT * FROM timeline')).toHaveLength(1)
    expect(columnOf(other, 'PRAGMA integrity_check')).toEqual(['ok'])
  })

  test('makes tables that somebody dropped again, whole', async () => {
    const { database, path } = await loaded(BARE)
    database.exec('DROP TABLE issues; DROP TABLE milestones; DROP TABLE commits')
    await loadArchive(sourceOf(issues), path)
    const whole = (await loaded(BARE)).database
    const tables =
      "SELECT sql FROM sqlite_schema WHERE type IN ('table', 'index') ORDER BY type, name"
    expect(columnOf(opened(path), tables)).toEqual(columnOf(whole, tables))
  })

  test('leaves a table alone that has the name of a view in other case', async () => {
    const { database, path } = await loaded(BARE)
    database.exec("DROP VIEW timeline; CREATE TABLE Timeline AS SELECT 'mine' AS whose")
    await loadArchive(sourceOf(issues), path)
    const after = opened(path)
    expect(columnOf(after, 'SELECT whose FROM timeline')).toEqual(['mine'])
    expect(columnOf(after, 'PRAGMA integrity_check')).toEqual(['ok'])
  })
})
