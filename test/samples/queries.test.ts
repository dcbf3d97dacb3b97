/**
 * Each saved query on small worlds that hold one trap each: nulls, bots, deleted accounts, events that archives lack,
 * offsets in times, numbers that sort as text, ties, gaps. The answers are worked out by hand.
 */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { savedQueries } from '../../src/cli/sources/saved-queries.ts'
import type { Database } from '../../src/database/open-database.ts'
import { parseSavedQuery } from '../../src/query/parse-saved-query.ts'
import { type Parameters, runQuery } from '../../src/query/run-query.ts'
import type { Files } from '../support/build-tar.ts'
import { loaded, recordFile } from '../support/load.ts'
import { ROOT } from '../support/run-command.ts'
import { tablesWith } from '../support/tables.ts'
import { everyDay, THOROUGH } from '../support/thorough.ts'

const shipped = savedQueries({ env: { MARC_QUERIES: '/nowhere' } })

const H = 'https://forge.example'
const KETTLE = `${H}/ada/kettle`
const [ADA, BEN, CLEO, STEAM] = ['ada', 'ben', 'cleo', 'steam[bot]'].map((name) => `${H}/${name}`)
/** An app whose url does not say that it is one; only the table of bots does. */
const WHISTLE = `${H}/Whistle`

type Row = Record<string, unknown>

const issueUrl = (number: number, repository = KETTLE) => `${repository}/issues/${number}`
const pullUrl = (number: number, repository = KETTLE) => `${repository}/pull/${number}`
const at = (day: string, time = '00:00:00') => `2024-${day}T${time}Z`

const issue = (number: number, more: Row = {}) => ({
  url: issueUrl(number),
  repository: KETTLE,
  user: ADA,
  title: `Issue ${number}`,
  labels: [],
  closed_at: null,
  created_at: at('01-01'),
  ...more,
})

const pull = (number: number, more: Row = {}) => ({
  url: pullUrl(number),
  repository: KETTLE,
  user: ADA,
  title: `Pull ${number}`,
  labels: [],
  work_in_progress: false,
  closed_at: null,
  merged_at: null,
  created_at: at('01-01'),
  ...more,
})

let ids = 0
const comment = (number: number, user: string | null | undefined, day: string, more: Row = {}) => ({
  url: `${issueUrl(number)}#issuecomment-${++ids}`,
  issue: issueUrl(number),
  user,
  body: 'Hot',
  created_at: at(day),
  ...more,
})
const event = (number: number, name: string, more: Row = {}) => ({
  url: `${issueUrl(number)}#event-${++ids}`,
  issue: issueUrl(number),
  event: name,
  actor: BEN,
  created_at: at('01-02'),
  ...more,
})
const review = (number: number, user: string | null | undefined, day: string, more: Row = {}) => ({
  url: `${pullUrl(number)}/files#pullrequestreview-${++ids}`,
  pull_request: pullUrl(number),
  user,
  state: 1,
  created_at: at(day),
  submitted_at: at(day),
  ...more,
})
const reviewComment = (
  number: number,
  user: string | null | undefined,
  day: string,
  more: Row = {},
) => ({
  url: `${pullUrl(number)}/files#r${++ids}`,
  pull_request: pullUrl(number),
  user,
  body: 'Hot',
  state: 1,
  created_at: at(day),
  ...more,
})

const bots = [
  { url: STEAM, login: 'steam[bot]' },
  { url: WHISTLE, login: 'whistle-app[bot]' },
  { url: null, login: 'nameless' }, // with which NOT IN finds nothing
]
const people = {
  users: [
    { url: ADA, login: 'ada' },
    { url: BEN, login: 'ben' },
    { url: null, login: 'nameless' },
  ],
  bots,
}

function ask(database: Database, name: string, given: Record<string, number | string> = {}): Row[] {
  const { sql, parameters } = shipped.find((one) => one.name === name) ?? parseSavedQuery('')
  const standards = parameters.map((one) => [one.name, one.standard ?? null] as const)
  const values: Parameters = { ...Object.fromEntries(standards), ...given }
  const { columns, rows } = runQuery(database, sql, values)
  return [...rows].map((row) => Object.fromEntries(columns.map((column, i) => [column, row[i]])))
}

/** Some columns of the rows. */
const pick = (rows: readonly Row[], ...columns: string[]) =>
  rows.map((row) => columns.map((column) => row[column]))

