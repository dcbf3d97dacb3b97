import { expect, test } from 'vitest'
import type { Database } from '../../../src/database/open-database.ts'
import { examineAt, updateIndexAt } from '../../support/by-path.ts'
import { loaded, recordFile, rowsOf } from '../../support/load.ts'
import { everyDay, THOROUGH } from '../../support/thorough.ts'

const issue = (number: number, title: string) => ({
  type: 'issue',
  url: `https://H/o/r/issues/${number}`,
  title,
  body: `The kettle boils ${title}`,
})
const FILES = recordFile('issues', issue(1, 'first'), issue(2, 'second'), issue(3, '水が沸く'))

async function indexed() {
  const { path, database } = await loaded(FILES)
  await updateIndexAt(path)
  return { path, database }
}

/** Edits of the tables of the index, and what is said of them: first one of each kind. */
const EDITS: Readonly<Record<string, [sql: string, message: string]>> = {
  'a text taken out': [
    'DELETE FROM search_index WHERE rowid = 32',
    'it does not have the words of issues, first at rowid 2',
  ],
  'a table that is not listed': [
    "DELETE FROM search_tables WHERE name = 'issues'",
    'it does not have the words of issues, first at rowid 1',
  ],
  'no trigger': [
    'DROP TRIGGER search_update_issues',
    'a trigger that notes changes of issues is missing',
  ],
  'a text put in': [
    "INSERT INTO search_index (rowid, title, body) VALUES (64, 'stray', 'text')",
    'it does not have the words of issues, first at rowid 4',
  ],
  'another text of as many words': [
    `DELETE FROM search_index WHERE rowid = 16;
     INSERT INTO search_index (rowid, title, body) VALUES (16, 'worst', 'The kettle boils first')`,
    'it does not have the words of issues, first at rowid 1',
  ],
  'a change that is not noted any more': [
    "UPDATE issues SET title = 'other' WHERE rowid = 1; DELETE FROM search_changes",
    'it does not have the words of issues, first at rowid 1',
  ],
  'another name of a table': [
    "UPDATE search_tables SET name = 'users' WHERE name = 'issues'",
    'search_tables: 0 is not "users"',
  ],
}

const textsFor = (database: Database, word: string) =>
  rowsOf(database, 'SELECT rowid FROM search_index WHERE search_index MATCH ?', word).flat()

everyDay(1)(Object.entries(EDITS))(
  'An index with %s is found, and made again by a repair',
  async (_, [sql, message]) => {
    const { path, database } = await indexed()
    database.exec(sql)
    expect(examineAt(path).faults).toEqual([
      { code: 'search-damaged', where: 'search_index', message },
    ])
    const { faults, repaired } = examineAt(path, { repair: true })
    expect(faults).toEqual([])
    expect(repaired.map(({ code }) => code)).toEqual(['search-damaged'])
    expect(textsFor(database, 'kettle')).toEqual([16, 32, 48])
    expect(await updateIndexAt(path)).toBe(false)
  },
)

test(
  'An index is whole when it was made, after edits of records, and after the next search',
  THOROUGH,
  async () => {
    const { path, database } = await indexed()
    expect(examineAt(path).count).toBe(0)
    database.exec(`UPDATE issues SET title = 'other' WHERE rowid = 1; DELETE FROM issues WHERE rowid = 2;
    INSERT INTO issues (url, title) VALUES ('n', 'new')`)
    expect(examineAt(path).count).toBe(0)
    await updateIndexAt(path)
    expect(examineAt(path).count).toBe(0)
  },
)
