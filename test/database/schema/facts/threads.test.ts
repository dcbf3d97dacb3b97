import { describe, expect, test } from 'vitest'
import { rowsOf } from '../../../support/load.ts'
import { scansOf } from '../../../support/scans.ts'
import { emptyTables, sharedTablesWith } from '../../../support/tables.ts'

const repository = 'https://H/o/r'
const issue = `${repository}/issues/1`
const pull = `${repository}/pull/2`
const [ada, bob] = ['https://H/ada', 'https://H/bob']
const at = (time: string) => `2024-05-06T${time}Z`
const MERGED_AT = at('08:00:00')

type Rows = Parameters<typeof sharedTablesWith>[0]

/** Columns of `thread_facts` of the only thread. */
const factsOf = (columns: string, records: Rows) =>
  rowsOf(sharedTablesWith(records), `SELECT ${columns} FROM thread_facts`)[0]

const merged = { url: pull, repository, merged_at: MERGED_AT }
const event = (kind: string, time: string, more: object = {}) => ({
  url: `${pull}#event-${time}`,
  pull_request: pull,
  event: kind,
  actor: ada,
  created_at: at(time),
  ...more,
})

describe('The view thread_facts', () => {
  test('has what is merged as closed, when it was merged', () => {
    expect(factsOf('state, closed_at', { pull_requests: [merged] })).toEqual(['merged', MERGED_AT])
  })

  test.each([
    ['the actor of the merge', [event('merged', '08:00:00'), event('closed', '08:00:01')], ada],
    ['who closed it within a minute', [event('closed', '08:00:59')], ada],
    ['nobody who closed it at another time', [event('closed', '09:00:00')], null],
    ['nobody without an event', [], null],
  ])('has as merged by %s', (_, events, who) => {
    const records = { pull_requests: [merged], issue_events: events }
    expect(factsOf('merged_by', records)).toEqual([who])
  })

  test('tells a deleted account that merged from nobody known', () => {
    const events = [event('merged', '08:00:00', { actor: null })]
    const records = { pull_requests: [merged], issue_events: events }
    expect(factsOf('merged_by, merging_event', records)).toEqual([null, `${pull}#event-08:00:00`])
  })

  test('has who closed it last', () => {
    const events = [
      event('closed', '08:00:00'),
      event('reopened', '08:30:00'),
      event('closed', '09:00:00', { actor: bob }),
    ]
    const closed = { url: pull, repository, closed_at: at('09:00:00') }
    const open = { ...closed, closed_at: null }
    expect(factsOf('closed_by', { pull_requests: [closed], issue_events: events })).toEqual([bob])
    expect(factsOf('closed_by', { pull_requests: [open], issue_events: events })).toEqual([null])
  })

  test('has the reason of a lock until it is unlocked', () => {
    const lock = event('locked', '08:00:00', { lock_reason: 'OFF_TOPIC' })
    const unlock = event('unlocked', '09:00:00')
    const columns = 'locked, lock_reason'
    const records = (events: Rows[string]) => ({ pull_requests: [merged], issue_events: events })
    expect(factsOf(columns, records([lock]))).toEqual([1, 'off-topic'])
    expect(factsOf(columns, records([lock, unlock]))).toEqual([0, null])
  })

  test('counts a comment in the thread that it names first', () => {
    const database = sharedTablesWith({
      issues: [{ url: issue, repository }],
      pull_requests: [{ url: pull, repository }],
      issue_comments: [
        { url: 'a', issue, pull_request: pull, user: ada },
        { url: 'b', issue: pull, user: bob },
      ],
      pull_request_reviews: [{ url: 'c', pull_request: pull, state: 40, user: ada }],
    })
    expect(rowsOf(database, 'SELECT url, comments, participants FROM thread_facts')).toEqual([
      [issue, 1, 1],
      [pull, 1, 2],
    ])
  })

  test('has the one assignee of an archive without lists', () => {
    const facts = factsOf('assignees', { issues: [{ url: issue, assignee: ada, assignees: '[]' }] })
    expect(facts).toEqual([`["${ada}"]`])
  })
})