describe('An answer', () => {
  const open = (comments: readonly Row[], more: Row = {}) =>
    tablesWith({ ...people, issues: [issue(1, more)], issue_comments: comments })

  everyDay(2)([
    ['by another person counts', [comment(1, BEN, '01-02')], 1],
    ['by a deleted account counts, also where a bot has no url', [comment(1, null, '01-02')], 1],
    ['by somebody without a record counts', [comment(1, CLEO, '01-02')], 1],
    ['by the author does not count', [comment(1, ADA, '01-02')], 0],
    ['by a bot does not count', [comment(1, STEAM, '01-02')], 0],
    ['by a bot with the url of a person does not count', [comment(1, WHISTLE, '01-02')], 0],
    ['by a bot without a record does not count', [comment(1, `${H}/new[bot]`, '01-02')], 0],
    ['is the first that counts', [comment(1, STEAM, '01-02'), comment(1, BEN, '01-03')], 1],
  ])('%s', (_what, comments, answered) => {
    const database = open(comments)
    expect(pick(ask(database, 'time-to-first-answer'), 'issues', 'answered')).toEqual([
      [1, answered],
    ])
    expect(ask(database, 'unanswered-issues')).toHaveLength(1 - answered)
  })

  test('by one deleted account to another does not count: they cannot be told apart', () => {
    const database = open([comment(1, null, '01-02')], { user: null })
    expect(pick(ask(database, 'unanswered-issues'), 'user_login')).toEqual([['(deleted)']])
    expect(pick(ask(database, 'time-to-first-answer'), 'answered')).toEqual([[0]])
  })

  test('comes after as many hours as there are between two offsets', () => {
    // 00:30 in Singapore is half past four in the afternoon of the day before.
    const later = comment(1, BEN, '', { created_at: '2024-01-02T00:30:00.000+08:00' })
    const latest = comment(1, BEN, '', { created_at: '2024-01-01T20:00:00Z' })
    expect(ask(open([latest, later]), 'time-to-first-answer')).toEqual([
      {
        full_name: 'ada/kettle',
        quarter: '2024 Q1',
        issues: 1,
        answered: 1,
        hours_on_average: 16.5,
        hours_at_most: 16.5,
      },
    ])
  })

  test('is averaged over answered issues alone, and by the quarter in UTC', () => {
    const issues = [
      issue(1, { created_at: '2024-04-01T01:00:00+02:00' }),
      issue(2, { created_at: at('03-31') }),
      issue(3, { created_at: at('04-01') }),
    ]
    const database = tablesWith({ issues, issue_comments: [comment(2, BEN, '04-01')] })
    expect(
      pick(
        ask(database, 'time-to-first-answer'),
        'quarter',
        'issues',
        'answered',
        'hours_on_average',
      ),
    ).toEqual([
      ['2024 Q1', 2, 1, 24],
      ['2024 Q2', 1, 0, null],
    ])
  })

  test('leaves an issue that is closed out of those that wait for one', () => {
    const database = tablesWith({
      issues: [issue(1, { closed_at: at('01-02') }), issue(10), issue(9)],
    })
    expect(pick(ask(database, 'unanswered-issues'), 'number')).toEqual([[9], [10]])
  })
})

describe('A review', () => {
  const merged = pull(2, { merged_at: at('01-05'), closed_at: at('01-05') })
  const reviewed = (...reviews: Row[]) =>
    tablesWith({ ...people, pull_requests: [merged], pull_request_reviews: reviews })

  everyDay(3)([
    ['by another person counts', review(2, BEN, '01-03'), 1],
    ['by a deleted account counts', review(2, null, '01-03'), 1],
    ['by the author does not count', review(2, ADA, '01-03'), 0],
    ['by a bot does not count', review(2, WHISTLE, '01-03', { state: 40 }), 0],
    [
      'not yet submitted does not count',
      review(2, BEN, '01-03', { state: 0, submitted_at: null }),
      0,
    ],
    ['without a date of its submission counts', review(2, BEN, '01-03', { submitted_at: null }), 1],
  ])('%s', (_what, one, counted) => {
    const database = reviewed(one)
    expect(pick(ask(database, 'time-to-first-review'), 'pull_requests', 'reviewed')).toEqual([
      [1, counted],
    ])
    expect(ask(database, 'merged-without-review')).toHaveLength(1 - counted)
    expect(ask(database, 'reviewers')).toHaveLength(counted)
  })

  test('after the merge is none before it, at whatever offset', () => {
    const late = review(2, BEN, '', { submitted_at: '2024-01-04T23:30:00-01:00' })
    const soon = review(2, BEN, '', { submitted_at: '2024-01-05T00:30:00+01:00' })
    expect(ask(reviewed(late), 'merged-without-review')).toHaveLength(1)
    expect(ask(reviewed(soon), 'merged-without-review')).toHaveLength(0)
  })

  test('is counted by its verdict, also one that was dismissed, and deleted accounts come last', () => {
    const database = reviewed(
      ...[1, 30, 40, 50].map((state) => review(2, BEN, '01-03', { state })),
      ...Array.from({ length: 5 }, () => review(2, null, '01-03', { state: 40 })),
    )
    const verdicts = ['approved', 'changes_requested', 'commented', 'dismissed']
    expect(
      pick(ask(database, 'reviewers'), 'reviewer', 'reviews', 'pull_requests', ...verdicts),
    ).toEqual([
      ['ben', 4, 1, 1, 1, 1, 1],
      ['(deleted)', 5, 1, 5, 0, 0, 0],
    ])
  })

  test('is counted for its author and that of the pull request', () => {
    const pulls = [1, 2, 3].map((number) => pull(number, { user: number === 3 ? CLEO : ADA }))
    const database = tablesWith({
      ...people,
      pull_requests: [...pulls, pull(4, { user: null })],
      pull_request_reviews: [
        ...[1, 1, 2].map((number) => review(number, BEN, '01-03', { state: 40 })),
        review(3, ADA, '01-03', { state: 30 }),
        review(4, CLEO, '01-03'),
      ],
    })
    const columns = ['reviewer', 'author', 'pull_requests', 'reviews', 'approved']
    expect(pick(ask(database, 'who-reviewed-whom'), ...columns, 'changes_requested')).toEqual([
      ['ben', 'ada', 2, 3, 3, 0],
      ['ada', 'cleo', 1, 1, 0, 1],
      ['cleo', '(deleted)', 1, 1, 0, 0],
    ])
  })

  test.each(['reviewers', 'who-reviewed-whom'])(
    'is left out of %s where it belongs to another repository',
    (name) => {
      const database = reviewed(review(2, BEN, '01-03'))
      expect(ask(database, name, { repo: 'ada/kettle' })).toHaveLength(1)
      expect(ask(database, name, { repo: 'ada/teapot' })).toHaveLength(0)
    },
  )
})

