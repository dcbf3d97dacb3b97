import { describe, expect, test } from 'vitest'
import {
  at,
  comment,
  HOST,
  ISSUE,
  KETTLE,
  PULL,
  SECRET,
  SHA,
  worldRecords,
} from '../../support/rest-world.ts'
import { accountsOf, as, shareServer } from '../../support/serve-world.ts'
import { commitCommentShape, expectShape, issueCommentShape } from '../../support/shapes.ts'

const [given] = worldRecords().commit_comments
const onCommit = (number: number, more: object = {}) => ({
  ...given,
  url: `${KETTLE}/commit/${SHA}#commitcomment-${number}`,
  created_at: at('06:00:01'),
  ...more,
})

const ask = shareServer(
  [
    {
      ...worldRecords(),
      issue_comments: [
        comment(ISSUE, 23, { created_at: at('06:00:03') }),
        comment(PULL, 22, { created_at: '2024-05-06T08:00:02.500+02:00', user: null }),
        comment(ISSUE, 21, { created_at: at('06:00:01'), body: null }),
        // One without a time is before all others.
        comment(ISSUE, 26, { created_at: 'soon' }),
        // What names no thread that is served, or has not its thread's url, is in no list.
        comment(`${KETTLE}/issues/99`, 24),
        comment(`${HOST}/nobody/nothing/issues/1`, 25),
        comment(ISSUE, 27, { url: `${KETTLE}/wiki` }),
        comment(`${SECRET}/issues/1`, 28, { created_at: at('06:00:04') }),
      ],
      commit_comments: [
        onCommit(52, { created_at: at('06:00:02'), body: null, user: null }),
        onCommit(51, { reactions: [{ user: `${HOST}/bob`, content: 'heart' }] }),
        onCommit(53, { created_at: 'soon' }),
        onCommit(54, { repository: SECRET, url: `${SECRET}/commit/${SHA}#commitcomment-54` }),
      ],
    },
  ],
  { accounts: accountsOf({ ada: ['repo'] }) },
)

interface Comment {
  readonly id: number
  readonly issue_url: string
}

const ids = async (path: string, headers = {}) =>
  (await ask<Comment[]>(path, headers)).body.map(({ id }) => id)

describe('Comments of a repository', () => {
  const LIST = '/repos/forge/kettle/issues/comments'

  test.each([
    ['', [26, 21, 22, 23]],
    // Without an order the direction does not count.
    ['?direction=desc', [26, 21, 22, 23]],
    ['?sort=created', [23, 22, 21, 26]],
    ['?sort=updated&direction=asc', [26, 21, 22, 23]],
    ['?since=2024-05-06T06:00:02Z', [22, 23]],
    ['?since=2024-05-06T08:00:03%2B02:00', [23]],
    ['?per_page=2&page=2', [22, 23]],
    ['?page=3', []],
  ])('%s', async (query, expected) => {
    expect(await ids(`${LIST}${query}`)).toEqual(expected)
  })

  test('say which thread they are in, pull requests as issues', async () => {
    const { body } = await ask<Comment[]>(LIST)
    for (const each of body) expectShape(each, issueCommentShape)
    expect(body.map(({ issue_url }) => issue_url.split('/repos/')[1])).toEqual([
      'forge/kettle/issues/1',
      'forge/kettle/issues/1',
      'forge/kettle/issues/2',
      'forge/kettle/issues/1',
    ])
    expect(body).toMatchObject([
      { body: 'Hot', created_at: '1970-01-01T00:00:00Z' },
      { body: '', user: { login: 'bob' }, created_at: at('06:00:01') },
      { body: 'Hot', user: { login: 'ghost' }, created_at: at('06:00:02') },
      { html_url: `${ISSUE}#issuecomment-23` },
    ])
  })

  test('of a private repository are for its members only', async () => {
    const path = '/repos/forge/secret/issues/comments'
    expect((await ask(path)).status).toBe(404)
    expect(await ids(path, as('ada'))).toEqual([28])
  })

  test.each(['sort', 'direction', 'since'])('are not listed for an invalid %s', async (field) => {
    const { status, body } = await ask(`${LIST}?${field}=odd`)
    expect([status, body.errors]).toEqual([
      422,
      [{ resource: 'IssueComment', field, code: 'invalid' }],
    ])
  })
})

describe('Comments of a thread', () => {
  test.each([
    ['1', '', [26, 21, 23]],
    ['2', '', [22]],
    ['1', '?since=2024-05-06T06:00:02Z', [23]],
    ['1', '?per_page=1&page=3', [23]],
    ['3', '', []],
  ])('%s %s', async (number, query, expected) => {
    expect(await ids(`/repos/forge/kettle/issues/${number}/comments${query}`)).toEqual(expected)
  })

  test.each(['99', '0', 'x'])('are not there without the thread: %s', async (number) => {
    expect((await ask(`/repos/forge/kettle/issues/${number}/comments`)).status).toBe(404)
  })
})

describe('A comment', () => {
  test('is found by its number in its own repository alone', async () => {
    const { body } = await ask<Comment>('/repos/forge/kettle/issues/comments/22')
    expectShape(body, issueCommentShape)
    expect(body.id).toBe(22)
    for (const id of ['24', '28', '0', 'x', '9'.repeat(15), '9'.repeat(16)]) {
      const path = `/repos/forge/kettle/issues/comments/${id}`
      expect([id, (await ask(path, as('ada'))).status]).toEqual([id, 404])
    }
  })
})

describe('Comments on commits', () => {
  const R = '/repos/forge/kettle'

  test('are those of the repository, the oldest first; their Git data may be missing', async () => {
    const { body } = await ask<Comment[]>(`${R}/comments`)
    for (const each of body) expectShape(each, commitCommentShape)
    expect(body).toMatchObject([
      { id: 53, created_at: '1970-01-01T00:00:00Z' },
      { id: 51, commit_id: SHA, user: { login: 'ada' }, body: 'Nice' },
      { id: 52, user: { login: 'ghost' }, body: '' },
    ])
    expect(await ids(`${R}/comments?per_page=2&page=2`)).toEqual([52])
    expect(await ids(`${R}/commits/${SHA}/comments`)).toEqual([53, 51, 52])
    expect((await ask(`${R}/comments/51`)).body).toEqual(body[1])
  })

  test('have reactions', async () => {
    expect((await ask(`${R}/comments/51/reactions`)).body).toMatchObject([
      { content: 'heart', user: { login: 'bob' } },
    ])
    expect((await ask(`${R}/comments/52/reactions`)).body).toEqual([])
  })

  test('of a private repository are for its members only', async () => {
    const path = '/repos/forge/secret/comments'
    for (const each of [path, `${path}/54`]) expect((await ask(each)).status).toBe(404)
    expect(await ids(path, as('ada'))).toEqual([54])
    expect((await ask(`${R}/comments/54`, as('ada'))).status).toBe(404)
  })
})
