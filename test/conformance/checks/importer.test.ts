import { expect, test } from 'vitest'
import { describeImport } from '../../../src/conformance/checks/importer.ts'
import { KINDS } from '../../../src/records/kinds/kinds.ts'
import { BARE, loaded } from '../../support/load.ts'
import { tablesWith } from '../../support/tables.ts'

const R = 'https://host.example/ada/kettle'

const lineOf = (database: Parameters<typeof describeImport>[0], kind: string) =>
  describeImport(database).find((line) => line.kind === kind)

test('lists the kinds that there are, in the order of an import, and what no archive has', () => {
  const database = tablesWith({ issues: [{ url: `${R}/issues/1` }], users: [{ url: R }] })
  const lines = describeImport(database)
  const counted = lines.filter(({ records }) => records !== null)
  expect(counted.map(({ kind, taken, changed }) => [kind, taken, changed])).toEqual([
    ['users', 0, 1],
    ['issues', 1, 0],
  ])
  expect(lines.map(({ kind }) => kind)).toContain('rulesets')
  expect(lines.filter(({ source }) => source === '')).toEqual([])
})

test('says why of all that does not arrive as it is, and of nothing else', () => {
  const database = tablesWith(
    Object.fromEntries(Object.keys(KINDS).map((kind) => [kind, [{ url: `${R}/${kind}` }]])),
  )
  const lines = describeImport(database)
  expect(lines.length).toBeGreaterThan(Object.keys(KINDS).length)
  for (const { records, taken, changed, notTaken, why } of lines) {
    expect(taken + changed + notTaken).toBe(records ?? 0)
    expect(why === null).toBe(taken === records)
  }
})

test('counts webhooks and collaborators apart from their repositories', () => {
  const webhooks = [{ payload_url: 'https://a.example' }, { payload_url: 'https://b.example' }]
  const repositories = [{ url: R, webhooks, collaborators: [{ user: null }] }]
  const database = tablesWith({ repositories })
  expect(lineOf(database, 'repositories')).toMatchObject({ records: 1, taken: 1 })
  expect(lineOf(database, 'webhooks')).toMatchObject({ records: 2, changed: 2 })
  expect(lineOf(database, 'collaborators')).toMatchObject({ records: 1, notTaken: 1 })
})

test('counts references to threads of other repositories as not taken', () => {
  const event = (id: number, more: object) => ({
    url: `${R}/issues/1#event-${id}`,
    issue: `${R}/issues/1`,
    event: 'closed',
    ...more,
  })
  const issue_events = [
    event(1, {}),
    event(2, { referencing_pull_request: `${R}/pull/2` }),
    event(3, { referencing_pull_request: 'https://host.example/ada/other/pull/2' }),
    event(4, { event: 'connected', subject: 'https://host.example/ada/kettle2/issues/2' }),
    event(5, { event: 'assigned', subject: 'https://host.example/ada' }),
  ]
  expect(lineOf(tablesWith({ issue_events }), 'issue_events')).toMatchObject({
    records: 5,
    taken: 3,
    notTaken: 2,
    known: 'documented',
  })
})

test('counts Git LFS objects in the archive, and names them if there are none', async () => {
  const { database } = await loaded({ ...BARE, 'git-lfs/ab/ab/abab': 'large' })
  expect(lineOf(database, 'Git LFS objects')).toMatchObject({ records: 1, notTaken: 1 })
  expect(lineOf(tablesWith(), 'Git LFS objects')).toMatchObject({ records: null, notTaken: 0 })
})

test('knows of no importer that takes an unknown kind', async () => {
  const record = { type: 'brew', url: `${R}/brews/1` }
  const { database } = await loaded({ 'brews_000001.json': [record] })
  expect(lineOf(database, 'brews')).toMatchObject({ records: 1, notTaken: 1, known: 'guessed' })
})
