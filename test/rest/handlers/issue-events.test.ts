import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseLink } from '../../../src/interface/link-header.ts'
import { runs } from '../../support/property-runs.ts'
import {
  event,
  HOST,
  issue,
  pullRequest,
  repository,
  TODAY,
  worldRecords,
} from '../../support/rest-world.ts'
import { accountsOf, as, shareServer } from '../../support/serve-world.ts'

interface Event {
  readonly id: number
  readonly event: string
  readonly created_at: string
  readonly issue: { readonly number: number }
}

const accounts = accountsOf({ ada: ['repo'], bob: ['repo'] })
const ask = shareServer([worldRecords()], { accounts })
const EVENTS = '/repos/forge/kettle/issues/events'

describe('Issue events', () => {
  test('of a repository are the newest first, of a thread the oldest, and the same', async () => {
    const { body: all } = await ask<Event[]>(`${EVENTS}?per_page=100`)
    const order = all.map(({ created_at, id }) => [created_at, id] as const)
    expect(order).toEqual(order.toSorted(([a, b], [c, d]) => c.localeCompare(a) || d - b))
    const numbers = new Set(all.map(({ issue }) => issue.number))
    expect([...numbers].toSorted()).toEqual([1, 2, 3])
    for (const number of numbers) {
      const path = `/repos/forge/kettle/issues/${number}/events?per_page=100`
      const { body } = await ask<Event[]>(path)
      const ofThread = all.filter(({ issue }) => issue.number === number)
      expect(body.map(({ id }) => id)).toEqual(ofThread.map(({ id }) => id).toReversed())
      expect(body.some((each) => 'issue' in each)).toBe(false)
    }
  })

  test.each([
    ['of an unknown repository', '/repos/forge/nothing/issues/events'],
    ['of a private repository', '/repos/forge/secret/issues/events'],
    ['of an unknown issue', '/repos/forge/kettle/issues/99/events'],
    ['of a number that is too long', '/repos/forge/kettle/issues/1234567890123456/events'],
    ['of an odd number', '/repos/forge/kettle/issues/1x/events'],
    ['that is unknown', `${EVENTS}/999`],
    ['of another repository', '/repos/ada/notes/issues/events/202'],
    ['of a kind that is not documented', `${EVENTS}/201`],
    ['without the commit that it is about', `${EVENTS}/205`],
    ['of a thread without a record', `${EVENTS}/206`],
  ])('%s: 404', async (_, path) => {
    expect((await ask(path)).status).toBe(404)
  })

  test('of a private repository are for those who may read it', async () => {
    const path = '/repos/FORGE/Secret/issues/events'
    const { body } = await ask<Event[]>(path, as('bob'))
    expect(body.map(({ id }) => id)).toEqual([204])
  })
})

describe('All kinds of events', () => {
  const askAll = shareServer([worldRecords()], { allEvents: true })

  test('are served on request, undocumented ones too', async () => {
    const { body } = await askAll<Event>(`${EVENTS}/201`)
    expect(body).toMatchObject({ id: 201, event: 'pinned', issue: { number: 1 } })
  })
})

describe('A repository without issues', () => {
  const KETTLE = `${HOST}/ada/off`
  const off = { has_issues: false }
  const askOff = shareServer([
    {
      repositories: [repository(KETTLE, off), repository(`${HOST}/ada/pulls`, off)],
      issues: [issue(`${KETTLE}/issues/1`)],
      issue_events: [event(`${KETTLE}/issues/1`, 1, 'closed')],
      pull_requests: [pullRequest(`${HOST}/ada/pulls/pull/2`)],
    },
  ])

  test.each(['events', '1/events', 'events/1'])('is gone: issues/%s', async (rest) => {
    const { status, body } = await askOff(`/repos/ada/off/issues/${rest}`)
    expect([status, body.message]).toEqual([410, 'Issues are disabled for this repo'])
  })

  test('has events of its pull requests', async () => {
    expect((await askOff('/repos/ada/pulls/issues/2/events')).status).toBe(200)
  })
})

describe('Pages', () => {
  const LENGTHS = [0, 1, 29, 30, 31, 299, 300, 301]
  const lists = LENGTHS.map((length) => {
    const thread = `${HOST}/ada/list${length}/issues/1`
    return {
      repository: repository(`${HOST}/ada/list${length}`),
      issue: issue(thread),
      events: Array.from({ length }, (_, i) =>
        event(thread, length * 1000 + i + 1, 'mentioned', {
          created_at: `${TODAY}T0${i % 7}:00:00Z`,
        }),
      ),
    }
  })
  const askList = shareServer([
    {
      repositories: lists.map((list) => list.repository),
      issues: lists.map((list) => list.issue),
      issue_events: lists.flatMap(({ events }) => events),
    },
  ])

  test('together are the list, in order, each event once; Link leads from one to the next', async () => {
    const way = fc.asyncProperty(
      fc.constantFrom(...LENGTHS),
      fc.integer({ min: 1, max: 120 }),
      fc.constantFrom('events', '1/events'),
      async (length, size, rest) => {
        const perPage = Math.min(size, 100)
        const found: number[] = []
        let next: string | undefined =
          `/repos/ada/list${length}/issues/${rest}?per_page=${size}&x=%20y`
        for (let pages = 0; next !== undefined; pages++) {
          const { body, headers } = await askList<Event[]>(next)
          found.push(...body.map(({ id }) => id))
          const link = parseLink(headers.get('link') ?? '')
          next = link.next?.replace(/^http:\/\/[^/]+/, '')
          expect(body.length).toBe(Math.max(0, Math.min(perPage, length - pages * perPage)))
          if (next) expect(next).toContain(`?per_page=${size}&x=%20y&page=${pages + 2}`)
        }
        const whole = await askList<Event[]>(`/repos/ada/list${length}/issues/${rest}?per_page=100`)
        expect(found.slice(0, 100)).toEqual(whole.body.map(({ id }) => id))
        expect(new Set(found).size).toBe(length)
        expect(found.length).toBe(length)
      },
    )
    await fc.assert(way, { numRuns: runs(25) })
  })
})
