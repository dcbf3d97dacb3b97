import { describe, expect, test } from 'vitest'
import { columnOf, rowsOf } from '../../support/load.ts'
import { sharedTablesWith } from '../../support/tables.ts'

const repository = 'https://H/o/r'
const issue = `${repository}/issues/1`
const pull = `${repository}/pull/2`
const ada = 'https://H/ada'

describe('The view threads', () => {
  test('has issues and pull requests alike', () => {
    const database = sharedTablesWith({
      issues: [{ url: issue, repository, title: 'Slow', user: ada, created_at: '1' }],
      pull_requests: [{ url: pull, repository, title: 'Faster', closed_at: '3', merged_at: '3' }],
    })
    const sql = 'SELECT kind, full_name, number, title, state, user_login, merged_at FROM threads'
    expect(rowsOf(database, sql)).toEqual([
      ['issue', 'o/r', 1, 'Slow', 'open', 'ada', null],
      ['pull_request', 'o/r', 2, 'Faster', 'merged', null, '3'],
    ])
  })

  test('distinguishes an issue from a pull request with the same number', () => {
    const database = sharedTablesWith({
      issues: [{ url: issue, repository }],
      pull_requests: [{ url: `${repository}/pull/1`, repository }],
    })
    expect(columnOf(database, 'SELECT url FROM threads WHERE number = 1')).toHaveLength(2)
  })
})

describe('The view timeline', () => {
  test('has everything that happened in a pull request, by time', () => {
    const part = { pull_request: pull }
    const database = sharedTablesWith({
      pull_requests: [{ url: pull, user: ada, body: 'Faster', created_at: '1' }],
      issue_comments: [{ url: 'c', ...part, body: 'Nice', created_at: '3' }],
      issue_events: [
        { url: 'e', ...part, actor: ada, event: 'labeled', label_name: 'bug', created_at: '2' },
        { url: 'f', ...part, event: 'merged', commit_id: 'ab12', created_at: '6' },
      ],
      pull_request_reviews: [{ url: 'v', ...part, state: 40, body: null, submitted_at: '5' }],
      pull_request_review_comments: [{ url: 'w', ...part, body: 'Why?', created_at: '4' }],
    })
    const sql =
      'SELECT kind, event, user_login, body, url FROM timeline WHERE thread = ? ORDER BY created_at'
    expect(rowsOf(database, sql, pull)).toEqual([
      ['opened', null, 'ada', 'Faster', pull],
      ['event', 'labeled', 'ada', 'bug', 'e'],
      ['comment', null, null, 'Nice', 'c'],
      ['review_comment', null, null, 'Why?', 'w'],
      ['review', 'approved', null, null, 'v'],
      ['event', 'merged', null, 'ab12', 'f'],
    ])
  })

  test('names the thread of each item', () => {
    const database = sharedTablesWith({
      issues: [{ url: issue, repository }],
      issue_comments: [{ url: 'c', issue }],
      issue_events: [{ url: 'e', issue }],
      pull_request_reviews: [{ url: 'v', pull_request: pull }],
    })
    expect(rowsOf(database, 'SELECT thread, full_name, number FROM timeline')).toEqual([
      [issue, 'o/r', 1],
      [issue, 'o/r', 1],
      [issue, 'o/r', 1],
      [pull, 'o/r', 2],
    ])
  })

  test.each([
    [{ milestone_title: '1.0' }, '1.0'],
    [{ title_was: 'a', title_is: 'b' }, 'b'],
    [{ subject: ada }, ada],
    [{ ref: 'main' }, 'main'],
    [{}, null],
  ])('shows of an event with %o what it was about: %s', (members, body) => {
    const database = sharedTablesWith({ issue_events: [{ url: 'e', issue, ...members }] })
    expect(columnOf(database, 'SELECT body FROM timeline')).toEqual([body])
  })
})

test('The view timeline includes bots, even those without a record', () => {
  const database = sharedTablesWith({
    bots: [{ url: 'https://H/App' }, { url: null }],
    issue_comments: [null, ada, 'https://H/App', 'https://H/x[bot]'].map((user) => ({
      issue,
      user,
    })),
    issue_events: [{ issue, actor: 'https://H/App' }],
  })
  const sql = 'SELECT user, kind, by_bot FROM timeline'
  expect(rowsOf(database, sql)).toEqual([
    [null, 'comment', 0],
    [ada, 'comment', 0],
    ['https://H/App', 'comment', 1],
    ['https://H/x[bot]', 'comment', 1],
    ['https://H/App', 'event', 1],
  ])
})

