import { describe, expect, test } from 'vitest'
import { ENDPOINTS } from '../../../src/interface/endpoints.ts'
import { HANDLERS } from '../../../src/rest/handlers/handlers.ts'
import { TODAY, worldRecords } from '../../support/rest-world.ts'
import { accountsOf, as, shareServer } from '../../support/serve-world.ts'
import { everyDay, THOROUGH } from '../../support/thorough.ts'

const FEEDS = [
  '/events',
  '/repos/forge/kettle/events',
  '/networks/forge/kettle/events',
  '/orgs/forge/events',
  '/users/ada/received_events',
  '/users/ada/received_events/public',
  '/users/ada/events',
  '/users/ada/events/public',
]
const NOON = Date.parse(`${TODAY}T12:00:00Z`)
const DAY = 24 * 3600_000

interface Event {
  readonly id: string
  readonly type: string
  readonly created_at: string
  readonly public: boolean
  readonly actor: { readonly login: string }
  readonly repo: { readonly name: string }
  readonly payload: Readonly<Record<string, unknown>>
}

let now = NOON
const clock = () => new Date(now)
const accounts = accountsOf({ ada: ['repo'], bob: [], carol: ['repo'], twin: ['repo'] })
const ask = shareServer([worldRecords()], { clock, accounts })

/** All events of a feed, page by page. */
async function eventsOf(path: string, headers = {}): Promise<Event[]> {
  const events: Event[] = []
  for (let page = 1; page <= 10; page++) {
    const { body } = await ask<Event[]>(`${path}?page=${page}`, headers)
    events.push(...body)
  }
  return events
}

describe.each(FEEDS)('The feed %s', (path) => {
  test('has public events alone for a stranger, the newest first', async () => {
    now = NOON
    const events = await eventsOf(path)
    expect(events.length).toBeGreaterThan(0)
    expect(events.filter((event) => !event.public)).toEqual([])
    const order = events.map(({ created_at, id }) => [created_at, Number(id)] as const)
    const sorted = order.toSorted(
      ([time, id], [other, otherId]) => other.localeCompare(time) || otherId - id,
    )
    expect(order).toEqual(sorted)
  })

  test('is not sent again if nothing happened, and says how often to ask', async () => {
    now = NOON
    const first = await ask(path)
    const etag = first.headers.get('etag') ?? ''
    now = NOON + 3600_000
    const second = await ask(path, { 'if-none-match': etag })
    expect(second.status).toBe(304)
    for (const { headers } of [first, second]) expect(headers.get('x-poll-interval')).toBe('60')
    const newest = first.headers.get('last-modified') ?? ''
    expect((await ask(path, { 'if-modified-since': newest })).status).toBe(304)
  })

  test('is empty 90 days later', async () => {
    now = NOON + 91 * DAY
    const { status, body, headers } = await ask<Event[]>(path)
    expect([status, body, headers.get('last-modified')]).toEqual([200, [], null])
  })

  test('is empty before anything happened', async () => {
    now = NOON - DAY
    expect((await ask<Event[]>(path)).body).toEqual([])
  })
})