describe('activity-by-month', () => {
  const columns = ['month', 'issues', 'pull_requests', 'comments', 'reviews', 'merges', 'people']
  const activity = (tables: Record<string, readonly Row[]>) =>
    pick(ask(tablesWith({ ...people, ...tables }), 'activity-by-month'), ...columns)

  test('counts merges by the date of the pull request, with an event or without, once', () => {
    const merges = [1, 2].map((number) => pull(number, { merged_at: at('02-01') }))
    const merged = {
      ...event(2, 'merged', { created_at: at('02-01') }),
      issue: undefined,
      pull_request: pullUrl(2),
    }
    expect(activity({ pull_requests: merges, issue_events: [merged] })).toEqual([
      ['2024-01', 0, 2, 0, 0, 0, 1],
      ['2024-02', 0, 0, 0, 0, 2, 0],
    ])
  })

  test('distinguishes issues from pull requests even if a repository is called issues or pull', () => {
    const [one, other] = [`${H}/ada/issues`, `${H}/ada/pull`]
    const pulls = [{ ...pull(1), url: pullUrl(1, one), repository: one }]
    const issues = [{ ...issue(1), url: issueUrl(1, other), repository: other }]
    expect(activity({ pull_requests: pulls, issues })).toEqual([['2024-01', 1, 1, 0, 0, 0, 1]])
  })

  test('counts people without bots, and all deleted accounts as one', () => {
    const comments = [null, null, STEAM, WHISTLE, BEN].map((user) => comment(1, user, '01-02'))
    expect(activity({ issues: [issue(1)], issue_comments: comments })).toEqual([
      ['2024-01', 1, 0, 5, 0, 0, 3],
    ])
  })

  test('puts a comment into its month in UTC, and leaves out what has no date', () => {
    const shifted = comment(1, BEN, '', { created_at: '2024-02-01T00:30:00.000+08:00' })
    const undated = comment(1, BEN, '', { created_at: null })
    const pending = review(2, BEN, '01-02', { state: 0, submitted_at: null })
    expect(
      activity({
        issues: [issue(1)],
        issue_comments: [shifted, undated],
        pull_request_reviews: [pending],
      }),
    ).toEqual([['2024-01', 1, 0, 1, 0, 0, 2]])
  })
})

test('attachments-by-size counts a file once that several archives hold, and has the files of releases', () => {
  const address = 'tarball://root/attachments/a/b.png'
  const asset = {
    url: `${H}/asset`,
    asset_name: 'b.zip',
    asset_url: 'tarball://root/assets/b.zip',
  }
  const database = tablesWith({
    attachments: [
      {
        url: `${H}/b.png`,
        asset_url: address,
        asset_content_type: 'image/png',
        user: null,
        issue: issueUrl(1),
      },
    ],
    releases: [{ url: `${H}/release`, release_assets: [asset] }],
  })
  const insert = database.prepare(
    `INSERT INTO files (id, archive, path, role, size, mode, modified_at, stored, sha256)
     VALUES (?, ?, ?, ?, ?, 420, '', 0, '')`,
  )
  for (const id of [1, 2]) insert.run(id, id, 'attachments/a/b.png', 'attachment', 9)
  insert.run(3, 1, 'assets/b.zip', 'release-asset', 10)
  expect(pick(ask(database, 'attachments-by-size'), 'size', 'user_login', 'path')).toEqual([
    [10, null, 'assets/b.zip'],
    [9, '(deleted)', 'attachments/a/b.png'],
  ])
})

