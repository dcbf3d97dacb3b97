import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Database } from '../../../src/database/open-database.ts'
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
  'users_000001.json': [
    user('ada', { name: 'Ada', emails: [{ address: 'a@host.example', primary: true }] }),
    user('Ada-2', {
      name: 'Countess',
      emails: [
        { address: 'A@host.example', primary: true },
        { address: 'b@host.example', primary: true },
      ],
    }),
    user('bob'),
  ],
  'organizations_000001.json': [{ type: 'organization', url: url('acme'), login: 'acme' }],
  'issues_000001.json': [
    issue(1, 'By @ada and @ada-2', {
      user: url('Ada-2'),
      assignee: url('bob'),
      labels: [url('Ada-2'), url('ada')],
      assignees: [url('bob'), url('ada'), url('Ada-2')],
      reactions: [
        { user: url('Ada-2'), content: '+1', n: 1.0 },
        { user: url('ada'), content: 'heart' },
        { user: url('ada'), content: '+1' },
        { user: url('bob'), content: '+1' },
        { user: url('bob'), content: '+1' },
      ],
    }),
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
const merge = (database: Database, logins: Record<string, string>) =>
  mapRecords(database, mapOf(logins), { merge: true })

const rowsOf = (database: Database, sql: string) => database.prepare(sql).raw().all()

describe('Two people become one,', () => {
  it('whose record is that of the first, with the addresses of both', async () => {
    const { database } = await loaded(FILES)
    const report = merge(database, { ada: 'grace', 'ada-2': 'grace' })
    expect(rowsOf(database, 'SELECT url, login, name, emails FROM users ORDER BY rowid')).toEqual([
      [
        url('grace'),
        'grace',
        'Ada',
        '[{"address":"a@host.example","primary":true},{"address":"b@host.example","primary":false}]',
      ],
      [url('bob'), 'bob', null, null],
    ])
    expect(report.merged).toEqual([{ new: 'grace', old: ['ada', 'Ada-2'] }])
    expect(report.inverse.logins).toEqual([])
  })

  it('who has a login already and keeps it', async () => {
    const { database } = await loaded(FILES)
    const report = merge(database, { ada: 'ADA-2' })
    expect(rowsOf(database, 'SELECT login, name FROM users ORDER BY rowid')).toEqual([
      ['Ada-2', 'Countess'],
      ['bob', null],
    ])
    expect(report.merged).toEqual([{ new: 'Ada-2', old: ['Ada-2', 'ada'] }])
    expect(rowsOf(database, 'SELECT title, assignees FROM issues')).toEqual([
      ['By @Ada-2 and @ada-2', JSON.stringify([url('bob'), url('Ada-2')])],
    ])
  })

  it('also while others exchange their names', async () => {
    const { database } = await loaded(FILES)
    const report = merge(database, { ada: 'bob', bob: 'ada', 'Ada-2': 'ada' })
    expect(rowsOf(database, 'SELECT login, name FROM users ORDER BY rowid')).toEqual([
      ['bob', 'Ada'],
      ['ada', null],
    ])
    expect(report.merged).toEqual([{ new: 'ada', old: ['bob', 'Ada-2'] }])
    expect(rowsOf(database, 'SELECT title, assignees FROM issues')).toEqual([
      ['By @bob and @ada', JSON.stringify([url('ada'), url('bob')])],
    ])
  })

  it('and is in no list twice: the first assignee and the first reaction of a content stay', async () => {
    const { database } = await loaded(FILES)
    const report = merge(database, { ada: 'grace', 'ada-2': 'grace' })
    const { files } = await unpack(await built(database, { allowInvalid: true }))
    const [record] = JSON.parse(files['issues_000001.json'] as string)
    expect(record).toMatchObject({
      user: url('grace'),
      title: 'By @grace and @grace',
      assignee: url('bob'),
      assignees: [url('bob'), url('grace')],
      labels: [url('grace'), url('grace')],
      reactions: [
        { user: url('grace'), content: '+1' },
        { user: url('grace'), content: 'heart' },
        { user: url('bob'), content: '+1' },
        { user: url('bob'), content: '+1' },
      ],
    })
    expect(files['issues_000001.json']).toContain('"n": 1')
    expect(report.doubles).toEqual({ 'issues.assignees': 1, 'issues.reactions': 1 })
  })
})

describe('A merge is refused', () => {
  const repository = (owner: string) => ({
    type: 'repository',
    url: url(`${owner}/kit`),
    owner: url(owner),
    name: 'kit',
  })

  everyDay(1)([
    [{ ada: 'acme' }, FILES, '"acme" is an organization: only people become one'],
    [{ acme: 'bob' }, FILES, '"acme" is an organization: only people become one'],
    [
      { ada: 'grace', bob: 'grace' },
      { ...FILES, 'repositories_000001.json': [repository('ada'), repository('bob')] },
      'ada/kit and bob/kit would both be grace/kit',
    ],
  ])('of %j', async (logins, files, message) => {
    const { database } = await loaded(files)
    expect(() => merge(database, logins as Record<string, string>)).toThrow(message)
    expect(rowsOf(database, 'SELECT count(*) FROM users')).toEqual([[3]])
  })

  it('unless it is asked for', async () => {
    const { database } = await loaded(FILES)
    expect(() => mapRecords(database, mapOf({ ada: 'grace', bob: 'grace' }))).toThrow(
      '"grace" is the new name of two: see also ada=grace',
    )
  })
})

describe('On arbitrary archives', () => {
  it('merging at once is renaming one and merging the other into it', THOROUGH, async () => {
    await fc.assert(
      fc.asyncProperty(worlds, fc.constantFrom('bob', 'new-a'), async (world, now) => {
        const { database: atOnce } = await loaded(filesOf(world))
        merge(atOnce, { 'ada-x': now, bo: now })
        const { database: inTurn } = await loaded(filesOf(world))
        merge(inTurn, { 'ada-x': now })
        merge(inTurn, { bo: now })
        expect(await unpack(await built(inTurn))).toEqual(await unpack(await built(atOnce)))
      }),
      { numRuns: runs(8) },
    )
  })

  it(
    'nobody is left of those who were merged, and no list has anybody twice',
    THOROUGH,
    async () => {
      await fc.assert(
        fc.asyncProperty(worlds, async (world) => {
          const { database } = await loaded(filesOf(world))
          merge(database, { adam: 'bob', bo: 'bob', x: 'bob', Grace: 'bob' })
          const { files } = await unpack(await built(database))
          const text = Object.values(files).join('\n')
          expect(text).not.toMatch(new RegExp(`${HOST}/(?:adam|bo|x|Grace)(?![\\w-])`))
          for (const records of Object.values(files).filter((each) => /^\[/.test(`${each}`))) {
            for (const { assignees = [], members = [], collaborators = [] } of JSON.parse(
              records as string,
            )) {
              for (const list of [assignees, members, collaborators]) {
                const people = list.map((each: string | { user: string }) =>
                  typeof each === 'string' ? each : each.user,
                )
                expect(new Set(people).size).toBe(people.length)
              }
            }
          }
        }),
        { numRuns: runs(8) },
      )
    },
  )
})
