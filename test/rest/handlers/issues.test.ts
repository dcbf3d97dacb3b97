import { describe, expect, test } from 'vitest'
import {
  at,
  event,
  HOST,
  issue,
  KETTLE,
  pullRequest,
  SECRET,
  worldRecords,
} from '../../support/rest-world.ts'
import { accountsOf, as, shareServer } from '../../support/serve-world.ts'
import { expectShape, listedIssueShape, userIssueShape } from '../../support/shapes.ts'

const LABEL = (name: string) => `${KETTLE}/labels/${name}`
const world = worldRecords()
const ask = shareServer(
  [
    {
      ...world,
      issues: [
        issue(`${KETTLE}/issues/1`, {
          labels: [LABEL('bug'), LABEL('odd')],
          assignees: [`${HOST}/bob`],
          updated_at: at('09:00:00'),
        }),
        issue(`${KETTLE}/issues/3`, {
          labels: [LABEL('bug')],
          user: `${HOST}/bob`,
          created_at: at('02:30:00'),
          milestone: `${KETTLE}/milestones/1`,
          updated_at: at('08:00:00'),
        }),
        issue(`${KETTLE}/issues/4`, { closed_at: at('07:00:00'), created_at: at('02:40:00') }),
        issue(`${SECRET}/issues/1`, { assignee: `${HOST}/bob` }),
      ],
      pull_requests: [pullRequest(`${KETTLE}/pull/2`)],
      issue_events: [
        event(`${KETTLE}/issues/3`, 1, 'mentioned', { actor: `${HOST}/ada` }),
        event(`${KETTLE}/issues/4`, 2, 'subscribed', { actor: `${HOST}/ada` }),
        event(`${KETTLE}/issues/4`, 3, 'closed', { actor: `${HOST}/ada` }),
        event(`${KETTLE}/issues/4`, 5, 'closed', { created_at: at('07:00:00'), actor: null }),
        event(`${KETTLE}/issues/4`, 4, 'closed', { created_at: at('06:59:00') }),
        event(`${KETTLE}/issues/1`, 6, 'closed', { created_at: at('06:00:00') }),
      ],
    },
  ],
  { accounts: accountsOf({ ada: ['repo'], bob: ['repo'], carol: [], twin: ['repo'] }) },
)

interface Issue {
  readonly number: number
  readonly repository: { readonly full_name: string }
}

const numbers = async (path: string, headers = {}) =>
  (await ask<Issue[]>(path, headers)).body.map(({ number }) => number)

describe('Issues of a repository', () => {
  const LIST = '/repos/forge/kettle/issues'

  test.each([
    ['', [2, 3, 1]],
    ['?state=closed', [4]],
    ['?state=all', [2, 4, 3, 1]],
    ['?state=all&direction=asc', [1, 3, 4, 2]],
    ['?sort=updated', [1, 3, 2]],
    ['?sort=comments', [1, 3, 2]],
    ['?sort=comments&direction=asc', [2, 3, 1]],
    ['?labels=bug', [3, 1]],
    ['?labels=bug,odd', [1]],
    ['?labels=BUG,,', [3, 1]],
    ['?labels=nothing', []],
    ['?creator=bob', [2, 3]],
    ['?creator=nobody', []],
    ['?assignee=BOB', [1]],
    ['?assignee=*', [1]],
    ['?assignee=none', [2, 3]],
    ['?mentioned=ada', [3]],
    ['?milestone=1', [3]],
    ['?milestone=*', [3]],
    ['?milestone=none', [2, 1]],
    ['?since=2024-05-06T08:00:00Z', [3, 1]],
    ['?since=2024-05-06T10:00:01%2B02:00&state=all', [1]],
    ['?per_page=1&page=2', [3]],
  ])('%s', async (query, expected) => {
    expect(await numbers(`${LIST}${query}`)).toEqual(expected)
  })

  test('say what their author is to the repository', async () => {
    const { body } = await ask<Issue[]>(LIST)
    for (const each of body) expectShape(each, listedIssueShape)
    expect(body).toMatchObject([
      { author_association: 'NONE' },
      { author_association: 'NONE' },
      { author_association: 'MEMBER' },
    ])
  })

  test('say who closed them last, the same in a list and alone; nothing if they are open', async () => {
    const { body } = await ask<Issue[]>(`${LIST}?state=all`)
    expect(body).toMatchObject([
      { number: 2, closed_by: null },
      { number: 4, closed_by: { login: 'ghost' } },
      { number: 3, closed_by: null },
      { number: 1, closed_by: null },
    ])
    for (const each of body) {
      expect((await ask(`${LIST}/${each.number}`)).body).toEqual(each)
    }
  })

  test.each(['state', 'sort', 'direction', 'since', 'milestone'])(
    'are not listed for an invalid %s',
    async (field) => {
      const { status, body } = await ask(`${LIST}?${field}=odd`)
      expect([status, body.errors]).toEqual([422, [{ resource: 'Issue', field, code: 'invalid' }]])
    },
  )
})

describe('Issues of the caller', () => {
  test.each([
    ['ada', '', []],
    ['bob', '', [1]],
    ['ada', '?filter=created', [1, 1]],
    ['ada', '?filter=mentioned', [3]],
    ['ada', '?filter=subscribed&state=all', [4]],
    ['ada', '?filter=all', [2, 3, 1, 1]],
    ['ada', '?filter=all&labels=odd', [1]],
    // Without the scope private repositories are left out.
    ['carol', '?filter=all', [2, 3, 1]],
    ['twin', '?filter=all', []],
  ])('%s %s', async (login, query, expected) => {
    expect(await numbers(`/user/issues${query}`, as(login))).toEqual(expected)
  })

  test('have their repository, as the caller may use it', async () => {
    const { body } = await ask<Issue[]>('/user/issues?filter=all', as('ada'))
    for (const each of body) expectShape(each, userIssueShape)
    expect(body[0]?.repository).toMatchObject({ permissions: { admin: true } })
  })

  test('are nothing to a stranger, and not listed for an invalid filter', async () => {
    expect((await ask('/user/issues')).status).toBe(404)
    const { status, body } = await ask('/user/issues?filter=x&state=y', as('ada'))
    const faults = ['filter', 'state'].map((field) => ({
      resource: 'Issue',
      field,
      code: 'invalid',
    }))
    expect([status, body.errors]).toEqual([422, faults])
  })
})

test('An issue of a private repository does not exist for others', async () => {
  expect((await ask('/repos/forge/secret/issues/1', as('bob'))).status).toBe(200)
  for (const headers of [{}, as('twin'), as('carol')]) {
    expect((await ask('/repos/forge/secret/issues/1', headers)).status).toBe(404)
  }
})