describe('backlog-by-month', () => {
  const backlog = (...issues: Row[]) =>
    pick(ask(tablesWith({ issues }), 'backlog-by-month'), 'month', 'opened', 'closed', 'open')

  test('has a row for months without any change', () => {
    expect(
      backlog(
        issue(1, { created_at: '2023-11-05T00:00:00Z' }),
        issue(2, { created_at: '2023-11-30T23:59:59Z', closed_at: at('02-29', '23:59:59') }),
      ),
    ).toEqual([
      ['2023-11', 2, 0, 2],
      ['2023-12', 0, 0, 2],
      ['2024-01', 0, 0, 2],
      ['2024-02', 0, 1, 1],
    ])
  })

  test('counts in UTC, and leaves out what is no date', () => {
    const shifted = issue(1, { created_at: '2024-02-01T00:30:00+08:00', closed_at: 'soon' })
    expect(backlog(shifted, issue(2, { created_at: '2024-19-39T29:00:61Z' }))).toEqual([
      ['2024-01', 1, 0, 1],
    ])
  })

  test('has no rows without issues', () => expect(backlog()).toEqual([]))
})

describe('Queries of commits', () => {
  const commit = (database: Database, oid: string, more: Row = {}) => {
    const row = {
      repository: 'ada/kettle',
      oid,
      tree: '',
      parents: '[]',
      author_name: 'Ada',
      author_email: 'ada@x',
      authored_at: at('01-01'),
      author_zone: '+0000',
      committer_name: '',
      committer_email: '',
      committed_at: at('01-01'),
      committer_zone: '+0000',
      subject: 'Boil',
      message: 'Boil',
      ...more,
    }
    const names = Object.keys(row)
    database
      .prepare(`INSERT INTO commits (${names}) VALUES (${names.map((name) => `:${name}`)})`)
      .run(row)
  }

  test('commits-without-pull-request finds them also where a pull request has no repository', () => {
    const nowhere = { ...pull(9, { base: { sha: 'c' } }), repository: null }
    const merged = pull(2, { base: { sha: 'a' }, merged_at: at('01-02'), merge_commit_sha: 'b' })
    const database = tablesWith({ pull_requests: [merged, nowhere] })
    commit(database, 'a')
    commit(database, 'b', { parents: '["c"]' })
    commit(database, 'c', { parents: '["a"]' })
    expect(pick(ask(database, 'commits-without-pull-request'), 'oid')).toEqual([['a']])
  })

  test('files-by-review-comments counts no drafts, and no merge beside the commits that it brings', () => {
    const by = (path: string, number: number, more: Row = {}) => ({
      url: `${pullUrl(number)}/files#r${++ids}`,
      pull_request: pullUrl(number),
      path,
      state: 1,
      created_at: at('01-01'),
      ...more,
    })
    const database = tablesWith({
      pull_request_review_comments: [
        by('a', 1),
        by('a', 1),
        by('a', 2),
        by('a', 2, { state: 0 }),
        by('b', 1),
        by('gone', 1, { state: 0 }),
      ],
    })
    commit(database, 'x')
    commit(database, 'y', { parents: '["x","z"]' })
    const file = database.prepare(
      "INSERT INTO commits_files VALUES ('ada/kettle', ?, 'a', 'M', NULL, 2, 1)",
    )
    for (const oid of ['x', 'y']) file.run(oid)
    const found = ask(database, 'files-by-review-comments')
    expect(pick(found, 'path', 'comments', 'pull_requests', 'commits', 'lines')).toEqual([
      ['a', 3, 2, 1, 3],
      ['b', 1, 1, 0, null],
    ])
  })

  test('commits-by-author takes a date that is absent for none', () => {
    const database = tablesWith()
    commit(database, 'a', { authored_at: null })
    commit(database, 'b', { parents: '["a","c"]' })
    expect(pick(ask(database, 'commits-by-author'), 'commits', 'merges', 'first_seen')).toEqual([
      [2, 1, '2024-01-01'],
    ])
  })
})

