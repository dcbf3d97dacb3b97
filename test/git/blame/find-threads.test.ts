import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDatabase } from '../../../src/database/open-database.ts'
import { findThreads } from '../../../src/git/blame/find-threads.ts'
import { openRepository } from '../../../src/git/open-repository.ts'
import { type GitHistory, gitHistory, gitText } from '../../support/git-history.ts'

const version = (from: string, text: string) =>
  `commit refs/heads/threads\ncommitter Ada <ada@forge.example> 1500000000 +0000\ndata 1\n.\n` +
  `${from}M 100644 inline t.txt\ndata ${text.length}\n${text}\n`

const KETTLE = 'https://forge.example/ada/kettle'

let history: GitHistory
beforeAll(async () => {
  history = await gitHistory((directory) => {
    const stream = version('', 'a\nb\nc\n') + version('', 'new\na\nB\nc\n')
    gitText(directory, ['fast-import', '--quiet'], stream)
  })
  const first = gitText(history.directory, ['rev-parse', 'threads~1']).trim()
  const writable = openDatabase(history.path, { readonly: false })
  const thread = writable.prepare(
    `INSERT INTO pull_request_review_threads
     (url, pull_request, path, original_commit_id, original_line, blob_position, side, resolved_at, created_at)
     VALUES (?, '${KETTLE}/pull/3', ?, ?, ?, ?, ?, ?, ?)`,
  )
  const comment = writable.prepare(
    `INSERT INTO pull_request_review_comments
     (url, pull_request, pull_request_review_thread, user, body, state, created_at)
     VALUES (?, '${KETTLE}/pull/3', ?, ?, ?, ?, ?)`,
  )
  const at = (minute: number) => `2024-05-06T07:0${minute}:00Z`
  type Thread = [string, string, number | null, number | null, string, string | null]
  const threads: Thread[] = [
    ['t.txt', first, 1, null, 'right', at(9)],
    ['t.txt', first, 2, null, 'right', null],
    ['t.txt', first, null, 2, 'right', null],
    ['t.txt', first, 3, null, 'left', null],
    ['t.txt', '0'.repeat(40), 1, null, 'right', null],
    ['README.md', first, 1, null, 'right', null],
    ['t.txt', first, 99, null, 'right', null],
  ]
  threads.forEach((columns, i) => {
    thread.run(`${KETTLE}/pull/3/files#pullrequestreviewthread-${i}`, ...columns, at(0))
  })
  const comments: [number, string | null, string, number, number][] = [
    [0, 'https://forge.example/bo', 'An answer', 1, 2],
    [0, 'https://forge.example/ada', 'Why?', 1, 1],
    [0, 'https://forge.example/ada', 'A draft', 0, 0],
  ]
  comments.forEach(([of, user, body, state, minute], i) => {
    const url = `${KETTLE}/pull/3/files#pullrequestreviewthread-${of}`
    comment.run(`${KETTLE}/pull/3/files#r${i}`, url, user, body, state, at(minute))
  })
  writable.close()
})
afterAll(() => history.close())

test('A thread is about the line that its line has become, and about none if that changed', () => {
  const { objects } = openRepository(history.database, 'ada/kettle')
  const blob = gitText(history.directory, ['rev-parse', 'threads:t.txt']).trim()
  const found = findThreads(history.database, 'ada/kettle', objects, new Set(['t.txt']), blob)
  expect([...found]).toEqual([
    [
      2,
      [
        {
          url: `${KETTLE}/pull/3/files#pullrequestreviewthread-0`,
          number: 3,
          user_login: 'ada',
          body: 'Why?',
          comments: 2,
          resolved_at: '2024-05-06T07:09:00Z',
        },
      ],
    ],
    [4, [expect.objectContaining({ user_login: null, body: null, comments: 0 })]],
  ])
})
