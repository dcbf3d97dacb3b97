import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { quoteName } from '../../../src/database/quote.ts'
import { KINDS } from '../../../src/records/kinds/kinds.ts'
import { repositoryOfRecord } from '../../../src/records/statistics/repository-of-record.ts'
import { rowsOf } from '../../support/load.ts'
import { sharedTablesWith } from '../../support/tables.ts'

/** The value of a column for a record with only these members, or after some SQL. */
function derived(kind: string, column: string, record: object, sql?: string) {
  const database = sharedTablesWith({ [kind]: [record] })
  if (sql) database.exec(sql)
  return rowsOf(database, `SELECT ${column} FROM ${kind}`)[0]
}

const H = 'https://github.example:8443'
const review = { pull_request: `${H}/o/r/pull/3`, state: 40 }
const comment = `${H}/o/r/pull/3/files#r8`
const ends = { base: { ref: 'main', sha: 'aa', user: 'u', repo: 'b' }, head: { ref: 'fix' } }

test.each<[string, string, object, unknown]>([
  ['issues', 'number', { url: `${H}/o/r/issues/12` }, 12],
  ['issues', 'state', { closed_at: null }, 'open'],
  ['issues', 'state', { closed_at: '2020-01-01T00:00:00Z' }, 'closed'],
  ['issues', 'full_name', { repository: `${H}/o/r.js` }, 'o/r.js'],
  ['issues', 'user_login', { user: `${H}/ada` }, 'ada'],
  ['issues', 'user_login', { user: `${H}/renovate[bot]` }, 'renovate[bot]'],
  ['pull_requests', 'number', { url: `${H}/o/r/pull/3` }, 3],
  ['pull_requests', 'state', {}, 'open'],
  ['pull_requests', 'state', { closed_at: '2020' }, 'closed'],
  ['pull_requests', 'state', { closed_at: '2020', merged_at: '2020' }, 'merged'],
  ['pull_requests', 'base_ref', ends, 'main'],
  ['pull_requests', 'base_sha', ends, 'aa'],
  ['pull_requests', 'base_user', ends, 'u'],
  ['pull_requests', 'base_repo', ends, 'b'],
  ['pull_requests', 'head_ref', ends, 'fix'],
  ['pull_requests', 'head_repo', { head: { repo: null } }, null],
  ['issue_comments', 'id', { url: `${H}/o/r/issues/12#issuecomment-5` }, 5],
  ['issue_comments', 'thread', { issue: `${H}/o/r/issues/12` }, `${H}/o/r/issues/12`],
  ['issue_comments', 'thread', { pull_request: `${H}/o/r/pull/3` }, `${H}/o/r/pull/3`],
  ['issue_comments', 'number', { issue: `${H}/o/r/issues/12` }, 12],
  ['issue_comments', 'repository', { issue: `${H}/o/r/issues/12` }, `${H}/o/r`],
  ['issue_comments', 'full_name', { issue: `${H}/o/r/issues/12` }, 'o/r'],
  ['issue_events', 'id', { url: `${H}/o/r/pull/3#event-99` }, 99],
  ['issue_events', 'actor_login', { actor: `${H}/ada` }, 'ada'],
  ['pull_request_reviews', 'id', { url: `${H}/o/r/pull/3/files#pullrequestreview-7` }, 7],
  ['pull_request_reviews', 'state_name', review, 'approved'],
  ['pull_request_reviews', 'state_name', { state: 41 }, null],
  ['pull_request_reviews', 'number', review, 3],
  ['pull_request_review_comments', 'id', { url: `${H}/o/r/pull/3/files#r8` }, 8],
  ['pull_request_review_comments', 'state_name', { state: 1 }, 'submitted'],
  ['commit_comments', 'id', { url: `${H}/o/r/commit/ab12#commitcomment-4` }, 4],
  ['attachments', 'parent', { issue: `${H}/o/r/issues/12` }, `${H}/o/r/issues/12`],
  [
    'attachments',
    'thread',
    { issue_comment: `${H}/o/r/pull/3#issuecomment-5` },
    review.pull_request,
  ],
  ['attachments', 'thread', { pull_request_review_comment: comment }, review.pull_request],
  ['attachments', 'number', { pull_request_review: `${H}/o/r/pull/3/files#x-7` }, 3],
  ['attachments', 'full_name', { commit_comment: `${H}/o/r/commit/ab12#commitcomment-4` }, 'o/r'],
  ['attachments', 'number', { commit_comment: `${H}/o/r/commit/ab12#commitcomment-4` }, null],
  ['repositories', 'full_name', { url: `${H}/o/r` }, 'o/r'],
  ['repositories', 'owner_login', { owner: `${H}/o` }, 'o'],
  ['teams', 'slug', { url: `${H}/orgs/o/teams/core-team` }, 'core-team'],
  ['milestones', 'number', { url: `${H}/o/r/milestones/2` }, 2],
  ['discussions', 'number', { url: `${H}/o/r/discussions/7` }, 7],
])('%s.%s of %o is %o', (kind, column, record, value) => {
  expect(derived(kind, column, record)).toEqual([value])
})