describe('vanished-records', () => {
  const repository = { type: 'repository', url: KETTLE }
  const whole = (...issues: Row[]) => ({
    ...recordFile('repositories', repository),
    ...recordFile('issues', ...issues),
  })
  const other = issue(1, { url: issueUrl(1, `${H}/ben/pot`), repository: `${H}/ben/pot` })
  const first = whole(issue(1), issue(2, { created_at: at('01-02') }), other)
  const second = whole(issue(1), issue(3, { created_at: at('03-01') }))
  const vanished = async (archives: readonly Files[], options = {}) => {
    const { database } = await loaded(archives, options)
    return pick(ask(database, 'vanished-records'), 'full_name', 'kind', 'url')
  }
  const gone = ['ada/kettle', 'issue', issueUrl(2)]

  test('are those of a repository that a later archive has without them', async () => {
    expect(await vanished([first, second])).toEqual([gone])
  })

  test(
    'are none for one archive, and none where an older one that was loaded later won',
    THOROUGH,
    async () => {
      expect(await vanished([first])).toEqual([])
      expect(await vanished([second, first])).toEqual([])
    },
  )

  test('are those of the newest archive in any order, if it won', async () => {
    const options = { newestWins: true }
    expect(await vanished([first, second], options)).toEqual([gone])
    expect(await vanished([second, first], options)).toEqual([gone])
  })

  test(
    'are found if all issues vanished, but not in an archive of Git data alone',
    THOROUGH,
    async () => {
      const bare = recordFile('repositories', { ...repository, created_at: at('04-01') })
      const user = recordFile('users', { url: ADA, created_at: at('04-01') })
      expect(await vanished([first, bare])).toEqual([])
      expect(await vanished([first, { ...bare, ...user }])).toEqual([
        ['ada/kettle', 'issue', issueUrl(1)],
        gone,
      ])
    },
  )

  test('are found behind an archive of Git data', THOROUGH, async () => {
    const bare = recordFile('repositories', { ...repository, created_at: at('02-01') })
    expect(await vanished([first, bare, second, bare])).toEqual([gone])
  })
})

test('contents-of-archives keeps archives of one name apart, and counts a problem as often as it was met', () => {
  const database = tablesWith()
  for (const id of [1, 2]) {
    database
      .prepare(`INSERT INTO archives (id, name, sha256, state, form, loaded_at, loaded_by)
      VALUES (?, 'it.tar.gz', ?, 'complete', '{}', '', '')`)
      .run(id, `${id}`)
    database
      .prepare(
        `INSERT INTO problems (archive, code, entry, message, times) VALUES (?, 'record-no-url', ?, ?, 7)`,
      )
      .run(id, `b${id}`, 'first')
    database
      .prepare(
        `INSERT INTO problems (archive, code, entry, message, times) VALUES (?, 'record-no-url', ?, ?, 2)`,
      )
      .run(id, `a${id}`, 'again')
  }
  expect(ask(database, 'contents-of-archives')).toEqual(
    [1, 2].map(() => ({
      archive: 'it.tar.gz',
      what: 'problem: record-no-url',
      amount: 9,
      bytes: null,
    })),
  )
  expect(pick(ask(database, 'problems-by-code'), 'times', 'first_entry', 'for_example')).toEqual([
    [9, 'b1', 'first'],
    [9, 'b2', 'first'],
  ])
})

test('dangling-references finds what is missing also where a record has no url', () => {
  const database = tablesWith({ ...people, issues: [issue(1, { user: CLEO }), { title: 'Lost' }] })
  expect(ask(database, 'dangling-references')).toEqual([
    { url: CLEO, by_what: 'author of a thread', times: 1 },
  ])
})

describe('issues-closed-by-pull-requests', () => {
  const columns = ['issue', 'pull_request', 'solved_by', 'days']
  const closes = (number: number) => [{ issue: issueUrl(number), created_at: at('01-01') }]

  test('names an issue once that the same one closed twice, counted to the last time', () => {
    const closings = ['01-03', '01-05'].map((day) =>
      event(1, 'closed', { referencing_pull_request: pullUrl(2), created_at: at(day) }),
    )
    const database = tablesWith({
      issues: [issue(1, { closed_at: at('01-09') })],
      pull_requests: [pull(2, { user: null })],
      issue_events: closings,
    })
    expect(pick(ask(database, 'issues-closed-by-pull-requests'), ...columns)).toEqual([
      [1, 2, '(deleted)', 4],
    ])
  })

  test('takes the announcement of a merged pull request where there is no event', () => {
    const closed = { closed_at: at('01-03') }
    const database = tablesWith({
      issues: [issue(1, closed), issue(3), issue(4, closed), issue(6, closed)],
      pull_requests: [
        pull(2, {
          merged_at: at('01-03'),
          close_issue_references: [...closes(1), ...closes(3), ...closes(6)],
        }),
        pull(5, { close_issue_references: closes(4) }),
      ],
      issue_events: [event(6, 'closed')], // by hand
    })
    expect(pick(ask(database, 'issues-closed-by-pull-requests'), ...columns)).toEqual([
      [1, 2, 'ada', 2],
    ])
  })
})

