import { describe, expect, test } from 'vitest'
import { collect } from '../../../src/base/streams.ts'
import { buildArchive } from '../../../src/build/build-archive.ts'
import { checkDatabase } from '../../../src/conformance/checks/check-database.ts'
import { loadArchive } from '../../../src/load/load-archive.ts'
import { builtUrls } from '../../support/build.ts'
import { tarOf } from '../../support/build-tar.ts'
import { examineAt } from '../../support/by-path.ts'
import { columnOf, loaded, recordFile, rowsOf, sourceOf } from '../../support/load.ts'
import { everyDay, THOROUGH } from '../../support/thorough.ts'

const ADA = 'https://forge.example/ada'
const user = { type: 'user', url: ADA, login: 'ada', name: 'Ada' }
const bot = { type: 'user', url: ADA, login: 'ada', name: 'Ada, a bot' }
const organization = { type: 'organization', url: ADA, login: 'ada', name: 'Ada and friends' }

const RECORDS = { users: user, bots: bot, organizations: organization } as const
type Kind = keyof typeof RECORDS
const of = (kind: Kind) => recordFile(kind, RECORDS[kind])

const CHANGES: [before: Kind, after: Kind][] = [
  ['users', 'bots'],
  ['bots', 'users'],
  ['users', 'organizations'],
  ['organizations', 'users'],
  ['bots', 'organizations'],
]

describe('A person of one kind who is of another kind later', () => {
  everyDay(1)(CHANGES)(
    'in an archive: of %s and %s the later is kept, the other reported',
    async (before, after) => {
      const { database, problems, summary } = await loaded({ ...of(before), ...of(after) })
      expect(columnOf(database, 'SELECT name FROM people')).toEqual([RECORDS[after].name])
      expect(columnOf(database, `SELECT count(*) FROM ${before}`)).toEqual([0])
      expect(problems).toEqual([
        {
          code: 'record-duplicate',
          place: { entry: `${before}_000001.json`, record: 1 },
          message: `"${ADA}" is repeated later, in ${after}`,
          content: JSON.stringify(RECORDS[before]),
        },
      ])
      expect(summary.archives[0]?.kinds[after]).toEqual({ added: 0, replaced: 1, unchanged: 0 })
      expect(await builtUrls(database)).toEqual({ [`${after}_000001.json`]: [ADA] })
    },
  )

  everyDay(1)(CHANGES)(
    'in a later archive: %s give way to %s without a problem',
    async (before, after) => {
      const { database, path, problems, summary } = await loaded([of(before), of(after)])
      expect(rowsOf(database, 'SELECT name, kind FROM people')).toEqual([
        [RECORDS[after].name, after.slice(0, -1)],
      ])
      expect(problems).toEqual([])
      expect(summary.archives[1]?.kinds).toEqual({
        [after]: { added: 0, replaced: 1, unchanged: 0 },
      })
      expect(await builtUrls(database)).toEqual({ [`${after}_000001.json`]: [ADA] })
      expect(examineAt(path).faults).toEqual([])
    },
  )

  test('of all three kinds leaves one record', THOROUGH, async () => {
    const all = { ...of('bots'), ...of('users'), ...of('organizations') }
    const { database } = await loaded([all, of('bots')])
    expect(rowsOf(database, 'SELECT url, kind FROM people')).toEqual([[ADA, 'bot']])
  })

  test('takes the place of a row that SQL has added', THOROUGH, async () => {
    const { database, path } = await loaded(of('users'))
    database.exec(`INSERT INTO bots (url) VALUES ('${ADA}/x')`)
    await loadArchive(sourceOf(recordFile('users', { url: `${ADA}/x` })), path)
    expect(columnOf(database, 'SELECT count(*) FROM bots')).toEqual([0])
  })

  test('follows the order of records within one file', async () => {
    const { database } = await loaded(recordFile('users', organization, user))
    expect(columnOf(database, 'SELECT kind FROM people')).toEqual(['user'])
  })

  test('is found among more people than fit into a page', THOROUGH, async () => {
    const many = (kind: Kind) =>
      recordFile(
        kind,
        ...Array.from({ length: 501 }, (_, i) => ({ ...RECORDS[kind], url: `${ADA}${i}` })),
      )
    const { database, problems } = await loaded({ ...many('bots'), ...many('users') })
    expect(columnOf(database, 'SELECT count(*) FROM people')).toEqual([501])
    expect(problems).toHaveLength(501)
  })

  test('gives way in an archive that is salvaged as well', THOROUGH, async () => {
    const archive = tarOf({ ...of('users'), ...of('bots'), 'issues_000001.json': '[]' })
    const cut = archive.subarray(0, 2 * 512 + 2 * 512 + 300)
    const { database } = await loaded([of('organizations'), cut], { salvage: true })
    expect(rowsOf(database, 'SELECT kind FROM people')).toEqual([['bot']])
  })
})

test('One url of two people that SQL made is an error to check, and build refuses it', async () => {
  const { database } = await loaded(of('users'))
  database.exec(`INSERT INTO bots (url, login, name, emails, created_at)
    VALUES ('${ADA}', 'ada', 'Ada', '[]', '2024-01-31T23:59:59Z')`)
  const { findings } = await checkDatabase(database, { only: ['record-duplicate'] })
  expect(findings).toMatchObject([
    { code: 'record-duplicate', severity: 'error', count: 1, places: [{ kind: 'bots', url: ADA }] },
  ])
  await expect(collect(buildArchive(database))).rejects.toMatchObject({ code: 'record-duplicate' })
})
