import { expect, test } from 'vitest'
import { parseSavedQuery } from '../../src/query/parse-saved-query.ts'

test('reads the summary and the parameters from the comments at the head', () => {
  const sql = `-- Who is late?
-- Counted in days.
-- :days = 60, so many days
-- :share = 0.5, a part
-- :repo = null, only this repository
-- :state = 'open', its state
-- :number, of the issue
-- :most number = 5, so many
-- :only repository = null, a repository
-- :of thread, an issue
-- needs commits: marc repo index
SELECT 1 -- :other = 1, no head any more`
  expect(parseSavedQuery(sql)).toEqual({
    summary: 'Who is late? Counted in days.',
    parameters: [
      { name: 'days', description: 'so many days', standard: 60n },
      { name: 'share', description: 'a part', standard: 0.5 },
      { name: 'repo', description: 'only this repository', standard: null },
      { name: 'state', description: 'its state', standard: 'open' },
      { name: 'number', description: 'of the issue' },
      { name: 'most', type: 'number', description: 'so many', standard: 5n },
      { name: 'only', type: 'repository', description: 'a repository', standard: null },
      { name: 'of', type: 'thread', description: 'an issue' },
    ],
    needs: { table: 'commits', command: 'marc repo index' },
    sql,
  })
})

test('takes a statement without a head, and one from Windows', () => {
  expect(parseSavedQuery('SELECT 1')).toEqual({ summary: '', parameters: [], sql: 'SELECT 1' })
  expect(parseSavedQuery('\ufeff-- Why?\r\nSELECT 1')).toMatchObject({ summary: 'Why?' })
})