test('labels-in-use counts a repeated label once, includes discussions, and says how many are open', () => {
  const label = (name: string) => ({ url: `${KETTLE}/labels/${name}`, name, description: null })
  const hot = label('hot').url
  const database = tablesWith({
    repositories: [{ url: KETTLE, labels: [label('hot'), label('cold'), label('talk')] }],
    issues: [issue(1, { labels: [hot, hot] }), issue(3, { labels: [hot], closed_at: at('01-02') })],
    pull_requests: [pull(2, { labels: [hot], merged_at: at('01-02') })],
    discussions: [{ url: `${KETTLE}/discussions/4`, labels: [label('talk').url] }],
  })
  expect(pick(ask(database, 'labels-in-use'), 'label', 'uses', 'open')).toEqual([
    ['hot', 3, 1],
    ['talk', 1, 0],
    ['cold', 0, 0],
  ])
})

test('milestone-progress lists what is left by number, not as texts sort', () => {
  const milestone = {
    url: `${KETTLE}/milestones/1`,
    repository: KETTLE,
    title: '1.0',
    state: 'open',
  }
  const planned = [150, 5, 21].map((number) => issue(number, { milestone: milestone.url }))
  const database = tablesWith({
    milestones: [
      milestone,
      ...[10, 9].map((number) => ({
        ...milestone,
        url: `${KETTLE}/milestones/${number}`,
        title: `v${number}`,
      })),
    ],
    issues: planned,
    pull_requests: [
      pull(7, { milestone: milestone.url }),
      pull(8, { milestone: milestone.url, merged_at: at('01-02') }),
    ],
  })
  expect(
    pick(ask(database, 'milestone-progress'), 'milestone', 'planned', 'done', 'left_to_do'),
  ).toEqual([
    ['1.0', 5, 1, '#5 #7 #21 #150'],
    ['v9', 0, 0, null],
    ['v10', 0, 0, null],
  ])
})

test('most-discussed counts no bots, all deleted accounts as one, and numbers that tie in their order', () => {
  const comments = [
    ...[STEAM, WHISTLE, STEAM, STEAM].map((user) => comment(1, user, '01-02')),
    ...[null, null, BEN].map((user) => comment(3, user, '01-02')),
  ]
  const drafts = [reviewComment(2, BEN, '01-02', { state: 0 }), reviewComment(2, BEN, '01-02')]
  const database = tablesWith({
    ...people,
    issues: [issue(1), issue(3)],
    pull_requests: [pull(2)],
    issue_comments: comments,
    pull_request_review_comments: drafts,
  })
  expect(pick(ask(database, 'most-discussed'), 'number', 'comments', 'people')).toEqual([
    [3, 3, 2],
    [2, 1, 1],
  ])
  expect(ask(database, 'most-discussed', { limit: 1 })).toHaveLength(1)
})

test('newcomers leaves out bots and deleted accounts, and takes the first in UTC', () => {
  const database = tablesWith({
    ...people,
    issues: [issue(1)],
    issue_comments: [
      comment(1, BEN, '', { created_at: '2024-01-03T00:30:00+08:00' }),
      comment(1, BEN, '', { created_at: '2024-01-02T20:00:00Z' }),
      ...[STEAM, WHISTLE, null].map((user) => comment(1, user, '01-04')),
      comment(1, CLEO, '', { created_at: null }),
    ],
  })
  expect(ask(database, 'newcomers')).toEqual([
    { login: 'ben', first_seen: '2024-01-02', by: 'comment', full_name: 'ada/kettle', number: 1 },
    { login: 'ada', first_seen: '2024-01-01', by: 'opened', full_name: 'ada/kettle', number: 1 },
  ])
})

test('open-issues-by-age counts up to the newest date of all, even of a closing, and ignores invalid dates', () => {
  const database = tablesWith({
    issues: [
      issue(10, { user: null }),
      issue(9),
      issue(8, { created_at: 'yesterday' }),
      issue(7, { closed_at: at('01-11') }),
    ],
  })
  expect(pick(ask(database, 'open-issues-by-age'), 'number', 'days_open', 'user_login')).toEqual([
    [9, 10, 'ada'],
    [10, 10, '(deleted)'],
    [8, null, 'ada'],
  ])
})

test('people-by-activity lists deleted accounts last, and recognizes bots without a record', () => {
  const writers = [null, null, null, BEN, BEN, CLEO, `${H}/new[bot]`, WHISTLE]
  const database = tablesWith({
    ...people,
    issues: [issue(1)],
    issue_comments: writers.map((user) => comment(1, user, '01-02')),
  })
  expect(pick(ask(database, 'people-by-activity'), 'login', 'who', 'opened', 'comments')).toEqual([
    ['ben', 'user', 0, 2],
    ['ada', 'user', 1, 0],
    ['cleo', 'not in the archive', 0, 1],
    ['new[bot]', 'bot', 0, 1],
    ['whistle-app[bot]', 'bot', 0, 1],
    ['(deleted)', 'deleted accounts', 0, 3],
  ])
})

