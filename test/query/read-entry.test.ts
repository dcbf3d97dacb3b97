import fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import type { Database } from '../../src/database/open-database.ts'
import { readEntry } from '../../src/query/read-entry.ts'
import { writeRecords } from '../../src/records/write-records.ts'
import { jsonObjects } from '../support/json-objects.ts'
import { loaded, recordFile } from '../support/load.ts'
import { runs } from '../support/property-runs.ts'
import { everyDay, THOROUGH } from '../support/thorough.ts'

const textOf = (database: Database, path: string) =>
  Buffer.concat([...readEntry(database, path)]).toString()

const notFound = (entry: string) =>
  expect.objectContaining({ code: 'entry-not-found', place: { entry } })

describe('readEntry', () => {
  test('gives a file of records as the host wrote it', async () => {
    const issues = [
      { type: 'issue', url: 'b', title: 'Second', labels: [] },
      { type: 'issue', url: 'a', title: 'First' },
    ]
    const { database } = await loaded(recordFile('issues', ...issues))
    expect(textOf(database, 'issues_000001.json')).toBe(JSON.stringify(issues, null, 2))
  })

  test('gives records of several kinds from one file in their order', async () => {
    const records = [{ type: 'user', url: 'u' }, { type: 'issue', url: 'i' }, { url: 'g' }]
    const { database } = await loaded(recordFile('gadgets', ...records))
    expect(textOf(database, 'gadgets_000001.json')).toBe(JSON.stringify(records, null, 2))
  })

  test('gives any records back, byte for byte', THOROUGH, async () => {
    const worlds = fc.array(jsonObjects, { maxLength: 20 })
    await fc.assert(
      fc.asyncProperty(worlds, async (objects) => {
        const records = objects.map((object, i) => ({ ...object, type: 'issue', url: `${i}` }))
        const bytes = Buffer.concat([...writeRecords(records, { emptyArray: 'new' })])
        const { database } = await loaded({ 'issues_000001.json': bytes })
        expect(textOf(database, 'issues_000001.json')).toBe(bytes.toString())
      }),
      { numRuns: runs(8) },
    )
  })

  test('gives what SQL has made of the records', THOROUGH, async () => {
    const { database } = await loaded(
      recordFile('issues', { type: 'issue', url: 'a', title: 'Old' }),
    )
    database.exec("UPDATE issues SET title = 'New'")
    expect(textOf(database, 'issues_000001.json')).toContain('"title": "New"')
  })

  everyDay(1)([
    ['without records', '[]'],
    ['without records in the old form', '[\n\n]'],
    ['with empty lists', JSON.stringify([{ type: 'issue', url: 'a', labels: [] }], null, 2)],
    [
      'with empty lists and objects in the old form',
      '[\n  {\n    "url": "a",\n    "labels": [\n\n    ],\n    "x": {\n    }\n  }\n]',
    ],
  ])('gives a file %s as it was, whatever the others of its archive look like', async (_, text) => {
    const [old, young] = ['[\n  {\n    "url": "p",\n    "x": [\n\n    ]\n  }\n]', '[]']
    const others = [{ 'users_000001.json': old }, { 'users_000001.json': young }, {}]
    for (const other of others) {
      const { database } = await loaded({ ...other, 'issues_000001.json': text })
      const changed = vi.fn()
      const bytes = Buffer.concat([...readEntry(database, 'issues_000001.json', changed)])
      expect(bytes.toString()).toBe(text)
      expect(changed).not.toHaveBeenCalled()
    }
  })

  everyDay(1)(['UPDATE issues SET title = 1', 'DELETE FROM issues'])(
    'reports that a file differs from the loaded one after: %s',
    async (sql) => {
      const { database } = await loaded(recordFile('issues', { type: 'issue', url: 'a' }))
      database.exec(sql)
      const changed = vi.fn()
      Array.from(readEntry(database, 'issues_000001.json', changed))
      expect(changed).toHaveBeenCalledOnce()
    },
  )

  test('gives files as they were', async () => {
    const { database } = await loaded({ 'attachments/1/x.txt': 'text\r\n' })
    expect(textOf(database, 'attachments/1/x.txt')).toBe('text\r\n')
  })

  everyDay(1)(['schema.json', 'urls.json'])('gives %s as it was', async (path) => {
    const { database } = await loaded({ [path]: '{ "version":"1.0.1" }' })
    expect(textOf(database, path)).toBe('{ "version":"1.0.1" }')
  })

  test('gives that of the last archive', async () => {
    const [old, young] = ['old', 'young'].map((title) => ({ type: 'issue', url: title, title }))
    const { database } = await loaded([recordFile('issues', old), recordFile('issues', young)])
    expect(textOf(database, 'issues_000001.json')).toBe(JSON.stringify([young], null, 2))
  })

  everyDay(2)(['nothing', 'schema.json', 'issues_000002.json', "'; --"])(
    'refuses %s where no archive has it',
    async (path) => {
      const { database } = await loaded(recordFile('issues', { url: 'a' }))
      expect(() => textOf(database, path)).toThrow(notFound(path))
    },
  )

  test('refuses a file that was loaded without its content', async () => {
    const { database } = await loaded({ 'attachments/1/x': 'text' }, { files: false })
    expect(() => textOf(database, 'attachments/1/x')).toThrow(notFound('attachments/1/x'))
  })
})
