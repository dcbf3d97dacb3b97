import { describe, expect, test } from 'vitest'
import { madeNumber } from '../../../src/reading/numbers.ts'
import {
  event,
  HOST,
  ISSUE,
  issue,
  KETTLE,
  PULL,
  pullRequest,
  repository,
  SHA,
  user,
} from '../../support/rest-world.ts'
import { shareServer } from '../../support/serve-world.ts'
import { cardShape, expectShape, integer, text } from '../../support/shapes.ts'

const BASE = 'http://localhost:8730'
const CARD = {
  id: 5,
  url: 'https://cards.example/5',
  project_id: 6,
  project_url: 'https://p.example/6',
  column_name: 'Doing',
  previous_column_name: 'To do',
}

/** Events as other exporters write them: with members of the interface, or what only looks like them. */
const EVENTS = {
  1: event(ISSUE, 1, 'assigned', {
    subject: `${HOST}/ada`,
    assignee: `${HOST}/bob`,
    assignees: [`${HOST}/bob`, 7],
    assigner: `${HOST}/eve`,
  }),
  2: event(ISSUE, 2, 'labeled', {
    label_name: 'own',
    labels: [{ name: 'theirs', color: '00ff00', secret: 'x' }],
  }),
  3: event(ISSUE, 3, 'labeled', {
    label_name: 'own',
    label_color: 'ab',
    labels: [{ name: 1 }],
  }),
  4: event(ISSUE, 4, 'milestoned', { milestone: { title: 'Theirs', id: 1 } }),
  5: event(ISSUE, 5, 'milestoned', { milestone: 'Winter' }),
  6: event(ISSUE, 6, 'renamed', { title_was: 'a', title_is: 'b', rename: { from: 'c', to: 'd' } }),
  7: event(ISSUE, 7, 'renamed', { title_was: 'a', title_is: 'b', rename: { from: 'c' } }),
  8: event(PULL, 8, 'review_requested', {
    subject: `${HOST}/ada`,
    requested_reviewer: `${HOST}/bob`,
    review_requester: `${HOST}/eve`,
  }),
  9: event(PULL, 9, 'review_dismissed', {
    dismissed_review: {
      state: 'approved',
      review_id: 9,
      dismissal_message: 'No',
      dismissal_commit_id: SHA,
    },
  }),
  10: event(PULL, 10, 'review_dismissed', { dismissed_review: { state: 'approved' } }),
  30: event(ISSUE, 30, 'milestoned', { milestone: `${HOST}/forge/secret/milestones/1` }),
  11: event(ISSUE, 11, 'locked', { lock_reason: 'spam' }),
  12: event(ISSUE, 12, 'locked', { lock_reason: 'because' }),
  13: event(ISSUE, 13, 'added_to_project', { project_card: CARD }),
  14: event(ISSUE, 14, 'moved_columns_in_project', { project_card: CARD }),
  15: event(ISSUE, 15, 'removed_from_project', { project_card: CARD }),
  16: event(ISSUE, 16, 'added_to_project', {
    project_card: { column_name: 'Done', project_id: 6 },
  }),
  17: event(PULL, 17, 'added_to_project', { project_card: { column_name: 'Nowhere' } }),
  18: event(ISSUE, 18, 'closed', {
    performed_via_github_app: { id: 3, slug: 'kettle', name: 'Kettle', token: 'secret' },
  }),
  19: event(ISSUE, 19, 'referenced', { commit_id: SHA, commit_repository: `${HOST}/forge/secret` }),
  20: event(ISSUE, 20, 'referenced', { commit_id: SHA, commit_repository: `${HOST}/ada/notes` }),
  21: event(ISSUE, 21, 'closed', { commit_id: 'f00' }),
  22: event(ISSUE, 22, 'added_to_project'),
}
const secret = `${HOST}/forge/secret`
const board = (url: string, thread: string) => ({
  type: 'project',
  url,
  name: 'Board',
  creator: `${HOST}/ada`,
  body: '',
  columns: [
    { name: 'Empty', cards: [] },
    { name: 'Doing', cards: [{ note: null, content: { url: thread } }] },
  ],
})

const ask = shareServer([
  {
    users: [user('ada'), user('bob'), user('eve')],
    repositories: [
      repository(KETTLE),
      repository(secret, { private: true }),
      repository(`${HOST}/ada/notes`),
    ],
    issues: [issue(ISSUE), issue(`${KETTLE}/issues/12`)],
    pull_requests: [pullRequest(PULL)],
    issue_events: Object.values(EVENTS),
    projects: [
      board(`${KETTLE}/projects/1`, ISSUE),
      board(`${secret}/projects/1`, PULL),
      board(`${KETTLE}/projects/2`, `${PULL}2`),
    ],
  },
])