test('reactions-by-thread knows the words of other tools, and none without content', () => {
  const reactions = ['hooray', 'laugh', 'confused', '+1', null].map((content) => ({ content }))
  const database = tablesWith({
    issues: [issue(10, { reactions }), issue(9, { reactions })],
  })
  expect(
    pick(
      ask(database, 'reactions-by-thread'),
      'number',
      'reactions',
      '+1',
      '-1',
      'joy',
      'smile',
      'wonder',
    ),
  ).toEqual([
    [9, 5, 1, 0, 1, 1, 1],
    [10, 5, 1, 0, 1, 1, 1],
  ])
})

test('reopened-threads counts how often, and sorts ties by number', () => {
  const events = [10, 9, 9, 8].map((number) => event(number, 'reopened'))
  const database = tablesWith({
    issues: [8, 9, 10].map((number) => issue(number)),
    issue_events: events,
  })
  expect(pick(ask(database, 'reopened-threads'), 'number', 'times', 'last_reopened')).toEqual([
    [9, 2, '2024-01-02'],
    [8, 1, '2024-01-02'],
    [10, 1, '2024-01-02'],
  ])
})

describe('stale-pull-requests', () => {
  const newest = issue(1, { created_at: at('04-10') })
  const stale = (tables: Record<string, readonly Row[]>, days = 60) =>
    ask(tablesWith({ ...people, issues: [newest], ...tables }), 'stale-pull-requests', { days })

  test('is not prevented by bots, or by people who were only mentioned', () => {
    const touch = { issue: undefined, pull_request: pullUrl(2) }
    const rows = stale({
      pull_requests: [pull(2, { user: null })],
      issue_comments: [comment(2, STEAM, '04-01', touch)],
      issue_events: [event(2, 'mentioned', { ...touch, created_at: at('04-01') })],
    })
    expect(pick(rows, 'number', 'user_login', 'days_untouched')).toEqual([[2, '(deleted)', 100]])
  })

  test('counts the days from the pull request of a bot that nobody touched', () => {
    expect(pick(stale({ pull_requests: [pull(2, { user: STEAM })] }), 'days_untouched')).toEqual([
      [100],
    ])
  })

  test('leaves out what was touched on the last of these days', () => {
    const pulls = [pull(2, { created_at: at('02-10') }), pull(3, { created_at: at('02-09') })]
    expect(pick(stale({ pull_requests: pulls }), 'number')).toEqual([[3]])
  })

  test('waits for people and teams by name, but for none who reviewed since or was dismissed', () => {
    const team = `${H}/orgs/kitchen/teams/cooks`
    const request = (reviewer: string | undefined, more: Row = {}) => ({
      reviewer,
      reviewer_type: 'User',
      created_at: '2024-01-02T08:00:00.000+08:00',
      dismissed_at: null,
      ...more,
    })
    const requests = [
      request(team, { reviewer_type: 'Team' }),
      request(ADA),
      request(CLEO),
      request(WHISTLE),
      request(`${H}/dan`, { dismissed_at: at('01-03') }),
      request(BEN),
    ]
    const rows = stale({
      teams: [{ url: team }],
      pull_requests: [pull(2, { review_requests: requests, user: `${H}/eve` })],
      pull_request_reviews: [
        review(2, BEN, '01-03'),
        review(2, ADA, '01-01'), // before it was asked for
        review(2, WHISTLE, '01-03', { state: 0 }),
      ],
    })
    expect(rows[0]?.waits_for).toBe(`ada, cooks, ${CLEO}, whistle-app[bot]`)
  })
})

describe('time-to-merge', () => {
  const merged = (...hours: (number | null)[]) =>
    hours.map((hour, i) =>
      pull(i + 1, {
        merged_at: hour === null ? 'soon' : at('01-01', `0${hour}:00:00`),
        closed_at: null,
      }),
    )

  everyDay(2)([
    [[3, 1, 2], 2],
    [[1, 2, 3, 8], 2.5],
    [[5], 5],
    [[1, null, 3, 8], 3], // a date that is none comes before no other
  ])('has the median of %j', (hours, median) => {
    const rows = ask(tablesWith({ pull_requests: merged(...hours) }), 'time-to-merge')
    expect(pick(rows, 'median_hours')).toEqual([[median]])
  })
})

test('timeline-of-a-thread begins with the opening, and has ids in their order', () => {
  const events = [`${issueUrl(1)}#event-10`, `${issueUrl(1)}#event-9`].map((url, i) => ({
    ...event(1, i === 0 ? 'closed' : 'labeled', { actor: null, created_at: at('01-01') }),
    url,
  }))
  const database = tablesWith({ issues: [issue(1)], issue_events: events })
  const rows = ask(database, 'timeline-of-a-thread', { full_name: 'ada/kettle', number: 1 })
  expect(pick(rows, 'what', 'user_login')).toEqual([
    ['opened', 'ada'],
    ['labeled', '(deleted)'],
    ['closed', '(deleted)'],
  ])
})

