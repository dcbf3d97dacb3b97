import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  createRecordReader,
  findRecord,
  recordTables,
} from '../../../src/database/rows/read-record.ts'
import { unknownKind } from '../../../src/database/schema/unknown-kind.ts'
import type { Kind } from '../../../src/records/kinds/kind.ts'
import { KINDS } from '../../../src/records/kinds/kinds.ts'
import { jsonObjects, objectsWith } from '../../support/json-objects.ts'
import { loaded, recordFile, rowsOf } from '../../support/load.ts'
import { runs } from '../../support/property-runs.ts'
import { insertRecord, tablesWith } from '../../support/tables.ts'
import { fewKinds, THOROUGH } from '../../support/thorough.ts'

const kinds: [string, Kind][] = [...Object.entries(KINDS), ['gadgets', unknownKind('gadgets')]]

for (const [rows, suite] of fewKinds(kinds)) {
  describe.each(rows)('A row of %s in SQLite', suite, (name, kind) => {
    test('gives back any object, and all of its columns can be read', () => {
      const database = tablesWith()
      database.exec('CREATE TABLE gadgets (url, _extra, _member_order)')
      const read = createRecordReader(database, name)
      // The derived columns must not fail for any record.
      const all = database.prepare(`SELECT * FROM ${name} WHERE rowid = ?`)
      const members = ['type', ...Object.keys(kind.columns)]
      fc.assert(
        fc.property(fc.oneof(jsonObjects, objectsWith(members)), (record) => {
          const rowid = insertRecord(database, name, record)
          expect(JSON.stringify(read(rowid))).toBe(JSON.stringify(record))
          expect(all.get(rowid)).toBeDefined()
          database.exec(`DELETE FROM ${name}`)
        }),
        { numRuns: runs(30) },
      )
    })
  })
}

const issue = { type: 'issue', url: 'https://H/o/r/issues/1', title: 'Old', body: null }

describe('A record changed with SQL', () => {
  /** The issue, in the order of members that only `_member_order` knows, once SQL is done. */
  const recordAfter = async (sql: string) => {
    const { database } = await loaded(recordFile('issues', issue))
    database.exec(sql)
    return findRecord(database, issue.url)
  }

  test('is in the record', async () => {
    expect(await recordAfter("UPDATE issues SET title = 'New'")).toEqual({ ...issue, title: 'New' })
  })

  test('adds a member that the record did not have', async () => {
    const record = await recordAfter("UPDATE issues SET user = 'https://H/ada'")
    expect(record).toEqual({ ...issue, user: 'https://H/ada' })
  })

  test('leaves a member that is set to NULL null', async () => {
    expect(await recordAfter('UPDATE issues SET title = NULL')).toEqual({ ...issue, title: null })
  })

  test('changes lists', async () => {
    const record = await recordAfter(
      `UPDATE issues SET labels = json_array('https://H/o/r/labels/bug')`,
    )
    expect(record).toEqual({ ...issue, labels: ['https://H/o/r/labels/bug'] })
  })

  test('wins over a value of another type', async () => {
    const { database } = await loaded(recordFile('issues', { ...issue, title: 5 }))
    database.exec("UPDATE issues SET title = 'Five'")
    expect(findRecord(database, issue.url)).toEqual({ ...issue, title: 'Five' })
  })

  test('is kept even where it is of another type', THOROUGH, async () => {
    const { database } = await loaded(recordFile('pull_request_reviews', { url: 'r', state: 40 }))
    database.exec("UPDATE pull_request_reviews SET state = 'approved'")
    expect(findRecord(database, 'r')).toEqual({ url: 'r', state: 'approved' })
  })

  test('keeps every digit of an integer that a double cannot hold', async () => {
    const { database } = await loaded(recordFile('pull_request_reviews', { url: 'r', state: 40 }))
    database.exec('UPDATE pull_request_reviews SET state = 9007199254740993')
    expect(JSON.stringify(findRecord(database, 'r'))).toBe('{"url":"r","state":9007199254740993}')
  })

  test('can be a whole new row', async () => {
    const { database } = await loaded(recordFile('issues', issue))
    database.exec("INSERT INTO discussion_categories (url, name) VALUES ('c', 'Ideas')")
    expect(findRecord(database, 'c')).toEqual({
      type: 'discussion_category',
      url: 'c',
      repository: null,
      name: 'Ideas',
      emoji: null,
      description: null,
    })
  })

  test('can be a member that no column foresees', async () => {
    const record = await recordAfter(`UPDATE issues SET _extra = json_object('colour', 'red')`)
    expect(record).toEqual({ ...issue, colour: 'red' })
  })
})

describe('findRecord', () => {
  test('finds a record of any kind, unknown ones included', async () => {
    const gadget = { type: 'gadget', url: 'g', size: 1 }
    const { database } = await loaded({
      ...recordFile('issues', issue),
      ...recordFile('gadgets', gadget),
    })
    expect(findRecord(database, 'g')).toEqual(gadget)
    expect(findRecord(database, issue.url)).toEqual(issue)
  })

  test('finds nothing where no record has the url', async () => {
    const { database } = await loaded(recordFile('issues', issue))
    expect(findRecord(database, 'https://H/o/r/issues/2')).toBeUndefined()
  })

  test('takes a url for a text and nothing else', async () => {
    const { database } = await loaded(recordFile('issues', issue))
    expect(findRecord(database, "' OR 1 --")).toBeUndefined()
  })
})

describe('recordTables', () => {
  test('are those of the kinds and of unknown kinds', async () => {
    const { database } = await loaded(recordFile('gadgets', { url: 'g' }))
    expect(recordTables(database).sort()).toEqual([...Object.keys(KINDS), 'gadgets'].sort())
    expect(rowsOf(database, 'SELECT url FROM gadgets')).toEqual([['g']])
  })
})