describe('A feed', () => {
  test.each([
    '/repos/forge/secret/events',
    '/repos/forge/nothing/events',
    '/networks/forge/secret/events',
    '/orgs/ada/events',
    '/users/nobody/events',
    '/users/nobody/received_events',
    '/users/ada/events/orgs/forge',
  ])('that a stranger may not see does not exist: %s', async (path) => {
    now = NOON
    expect((await ask(path)).status).toBe(404)
  })

  test('of everybody is five minutes late', THOROUGH, async () => {
    const count = async (time: string) => {
      now = Date.parse(`${TODAY}T${time}Z`)
      return (await eventsOf('/events')).length
    }
    // The release is of 06:20:00.
    expect(await count('06:25:00')).toBe((await count('06:24:59')) + 1)
    const atOnce = async (time: string) => {
      now = Date.parse(`${TODAY}T${time}Z`)
      return (await eventsOf('/repos/forge/kettle/events')).length
    }
    expect(await atOnce('06:20:00')).toBe((await atOnce('06:19:59')) + 1)
  })

  test('describes events in the words of the interface', async () => {
    now = NOON
    const events = await eventsOf('/repos/forge/kettle/events')
    const told = events.map(({ type, payload, actor, created_at }) =>
      [created_at.slice(11, 16), type, payload.action ?? payload.ref, actor.login].join(' '),
    )
    expect(told).toEqual([
      '06:20 ReleaseEvent published ada',
      '06:10 CommitCommentEvent created ada',
      '06:00 IssueCommentEvent created ada',
      '06:00 IssueCommentEvent created ghost',
      '06:00 IssueCommentEvent created bob',
      '05:41 IssuesEvent reopened ghost',
      '05:40 IssuesEvent closed steam[bot]',
      '05:17 PullRequestEvent reopened ada',
      '05:11 PullRequestEvent closed ada',
      '05:06 CreateEvent topic ada',
      '05:05 DeleteEvent topic ada',
      '05:02 PullRequestEvent closed ada',
      '04:00 PullRequestReviewCommentEvent created ada',
      '04:00 PullRequestReviewCommentEvent created ada',
      '04:00 PullRequestReviewEvent created ada',
      '03:00 PullRequestEvent opened bob',
      '02:30 IssuesEvent opened ghost',
      '02:00 IssuesEvent opened ada',
    ])
  })

  const repositoriesIn = async (path: string, headers = {}) => {
    now = NOON
    const names = (await eventsOf(path, headers)).map(({ repo }) => repo.name)
    return [...new Set(names)].toSorted()
  }

  everyDay(1)([
    ['ada', {}, ['ada/notes', 'forge/kettle']],
    ['ada', as('carol'), ['ada/notes', 'forge/kettle']],
    ['ada', as('ada'), ['ada/notes', 'forge/kettle', 'forge/secret']],
    ['carol', as('carol'), ['forge/kettle', 'forge/secret']],
    ['bob', as('bob'), ['forge/kettle']],
    ['twin', as('twin'), []],
  ])('received by %s has what they have to do with and may read', async (login, headers, names) => {
    expect(await repositoriesIn(`/users/${login}/received_events`, headers)).toEqual(names)
    const open = names.filter((name) => name !== 'forge/secret')
    expect(await repositoriesIn(`/users/${login}/received_events/public`, headers)).toEqual(open)
  })

  test.each([
    ['bob', {}, ['forge/kettle']],
    ['ada', as('ada'), ['ada/notes', 'forge/kettle', 'forge/secret']],
    ['ada', as('bob'), ['ada/notes', 'forge/kettle']],
    ['carol', as('carol'), []],
  ])('by %s has their private events for themselves alone', async (login, headers, names) => {
    expect(await repositoriesIn(`/users/${login}/events`, headers)).toEqual(names)
  })

  test('of a private repository is for those who may read it', async () => {
    expect(await repositoriesIn('/repos/forge/secret/events', as('carol'))).toEqual([
      'forge/secret',
    ])
    for (const login of ['bob', 'twin']) {
      expect((await ask('/repos/forge/secret/events', as(login))).status).toBe(404)
    }
    expect(await repositoriesIn('/networks/forge/secret/events', as('carol'))).toEqual([])
  })

  test('for members of an organization is for the member in the path alone', async () => {
    const path = '/users/carol/events/orgs/forge'
    expect(await repositoriesIn(path, as('carol'))).toEqual(['forge/kettle', 'forge/secret'])
    expect((await ask(path, as('ada'))).status).toBe(404)
    expect((await ask('/users/twin/events/orgs/forge', as('twin'))).status).toBe(404)
  })

  test('has no page after the tenth', async () => {
    const { status, body } = await ask('/events?page=11')
    expect([status, String(body.message).slice(0, 44)]).toEqual([
      422,
      'In order to keep the API fast for everyone, ',
    ])
  })
})

test('Every feed of the table of endpoints has a handler and a test', () => {
  const feeds = ENDPOINTS.filter((endpoint) => 'list' in endpoint && endpoint.list === 'feed')
  expect(feeds.map(({ handler }) => handler).filter((name) => !(name in HANDLERS))).toEqual([])
  expect(feeds).toHaveLength(FEEDS.length + 1)
})