const eventOf = async (number: keyof typeof EVENTS, accept = 'application/json') =>
  (await ask(`/repos/forge/kettle/issues/events/${number}`, { accept })).body

describe('A member of the interface in a record counts', () => {
  test.each([
    [
      'persons of an assignment, those that are urls',
      1,
      {
        assignee: { login: 'bob' },
        assignees: [{ login: 'bob' }],
        assigner: { login: 'eve' },
      },
    ],
    ['labels', 2, { labels: [{ name: 'theirs', color: '00ff00' }], label: { name: 'theirs' } }],
    ['the title of a milestone', 4, { milestone: { title: 'Theirs' } }],
    ['titles', 6, { rename: { from: 'c', to: 'd' } }],
    [
      'persons of a review',
      8,
      {
        requested_reviewer: { login: 'bob' },
        review_requester: { login: 'eve' },
      },
    ],
    [
      'a review',
      9,
      {
        dismissed_review: {
          state: 'approved',
          review_id: 9,
          dismissal_message: 'No',
          dismissal_commit_id: SHA,
        },
      },
    ],
  ] as const)('%s', async (_, number, expected) => {
    expect(await eventOf(number)).toMatchObject(expected)
  })

  test.each([
    ['labels without a color', 3, { labels: [{ name: 'own', color: 'ededed' }] }],
    ['a milestone that is a title', 5, { milestone: { title: 'Winter' } }],
    ['a milestone of another repository', 30, { milestone: { title: '' } }],
    ['half a pair of titles', 7, { rename: { from: 'a', to: 'b' } }],
    ['a review without a number', 10, { dismissed_review: { state: 'commented', review_id: 10 } }],
    ['a commit that is none', 21, { commit_id: null, commit_url: null }],
  ] as const)('only if it is whole: %s', async (_, number, expected) => {
    expect(await eventOf(number)).toMatchObject(expected)
  })

  test('without what the interface does not name', async () => {
    const { labels } = await eventOf(2)
    expect(labels).toEqual([{ name: 'theirs', color: '00ff00' }])
    const app = await eventOf(18, 'application/vnd.github.machine-man-preview')
    expect(app).toMatchObject({ performed_via_github_app: { id: 3, slug: 'kettle' } })
    expect(JSON.stringify(app)).not.toContain('secret')
  })
})

test.each([
  [11, 'spam'],
  [12, null],
] as const)('The reason of lock %i is %s', async (number, reason) => {
  const { lock_reason } = await eventOf(number, 'application/vnd.github.sailor-v-preview+json')
  expect(lock_reason).toBe(reason)
})

describe('A card', () => {
  const GITHUB = 'application/vnd.github.starfox-preview+json'
  const SERVICE = 'application/vnd.service.starfox-preview+json'
  const cardOf = async (number: keyof typeof EVENTS, accept = GITHUB) =>
    (await eventOf(number, accept)).project_card

  test('is absent without the preview', async () => {
    expect(await cardOf(13, 'application/vnd.github.v3+json')).toBeUndefined()
  })

  test.each([
    [13, cardShape(false, false)],
    [14, cardShape(false, true)],
    [15, cardShape(true, false)],
    [16, cardShape(false, false)],
  ] as const)('of the record of event %i has what its kind has', async (number, shape) => {
    expectShape(await cardOf(number), shape)
  })

  test.each([
    [GITHUB, integer],
    [SERVICE, text],
    [`${SERVICE}, application/vnd.github.v3+json`, integer],
  ])('for %s has an id of that type', async (accept, id) => {
    expectShape(await cardOf(13, accept), cardShape(false, false, id))
  })

  test('without a record is found on a board that names the thread', async () => {
    const id = madeNumber('ProjectCard', `${ISSUE} ${KETTLE}/projects/1`)
    expect(await cardOf(22)).toMatchObject({
      id,
      url: `${KETTLE}/projects/1`,
      project_url: `${KETTLE}/projects/1`,
      column_name: 'Doing',
    })
  })

  test('is absent if only boards of other repositories, or for other threads, have one', async () => {
    expect(await cardOf(17)).toBeUndefined()
  })
})

test('A commit is at the repository that the event names, if everybody may know it', async () => {
  expect((await eventOf(19)).commit_url).toBe(`${BASE}/repos/forge/kettle/commits/${SHA}`)
  expect((await eventOf(20)).commit_url).toBe(`${BASE}/repos/ada/notes/commits/${SHA}`)
})
