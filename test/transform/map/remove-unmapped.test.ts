import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { mapRecords } from '../../../src/transform/map/map-records.ts'
import { filesOf, HOST, worlds } from '../../support/arbitrary-world.ts'
import { issue, user } from '../../support/archives.ts'
import { built, unpack } from '../../support/build.ts'
import type { Files } from '../../support/build-tar.ts'
import { loaded } from '../../support/load.ts'
import { runs } from '../../support/property-runs.ts'
import { everyDay, THOROUGH } from '../../support/thorough.ts'

const url = (login: string) => `https://host.example/${login}`
const FILES: Files = {
  'users_000001.json': [user('ada'), user('bob'), user('Eve')],
  'organizations_000001.json': [
    {
      type: 'organization',
      url: url('acme'),
      login: 'acme',
      members: [{ user: url('bob') }, { user: url('ada') }],
    },
  ],
  'issues_000001.json': [
    issue(1, 'For @bob', {
      user: url('bob'),
      assignee: url('bob'),
      milestone: null,
      assignees: [url('bob'), url('ada'), url('nobody')],
      reactions: [{ user: url('bob'), content: '+1' }],
      labels: [url('bob')],
    }),
  ],
  'issue_events_000001.json': [
    {
      type: 'issue_event',
      url: url('a/b/issues/1#event-1'),
      actor: url('eve'),
      event: 'x',
      subject: url('bob'),
    },
    { type: 'issue_event', url: url('a/b/issues/1#event-2'), subject: url('a/b/issues/1') },
  ],
  'pull_requests_000001.json': [
    {
      type: 'pull_request',
      url: url('a/b/pull/2'),
      base: { ref: 'main', user: url('acme') },
      head: { ref: 'x', user: url('bob') },
      review_requests: [{ reviewer: url('bob') }, { reviewer: url('orgs/acme/teams/core') }],
      close_issue_references: [{ actor: url('bob'), issue: url('a/b/issues/1') }],
    },
  ],
}

const mapOf = (logins: Record<string, string>) => ({
  hosts: [],
  repositories: [],
  logins: Object.entries(logins).map(([old, now]) => ({
    old,
    new: now,
    place: `${old}=${now}`,
  })),
})

it('People without a new name leave no record and no reference; texts, organizations and those who keep their name stay', async () => {
  const { database } = await loaded(FILES)
  const report = mapRecords(database, mapOf({ ada: 'grace', eve: 'eve' }), { unmapped: 'ghost' })
  const { files } = await unpack(await built(database, { allowInvalid: true }))
  const recordsOf = (stem: string) => JSON.parse(files[`${stem}_000001.json`] as string)
  expect(recordsOf('users').map((each: { login: string }) => each.login)).toEqual(['grace', 'Eve'])
  expect(recordsOf('organizations')).toMatchObject([
    { login: 'acme', members: [{ user: url('grace') }] },
  ])
  expect(recordsOf('issues')).toMatchObject([
    {
      title: 'For @bob',
      user: null,
      assignee: null,
      assignees: [url('grace')],
      reactions: [],
      labels: [url('bob')],
    },
  ])
  expect(recordsOf('issue_events')).toMatchObject([
    { actor: url('eve'), subject: null },
    { subject: url('a/b/issues/1') },
  ])
  expect(recordsOf('pull_requests')).toMatchObject([
    {
      base: { user: url('acme') },
      head: { ref: 'x', user: null },
      review_requests: [{ reviewer: url('orgs/acme/teams/core') }],
      close_issue_references: [{ actor: null, issue: url('a/b/issues/1') }],
    },
  ])
  expect(report.unmapped).toEqual({ count: 2, logins: ['bob', 'nobody'] })
  expect(report.ghosts).toEqual({
    users: 1,
    'organizations.members': 1,
    'issue_events.subject': 1,
    'issues.user': 1,
    'issues.assignee': 1,
    'issues.assignees': 2,
    'issues.reactions': 1,
    'pull_requests.head': 1,
    'pull_requests.review_requests': 1,
    'pull_requests.close_issue_references': 1,
  })
})

it('Without any new login nobody goes', async () => {
  const { database } = await loaded(FILES)
  const report = mapRecords(database, mapOf({}), { unmapped: 'ghost' })
  expect(report).toMatchObject({ ghosts: {}, unmapped: { count: 0 }, records: {} })
})

describe('An owner of a repository cannot go:', () => {
  const owned = (login: string) => ({
    type: 'repository',
    url: url(`${login}/kit`),
    owner: url(login),
    name: 'kit',
  })
  everyDay(1)([
    [[owned('bob')], 'owners of repositories need a new name: bob'],
    [[owned('bob'), owned('Eve')], 'owners of repositories need a new name: bob, Eve'],
  ])('%#', async (repositories, message) => {
    const { database } = await loaded({ ...FILES, 'repositories_000001.json': repositories })
    expect(() => mapRecords(database, mapOf({ ada: 'grace' }), { unmapped: 'ghost' })).toThrow(
      expect.objectContaining({ code: 'map-incomplete', message }),
    )
    expect(database.prepare('SELECT count(*) FROM users').pluck().get()).toBe(3)
  })
})

it(
  'On arbitrary archives nobody without a new name is referred to, and what is left keeps the rules',
  THOROUGH,
  async () => {
    const gone = ['adam', 'ada-x', 'bob', 'x']
    await fc.assert(
      fc.asyncProperty(worlds, async (world) => {
        const { database } = await loaded(filesOf(world))
        mapRecords(database, mapOf({ bo: 'new-b', Grace: 'Grace' }), { unmapped: 'ghost' })
        const { files } = await unpack(await built(database))
        const text = Object.values(files).join('\n')
        // Whole values only: texts stay.
        expect(text).not.toMatch(new RegExp(`"${HOST}/(?:${gone.join('|')})"`))
        expect(text).toContain(`"${HOST}/ada"`)
      }),
      { numRuns: runs(10) },
    )
  },
)
