import { describe, expect, test } from 'vitest'
import {
  at,
  event,
  HOST,
  KETTLE,
  PULL,
  pullRequest,
  SECRET,
  worldRecords,
} from '../../support/rest-world.ts'
import { accountsOf, as, shareServer } from '../../support/serve-world.ts'
import { expectShape, singlePullRequestShape, wholePullRequestShape } from '../../support/shapes.ts'

const HEAD = pullRequest(PULL).head
const request = (login: string, more: object = {}) => ({
  reviewer: `${HOST}/${login}`,
  reviewer_type: 'User',
  dismissed_at: null,
  ...more,
})
const ask = shareServer(
  [
    {
      ...worldRecords(),
      pull_requests: [
        pullRequest(PULL, {
          review_requests: [
            request('ada'),
            request('carol', { dismissed_at: at('04:00:00') }),
            request('cooks', { reviewer_type: 'Team' }),
          ],
        }),
        pullRequest(`${KETTLE}/pull/5`, {
          merged_at: at('05:00:00'),
          closed_at: at('05:00:00'),
          created_at: at('03:10:00'),
          head: { ...HEAD, user: `${HOST}/gone`, repo: null, ref: 'fork' },
        }),
        pullRequest(`${KETTLE}/pull/6`, {
          created_at: at('03:20:00'),
          body: null,
          user: null,
          base: { ...HEAD, ref: 'next' },
          head: { ...HEAD, repo: SECRET, ref: 'hush' },
        }),
        pullRequest(`${SECRET}/pull/7`),
      ],
      issue_events: [
        event(`${KETTLE}/pull/5`, 1, 'merged', { actor: `${HOST}/carol` }),
        event(`${KETTLE}/pull/5`, 2, 'locked', { lock_reason: 'spam' }),
      ],
    },
  ],
  { accounts: accountsOf({ ada: ['repo'] }) },
)
const LIST = '/repos/forge/kettle/pulls'

interface Pull {
  readonly number: number
}

const numbers = async (path: string, headers = {}) =>
  (await ask<Pull[]>(path, headers)).body.map(({ number }) => number)

const CLONE = 'http://localhost:8730/forge/kettle.git'

describe('Pull requests of a repository', () => {
  test.each([
    ['', [6, 2]],
    ['?direction=asc', [2, 6]],
    ['?state=all&sort=created&direction=asc', [2, 5, 6]],
    ['?state=closed', [5]],
    ['?state=all&sort=updated', [2, 6, 5]],
    ['?state=all&sort=popularity&direction=desc', [2, 6, 5]],
    ['?base=next', [6]],
    ['?head=gone:fork&state=all', [5]],
    ['?head=fork&state=all', []],
    ['?state=all&per_page=2&page=2', [2]],
    ['?page=4', []],
  ])('%s', async (query, expected) => {
    expect(await numbers(`${LIST}${query}`)).toEqual(expected)
  })

  test('are the same in the list as alone, where more is told', async () => {
    const { body } = await ask<Pull[]>(`${LIST}?state=all`)
    for (const each of body) {
      expectShape(each, wholePullRequestShape)
      const alone = (await ask<Pull>(`${LIST}/${each.number}`)).body
      expectShape(alone, singlePullRequestShape)
      expect(alone).toMatchObject(each)
    }
  })

  test('say where their parts are, and those are there', async () => {
    const { body } = await ask<Pull & { _links: Record<string, { href: string }> }>(`${LIST}/2`)
    const { html, review_comment, ...served } = body._links
    expect(html?.href).toBe(PULL)
    expect(review_comment?.href).toMatch(/\/pulls\/comments\{\/number\}$/)
    for (const { href } of Object.values(served)) {
      expect([href, (await ask(new URL(href).pathname)).status]).toEqual([href, 200])
    }
  })

  test('do not say what no archive tells: whether they can be merged, or changed by maintainers', async () => {
    const unknown = { mergeable: null, rebaseable: null, mergeable_state: 'unknown' }
    expect((await ask(`${LIST}/2`)).body).toMatchObject({
      ...unknown,
      maintainer_can_modify: false,
    })
    expect((await ask(`${LIST}/5`)).body).toMatchObject({ ...unknown, maintainer_can_modify: null })
  })

  test('tell who merged them and why they are locked', async () => {
    expect((await ask(`${LIST}/5`)).body).toMatchObject({
      merged: true,
      state: 'closed',
      merged_by: { login: 'carol' },
      locked: true,
      active_lock_reason: 'spam',
    })
    expect((await ask(`${LIST}/2`)).body).toMatchObject({
      merged_by: null,
      active_lock_reason: null,
      comments: 1,
      review_comments: 2,
    })
  })

  test('name repositories to clone, but none that is gone or that the caller may not read', async () => {
    const ends = async (number: number, headers = {}) =>
      (await ask(`${LIST}/${number}`, headers)).body
    expect(await ends(2)).toMatchObject({
      head: { label: 'forge:topic', repo: { clone_url: CLONE } },
      base: { label: 'forge:main', repo: { clone_url: CLONE } },
    })
    expect(await ends(5)).toMatchObject({ head: { label: 'gone:fork', repo: null } })
    expect(await ends(6)).toMatchObject({ head: { repo: null }, base: { ref: 'next' } })
    expect(await ends(6, as('ada'))).toMatchObject({
      head: { repo: { full_name: 'forge/secret' } },
    })
  })

  test('have their changes on this server, also for those who ask below /api/v3', async () => {
    for (const prefix of ['', '/api/v3']) {
      const { body } = await ask(`${prefix}${LIST}/2`)
      expect(body).toMatchObject({
        html_url: PULL,
        diff_url: 'http://localhost:8730/forge/kettle/pull/2.diff',
        patch_url: 'http://localhost:8730/forge/kettle/pull/2.patch',
      })
      const { body: issue } = await ask(`${prefix}/repos/forge/kettle/issues/2`)
      expect(issue.pull_request).toMatchObject({ patch_url: body.patch_url })
    }
  })

  test('of a private repository are for its members only', async () => {
    expect((await ask('/repos/forge/secret/pulls/7')).status).toBe(404)
    expect(await numbers('/repos/forge/secret/pulls', as('ada'))).toEqual([7])
  })

  test.each(['1', '99', 'x'])('are not there by number %s', async (number) => {
    for (const rest of ['', '/requested_reviewers', '/reviews', '/comments']) {
      expect([rest, (await ask(`${LIST}/${number}${rest}`)).status]).toEqual([rest, 404])
    }
  })

  test.each(['state', 'sort', 'direction'])('are not listed for an invalid %s', async (field) => {
    const { status, body } = await ask(`${LIST}?${field}=odd`)
    expect([status, body.errors]).toEqual([
      422,
      [{ resource: 'PullRequest', field, code: 'invalid' }],
    ])
  })
})

test('Whether a pull request was merged is told by the status', async () => {
  const statusOf = async (number: number) => (await ask(`${LIST}/${number}/merge`)).status
  expect(await Promise.all([5, 6, 1, 99].map(statusOf))).toEqual([204, 404, 404, 404])
})

test('Who has given a review is no longer requested', async () => {
  const { body } = await ask<{ users: object[]; teams: object[] }>(`${LIST}/2/requested_reviewers`)
  expect(body).toEqual({ users: [], teams: [] })
})