const request = (reviewer: string, more: object = {}) => ({
  reviewer,
  reviewer_type: 'User',
  created_at: at('03:00:00'),
  dismissed_at: null,
  ...more,
})
const review = (time: string, state: number, more: object = {}) => ({
  url: `${pull}/files#pullrequestreview-${time}`,
  pull_request: pull,
  user: ada,
  state,
  submitted_at: at(time),
  ...more,
})

describe('The view requested_reviewers', () => {
  test.each([
    ['whoever gave no review', [], [ada]],
    ['whoever reviewed before', [review('02:00:00', 40)], [ada]],
    ['whoever only began a review', [review('04:00:00', 0)], [ada]],
    ['nobody who reviewed since', [review('04:00:00', 1)], []],
  ])('has %s', (_, reviews, expected) => {
    const database = sharedTablesWith({
      pull_requests: [{ url: pull, review_requests: [request(ada)] }],
      pull_request_reviews: reviews,
    })
    expect(rowsOf(database, 'SELECT user FROM requested_reviewers').flat()).toEqual(expected)
  })

  test('has people whose request was not withdrawn', () => {
    const asked = [
      request('https://H/orgs/o/teams/t', { reviewer_type: 'Team' }),
      request(ada, { dismissed_at: at('04:00:00') }),
      request(bob),
    ]
    const database = sharedTablesWith({
      pull_requests: [{ url: pull, review_requests: asked }],
    })
    expect(rowsOf(database, 'SELECT user FROM requested_reviewers')).toEqual([[bob]])
  })
})

test('The view reviewers has the last verdict of each', () => {
  const database = sharedTablesWith({
    pull_requests: [{ url: pull, user: 'https://H/eve' }],
    pull_request_reviews: [
      review('02:00:00', 30),
      review('03:00:00', 40),
      review('04:00:00', 1),
      review('05:00:00', 0),
      review('06:00:00', 1, { user: bob }),
      review('07:00:00', 1, { user: 'https://H/eve' }),
    ],
  })
  const sql = 'SELECT user_login, state FROM reviewers ORDER BY 1'
  expect(rowsOf(database, sql)).toEqual([
    ['ada', 'approved'],
    ['bob', 'commented'],
  ])
})

const closedByHand = { url: 'e', issue, event: 'closed' }
test.each([
  ['closed', 'with the merge', { merged_at: MERGED_AT }, { closed_at: MERGED_AT }, []],
  ['may close', 'while it is open', {}, {}, []],
  ['did not close', 'without a merge', { closed_at: MERGED_AT }, {}, []],
  ['did not close', 'that is open', { merged_at: MERGED_AT }, {}, []],
  [
    'did not close',
    'that somebody closed by hand',
    { merged_at: MERGED_AT },
    { closed_at: MERGED_AT },
    [closedByHand],
  ],
])('The view closing_pull_requests says that a pull request %s an issue %s', (...row) => {
  const [how, , dates, ofIssue, issue_events] = row
  const close_issue_references = [{ issue }]
  const database = sharedTablesWith({
    issues: [{ url: issue, ...ofIssue }],
    pull_requests: [{ url: pull, close_issue_references, ...dates }],
    issue_events,
  })
  expect(rowsOf(database, 'SELECT * FROM closing_pull_requests')).toEqual([[issue, pull, how]])
})

test('The view closing_pull_requests has the pull request of a closing', () => {
  const closing = { url: 'e', issue, event: 'closed', referencing_pull_request: pull }
  const database = sharedTablesWith({ issues: [{ url: issue }], issue_events: [closing] })
  expect(rowsOf(database, 'SELECT * FROM closing_pull_requests')).toEqual([[issue, pull, 'closed']])
})

test('The view closing_pull_requests reads no more than the records of a pull request', () => {
  const ofPull = 'SELECT * FROM closing_pull_requests WHERE pull_request = ?'
  expect(scansOf(emptyTables(), ofPull, [pull])).toEqual([])
  // A record says which issues a pull request closes, not the other way round.
  expect(scansOf(emptyTables(), 'SELECT * FROM closing_pull_requests')).toEqual(['pull_requests'])
})
