import { expect, test } from 'vitest'
import { keepClosings } from '../../src/reading/closings.ts'
import { Remembered } from '../../src/reading/remembered.ts'
import { Store } from '../../src/reading/store.ts'
import { scansOf } from '../support/scans.ts'
import { tablesWith } from '../support/tables.ts'

const issue = 'https://H/o/r/issues/1'
const pull = 'https://H/o/r/pull/2'

test('the pull requests that close an issue are found by the issue', () => {
  const pull_requests = [{ url: pull, close_issue_references: [{ issue }] }]
  const database = tablesWith({ issues: [{ url: issue }], pull_requests })
  const store = Store.of(database, new Remembered())
  for (let i = 0; i < 2; i++) keepClosings(store)
  const sql = 'SELECT * FROM temp.closings WHERE issue = ?'
  expect(store.all(sql, issue)).toEqual([{ issue, pull_request: pull, how: 'may close' }])
  expect(scansOf(database, sql, [issue])).toEqual([])
})