describe('A derived column', () => {
  test.each([
    ['issues', 'number', "url = 'https://H/o/r/issues/99'", 99],
    ['issues', 'full_name', "repository = 'https://H/a/b'", 'a/b'],
    ['issues', 'state', "closed_at = '2021'", 'closed'],
    ['pull_requests', 'head_ref', `head = json_object('ref', 'other')`, 'other'],
    ['issue_comments', 'thread', "issue = NULL, pull_request = 'https://H/o/r/pull/3'", 3],
    ['pull_request_reviews', 'state_name', 'state = 50', 'dismissed'],
  ])('stays true after an UPDATE: %s.%s', (kind, column, change, value) => {
    const record = { url: 'https://H/o/r/issues/1', issue: 'https://H/o/r/issues/1', ...ends }
    const shown = column === 'thread' ? 'number' : column
    expect(derived(kind, shown, record, `UPDATE ${kind} SET ${change}`)).toEqual([value])
  })

  test('names the type of a record, also where that is not the usual one', () => {
    const database = sharedTablesWith({ issues: [{ type: 'task', url: 'a' }, { url: 'b' }] })
    expect(rowsOf(database, 'SELECT url, type FROM issues')).toEqual([
      ['a', 'task'],
      ['b', 'issue'],
    ])
  })

  test.each(['number', 'full_name', 'user_login', 'state'])(
    '%s is NULL or something, and never an error, whatever the urls are',
    (column) => {
      const odd = ['', '/', '//', 'x', '12', 'o/r', 'https://H', 'https://H/', 'https:// /a b', '%']
      const urls = [
        ...odd,
        'javascript:1',
        'a\r\nb/7',
        'a\0b/7',
        `https://H/${'9'.repeat(30)}`,
        'é/١',
      ]
      const records = urls.map((url) => ({ url, repository: url, user: url }))
      const database = sharedTablesWith({ issues: [...records, {}, { url: 5 }] })
      expect(rowsOf(database, `SELECT ${column} FROM issues`)).toHaveLength(urls.length + 2)
    },
  )

  test('has no number if a URL does not end with one', () => {
    for (const url of ['https://H/o/r/issues/', 'https://H/o/r/issues/12a', 'https://H/o/a2'])
      expect(derived('issues', 'number', { url })).toEqual([null])
  })
})

test('SQL and the survey of records find the same repository for an issue or part of one', () => {
  const part = fc.stringMatching(/^[A-Za-z0-9._-]{1,20}$/)
  const worlds = fc.array(fc.tuple(part, part, fc.nat()), { minLength: 1, maxLength: 40 })
  fc.assert(
    fc.property(worlds, (places) => {
      const records = places.map(([o, r, n], i) => ({
        url: `${i}`,
        issue: `${H}/${o}/${r}/issues/${n}`,
      }))
      const database = sharedTablesWith({ issue_comments: [...records] })
      const names = rowsOf(database, 'SELECT full_name FROM issue_comments').flat()
      expect(names.map((name) => `${H}/${name}`)).toEqual(records.map(repositoryOfRecord))
    }),
    { numRuns: 3 },
  )
})

test('Every derived column of every kind can be read from a record without members', () => {
  const names = Object.keys(KINDS)
  const database = sharedTablesWith(Object.fromEntries(names.map((name) => [name, [{}]])))
  for (const [name, kind] of Object.entries(KINDS)) {
    const columns = ['type', ...Object.keys(kind.derived)].map(quoteName)
    expect(rowsOf(database, `SELECT ${columns.join()} FROM ${name}`), name).toHaveLength(1)
  }
})