test('The view answers has what others than the author and bots wrote and submitted', () => {
  const part = { pull_request: pull }
  const [ben, bot] = ['https://H/ben', 'https://H/x[bot]']
  const database = sharedTablesWith({
    pull_requests: [{ url: pull, user: ada }],
    issue_comments: [ada, ben, bot, null].map((user, i) => ({ url: `c${i}`, ...part, user })),
    issue_events: [{ url: 'e', ...part, actor: ben, event: 'closed' }],
    pull_request_reviews: [0, 40].map((state) => ({ url: `v${state}`, ...part, user: ben, state })),
    pull_request_review_comments: [0, 1].map((state) => ({
      url: `w${state}`,
      ...part,
      user: ben,
      state,
    })),
  })
  expect(columnOf(database, 'SELECT url FROM answers')).toEqual(['c1', 'c3', 'v40', 'w1'])
})

test('The view people has users, bots and organizations', () => {
  const database = sharedTablesWith({
    users: [{ url: ada, login: 'ada', name: 'Ada', location: 'London' }],
    bots: [{ url: 'https://H/x[bot]', login: 'x[bot]' }],
    organizations: [{ url: 'https://H/o', login: 'o', website: 'https://o.example' }],
  })
  expect(rowsOf(database, 'SELECT kind, login, name, location, website FROM people')).toEqual([
    ['user', 'ada', 'Ada', 'London', null],
    ['bot', 'x[bot]', null, null, null],
    ['organization', 'o', null, null, 'https://o.example'],
  ])
})

test('The view labels has the labels of all repositories, and joins with the labels of threads', () => {
  const url = `${repository}/labels/good%20first%20issue`
  const labels = [{ url, name: 'good first issue', color: '00ff00' }]
  const database = sharedTablesWith({
    repositories: [{ url: repository, labels }],
    issues: [{ url: issue, labels: [url] }],
  })
  const sql = `SELECT labels.full_name, name, color, number
    FROM labels JOIN issues_labels ON label = labels.url`
  expect(rowsOf(database, sql)).toEqual([['o/r', 'good first issue', '00ff00', 1]])
})

test('The view reactions has those to every kind of record that can have them', () => {
  const reactions = [{ user: ada, content: 'heart', subject_type: 'Issue', created_at: '1' }]
  const tables = [
    'issues',
    'pull_requests',
    'issue_comments',
    'commit_comments',
    'discussions',
    'pull_request_reviews',
    'pull_request_review_comments',
  ]
  const records = tables.map((table) => [table, [{ url: `of ${table}`, reactions }]])
  const database = sharedTablesWith(Object.fromEntries(records))
  const rows = rowsOf(database, 'SELECT subject, user, content, created_at FROM reactions')
  expect(rows.sort()).toEqual(tables.map((table) => [`of ${table}`, ada, 'heart', '1']).sort())
})

describe('Views give times in UTC, whatever their offset,', () => {
  const at = '2024-01-01T00:30:00.000+08:00'
  const utc = '2023-12-31T16:30:00Z'

  test('and tables have them as the archive does', () => {
    const reactions = [{ user: ada, content: 'heart', subject_type: 'Issue', created_at: at }]
    const database = sharedTablesWith({
      users: [{ url: ada, created_at: at }],
      issues: [{ url: issue, created_at: at, closed_at: at, reactions }],
      pull_request_reviews: [{ url: 'v', pull_request: pull, submitted_at: at }],
      releases: [{ url: 'r', release_assets: [{ asset_url: 'a', created_at: at }] }],
    })
    const sql = `SELECT created_at FROM people UNION ALL SELECT created_at FROM threads
      UNION ALL SELECT closed_at FROM threads UNION ALL SELECT created_at FROM timeline
      UNION ALL SELECT created_at FROM issues_reactions UNION ALL SELECT created_at FROM reactions
      UNION ALL SELECT created_at FROM uploads`
    expect(columnOf(database, sql)).toEqual(Array(8).fill(utc))
    expect(columnOf(database, 'SELECT closed_at FROM issues')).toEqual([at])
  })

  test.each([
    ['in UTC already', '2024-05-06T07:08:09Z', '2024-05-06T07:08:09Z'],
    ['without seconds', '2024-05-06T07:08+02:00', '2024-05-06T05:08:00Z'],
    ['without a zone', '2024-05-06T07:08:09', '2024-05-06T07:08:09Z'],
    ['with a day that is not in the calendar', '2024-19-39T29:00:61Z', '2024-19-39T29:00:61Z'],
    ['that is a day', '2024-05-06', '2024-05-06'],
    ['that SQLite takes for this moment', 'now', 'now'],
    ['that SQLite takes for a day', '5', '5'],
    ['that is no date', 'yesterday', 'yesterday'],
    ['that is absent', null, null],
  ])('a time %s', (_what, created_at, expected) => {
    const database = sharedTablesWith({ issues: [{ url: issue, created_at }] })
    expect(columnOf(database, 'SELECT created_at FROM threads')).toEqual([expected])
  })
})
