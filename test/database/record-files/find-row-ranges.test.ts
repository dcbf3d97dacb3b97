import { describe, expect, test } from 'vitest'
import { findRowRanges } from '../../../src/database/record-files/find-row-ranges.ts'
import { loaded } from '../../support/load.ts'
import { everyDay } from '../../support/thorough.ts'

const issues = (...numbers: number[]) =>
  numbers.map((number) => ({ type: 'issue', url: `https://H/o/r/issues/${number}` }))

/** Three files of issues, in the archive in the order of a file system. */
async function runsAfter(sql = '') {
  const { database } = await loaded({
    'issues_000002.json': issues(3, 4, 5),
    'issues_000001.json': issues(1, 2),
    'issues_000003.json': issues(),
  })
  database.exec(sql)
  const recordFiles = database
    .prepare<[], { position: number; archive: number; path: string; records: number }>(
      'SELECT rowid AS position, archive, path, records FROM record_files ORDER BY path',
    )
    .all()
    .map((recordFile, position) => ({ ...recordFile, position }))
  return findRowRanges(database, 'issues', recordFiles)
}

describe('The rows of a kind', () => {
  test('stand together file by file after loading, whatever the order of the files', async () => {
    expect([...((await runsAfter()) ?? [])]).toEqual([
      [1, { from: 1, to: 3 }],
      [0, { from: 4, to: 5 }],
    ])
  })

  everyDay(1)([
    ['one was deleted', 'DELETE FROM issues WHERE rowid = 4'],
    ['one was added', "INSERT INTO issues (url) VALUES ('https://H/o/r/issues/6')"],
    ['one has another place', 'UPDATE issues SET _record_number = 7 WHERE rowid = 1'],
    [
      'one has a place that is no number',
      "UPDATE issues SET _record_number = 'first' WHERE rowid = 1",
    ],
    ['one is of another file', "UPDATE issues SET _entry = 'x.json' WHERE rowid = 5"],
    ['one is of no file', 'UPDATE issues SET _entry = NULL WHERE rowid = 4'],
    ['one is of another archive', 'UPDATE issues SET _archive = 2 WHERE rowid = 2'],
    ['two changed places', 'UPDATE issues SET _record_number = 3 - _record_number WHERE rowid > 3'],
    ['a row lies before them', 'UPDATE issues SET rowid = -1 WHERE rowid = 5'],
    ['all of a file are gone', "DELETE FROM issues WHERE _entry = 'issues_000001.json'"],
  ])('do no longer where %s', async (_, sql) => {
    expect(await runsAfter(sql)).toBeUndefined()
  })

  test('do not where two files have one name', async () => {
    const twice =
      "UPDATE record_files SET path = 'issues_000001.json' WHERE path = 'issues_000003.json'"
    expect(await runsAfter(twice)).toBeUndefined()
  })
})