test.each([
  ['issues-closed-by-pull-requests', 'solved_by'],
  ['stale-pull-requests', 'user_login'],
  ['unresolved-review-threads', 'last_by'],
  ['who-reviewed-whom', 'author'],
])('%s names an app by its login, which its address does not have', (name, column) => {
  const thread = { url: `${pullUrl(2)}/files#pullrequestreviewthread-1`, pull_request: pullUrl(2) }
  const closing = { referencing_pull_request: pullUrl(2), created_at: at('01-03') }
  const database = tablesWith({
    ...people,
    issues: [issue(1, { closed_at: at('01-03') }), issue(3, { created_at: at('04-10') })],
    pull_requests: [pull(2, { user: WHISTLE })],
    issue_events: [event(1, 'closed', closing)],
    pull_request_reviews: [review(2, BEN, '01-03')],
    pull_request_review_threads: [thread],
    pull_request_review_comments: [
      reviewComment(2, WHISTLE, '01-02', { pull_request_review_thread: thread.url }),
    ],
  })
  expect(pick(ask(database, name), column)).toEqual([['whistle-app[bot]']])
})

test('unresolved-review-threads has the last words in UTC, and the later of two at one time', () => {
  const thread = (id: number, more: Row = {}) => ({
    url: `${pullUrl(2)}/files#pullrequestreviewthread-${id}`,
    pull_request: pullUrl(2),
    path: 'a',
    created_at: at('01-01'),
    resolved_at: null,
    ...more,
  })
  const said = (id: number, body: string, created_at: string, more: Row = {}) =>
    reviewComment(2, null, '', {
      body,
      created_at,
      pull_request_review_thread: thread(id).url,
      ...more,
    })
  const database = tablesWith({
    pull_requests: [pull(2)],
    pull_request_review_threads: [thread(10), thread(9), thread(8, { resolved_at: at('01-02') })],
    pull_request_review_comments: [
      said(9, 'earlier', '2024-01-03T00:30:00+08:00'),
      said(9, 'later', '2024-01-02T20:00:00Z'),
      said(9, 'not yet said', '2024-01-05T00:00:00Z', { state: 0 }),
      said(10, 'first', '2024-01-03T00:00:00Z'),
      said(10, 'second', '2024-01-03T00:00:00Z'),
      said(8, 'settled', '2024-01-03T00:00:00Z'),
    ],
  })
  expect(pick(ask(database, 'unresolved-review-threads'), 'last_by', 'last_words')).toEqual([
    ['(deleted)', 'later'],
    ['(deleted)', 'second'],
  ])
})

test('who-is-a-bot has bots without a record, and no organizations or people whose url is absent', () => {
  const database = tablesWith({
    ...people,
    organizations: [{ url: `${H}/build-ci`, login: 'build-ci' }],
    issues: [issue(1)],
    issue_comments: [`${H}/new[bot]`, WHISTLE, WHISTLE, BEN, null].map((user) =>
      comment(1, user, '01-02'),
    ),
  })
  expect(pick(ask(database, 'who-is-a-bot'), 'login', 'why', 'did')).toEqual([
    ['whistle-app[bot]', 'bot', 2],
    ['new[bot]', 'bot', 1],
    ['steam[bot]', 'bot', 0],
  ])
})

test('who-may-do-what knows what teams might do before there were roles', () => {
  const permission = (access: string, role?: string) => ({
    repository: KETTLE,
    access,
    ...(role && { role }),
  })
  const team = (name: string, one: Row) => ({
    url: name,
    name,
    members: [{ user: ADA }],
    permissions: [one],
  })
  const database = tablesWith({
    teams: [
      ...['pull', 'push', 'admin'].map((access) => team(access, permission(access))),
      team('triage', permission('push', 'maintain')),
    ],
  })
  expect(pick(ask(database, 'who-may-do-what'), 'by_team', 'role')).toEqual([
    ['admin', 'admin'],
    ['pull', 'read'],
    ['push', 'write'],
    ['triage', 'maintain'],
  ])
})

test('The README has the number of saved queries', () => {
  const readme = readFileSync(join(ROOT, 'README.md'), 'utf8')
  expect(/(\d+) saved queries/.exec(readme)?.[1]).toBe(String(shipped.length))
})

test('Every saved query is asked here', () => {
  const tests = readFileSync(import.meta.filename, 'utf8')
  const missing = shipped.map(({ name }) => name).filter((name) => !tests.includes(`, '${name}'`))
  expect(missing).toEqual([])
})
