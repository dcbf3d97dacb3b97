import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Person } from '../../src/reading/people/people.ts'
import type { IndexedRepository } from '../../src/reading/repositories.ts'
import { runs } from '../support/property-runs.ts'
import { comment, HOST, issue, repository, user } from '../support/rest-world.ts'
import { shareCatalog, shareServer } from '../support/serve-world.ts'
import { THOROUGH } from '../support/thorough.ts'

const LENGTHS = [0, 1, 29, 30, 31, 299, 300, 301]
const DAY = 24 * 3600
const START = Date.parse('2024-01-01T00:00:00Z') / 1000
const toTime = (seconds: number) => `${new Date(seconds * 1000).toISOString().slice(0, 19)}Z`

/** For each length a repository whose feed has so many events, of the organization forge and of ada alike. */
const names = LENGTHS.flatMap((length) => [`forge/list${length}`, `ada/list${length}`])
const world = {
  users: [user('ada'), user('bob')],
  organizations: [{ type: 'organization', url: `${HOST}/forge`, login: 'forge', members: [] }],
  repositories: names.map((name) => repository(`${HOST}/${name}`, { created_at: 'never' })),
  issues: names.map((name) => issue(`${HOST}/${name}/issues/1`, { created_at: 'never' })),
  issue_comments: names.flatMap((name, of) =>
    Array.from({ length: Number(/\d+$/.exec(name)?.[0]) }, (_, i) =>
      comment(`${HOST}/${name}/issues/1`, of * 1000 + i + 1, {
        user: `${HOST}/${i % 3 === 0 ? 'ada' : 'bob'}`,
        // Four at a time, over 75 days.
        created_at: toTime(START + Math.floor(i / 4) * DAY),
      }),
    ),
  ),
}

const catalog = shareCatalog([world])
const reader = () => catalog().read()
const repositoryOf = (name: string) => reader().repositories.findByName(name) as IndexedRepository
const personOf = (login: string) => reader().people.findByLogin(login) as Person

/** What a feed must have at an instant, from the records. */
function expected(
  now: number,
  isIn: (record: (typeof world)['issue_comments'][number]) => boolean,
) {
  return world.issue_comments
    .filter(isIn)
    .map(({ url, created_at }) => ({
      number: Number(/\d+$/.exec(url)?.[0]),
      time: Date.parse(created_at) / 1000,
    }))
    .filter(({ time }) => time > now - 90 * DAY && time <= now)
    .sort((one, other) => other.time - one.time || other.number - one.number)
    .slice(0, 300)
    .map(({ number }) => number)
}

const numbersOf = (ids: readonly number[]) => ids.map((id) => reader().feeds.find(id)?.number)

const instants = fc.oneof(
  fc.integer({ min: START - DAY, max: START + 180 * DAY }),
  // The very seconds at which events enter and leave.
  fc
    .tuple(fc.integer({ min: 0, max: 170 }), fc.integer({ min: -1, max: 1 }))
    .map(([days, seconds]) => START + days * DAY + seconds),
)

describe('A feed at any instant has the events of the 90 days before it, the newest 300', () => {
  test('of a repository', () => {
    const way = fc.property(fc.constantFrom(...names), instants, (name, now) => {
      const found = numbersOf(reader().feeds.ofRepository(now, repositoryOf(name)))
      expect(found).toEqual(expected(now, ({ url }) => url.startsWith(`${HOST}/${name}/`)))
    })
    fc.assert(way, { numRuns: runs(30) })
  })

  test('of an organization, of an actor, and received by a person', () => {
    const way = fc.property(instants, (now) => {
      const { feeds } = reader()
      expect(numbersOf(feeds.ofOrganization(now, personOf('forge')))).toEqual(
        expected(now, ({ url }) => url.startsWith(`${HOST}/forge/`)),
      )
      expect(numbersOf(feeds.ofActor(now, personOf('ada'), undefined))).toEqual(
        expected(now, (record) => record.user === `${HOST}/ada`),
      )
      expect(numbersOf(feeds.received(now, personOf('ada'), undefined))).toEqual(
        expected(now, () => true),
      )
    })
    fc.assert(way, { numRuns: runs(15) })
  })

  test('of everybody, five minutes late', () => {
    const way = fc.property(instants, (now) => {
      const late = expected(now, () => true)
      const found = numbersOf(reader().feeds.ofEverybody(now))
      const isRecent = (number: number | undefined) => {
        const { created_at = '' } =
          world.issue_comments.find(({ url }) => url.endsWith(`-${number}`)) ?? {}
        return Date.parse(created_at) / 1000 > now - 300
      }
      const old = late.filter((number) => !isRecent(number))
      // Events that the delay hides make room for older ones.
      expect(found.slice(0, old.length)).toEqual(old)
      expect(found.some(isRecent)).toBe(false)
    })
    fc.assert(way, { numRuns: runs(15) })
  })

  test('and the moment changes when and only when a feed of everybody does', () => {
    const way = fc.property(instants, fc.integer({ min: 0, max: 3 * DAY }), (now, later) => {
      const { feeds } = reader()
      const isSame = feeds.moment(now) === feeds.moment(now + later)
      const before = feeds.ofEverybody(now)
      if (isSame) expect(feeds.ofEverybody(now + later)).toEqual(before)
    })
    fc.assert(way, { numRuns: runs(30) })
  })
})

describe('Pages of a feed', () => {
  let now = START + 89 * DAY
  const ask = shareServer([world], { clock: () => new Date(now * 1000) })

  const title = 'of %i events have 30 each, 10 at most, and lead to one another'
  const everyDay = [0, 1, 30, 31, 301]
  test.each(everyDay)(title, expectPages)
  test.each(LENGTHS.filter((length) => !everyDay.includes(length)))(title, THOROUGH, expectPages)

  async function expectPages(length: number): Promise<void> {
    // Nothing has left the feed yet, and nothing is in the future.
    now = START + 89 * DAY
    const path = `/repos/forge/list${length}/events`
    const total = Math.min(length, 300)
    const sizes: number[] = []
    for (let page = 1; page <= 10; page++) {
      const { body, headers } = await ask<unknown[]>(`${path}?page=${page}&per_page=100`)
      sizes.push(body.length)
      const last = Math.ceil(total / 30)
      const link = headers.get('link')
      if (page < last) expect(link).toContain(`per_page=100&page=${last}>; rel="last"`)
      if (last <= 1) expect(link).toBeNull()
    }
    const full = Math.floor(total / 30)
    const rest = total % 30
    expect(sizes).toEqual([
      ...Array.from({ length: full }, () => 30),
      ...(rest > 0 ? [rest] : []),
      ...Array.from({ length: 10 - full - (rest > 0 ? 1 : 0) }, () => 0),
    ])
    expect((await ask(`${path}?page=11`)).status).toBe(422)
  }
})
