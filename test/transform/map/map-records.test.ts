import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { sealHeader } from '../../../src/archive/tar/tar-header.ts'
import type { Problem } from '../../../src/base/errors.ts'
import { type Database, openDatabase } from '../../../src/database/open-database.ts'
import { diffDatabases } from '../../../src/transform/diff/diff-databases.ts'
import type { IdentityMap } from '../../../src/transform/map/identity-map.ts'
import { mapDatabase } from '../../../src/transform/map/map-database.ts'
import { type MapOptions, mapRecords } from '../../../src/transform/map/map-records.ts'
import { filesOf, HOST, worlds } from '../../support/arbitrary-world.ts'
import { built, unpack } from '../../support/build.ts'
import { type Files, tarOf } from '../../support/build-tar.ts'
import { listOf } from '../../support/entries.ts'
import { folderOf } from '../../support/folder.ts'
import { loaded, opened } from '../../support/load.ts'
import { loadOnce } from '../../support/load-once.ts'
import { runs } from '../../support/property-runs.ts'
import { everyDay, THOROUGH } from '../../support/thorough.ts'

const url = (path: string) => `${HOST}/${path}`
const pairs = (all: Record<string, string>) =>
  Object.entries(all).map(([old, now]) => ({ old, new: now, place: `${old}=${now}` }))

const mapOf = ({
  hosts = {},
  logins = {},
  repositories = {},
}: Partial<Record<keyof IdentityMap, Record<string, string>>>): IdentityMap => ({
  hosts: pairs(hosts),
  logins: pairs(logins),
  repositories: pairs(repositories),
})

const GIT = 'repositories/acme/tools.git'

const FILES: Files = {
  'schema.json': { version: '1.2.0' },
  'urls.json': { user: `${HOST}/{login}` },
  'users_000001.json': ['Ada', 'adam', 'bob'].map((login) => ({
    type: 'user',
    url: url(login),
    login,
    name: login,
    emails: [],
    website: url(login),
  })),
  'organizations_000001.json': [
    { type: 'organization', url: url('acme'), login: 'acme', members: [{ user: url('Ada') }] },
  ],
  'repositories_000001.json': [
    {
      type: 'repository',
      url: url('acme/tools'),
      owner: url('acme'),
      name: 'tools',
      labels: [{ url: url('acme/tools/labels/bug'), name: 'bug', description: 'ask @ada' }],
      git_url: `tarball://root/${GIT}`,
    },
  ],
  'teams_000001.json': [
    {
      type: 'team',
      url: url('orgs/acme/teams/core'),
      organization: url('acme'),
      members: [{ user: url('adam') }],
    },
  ],
  'issues_000001.json': [
    {
      type: 'issue',
      url: url('acme/tools/issues/1'),
      repository: url('acme/tools'),
      user: url('Ada'),
      assignees: [url('adam'), url('Ada')],
      labels: [url('acme/tools/labels/bug')],
      reactions: [{ user: url('bob'), content: '+1' }],
      title: 'For @ada',
      body: null,
    },
  ],
  'gadgets_000001.json': [
    {
      type: 'gadget',
      url: url('acme/tools/gadgets/1'),
      by: url('Ada'),
      note: `by ${url('Ada')}`,
      login: 'Ada',
    },
  ],
  [`${GIT}/HEAD`]: 'ref: refs/heads/main\n',
  [`${GIT}/refs/heads/main`]: `${'1'.repeat(40)}\n`,
  [`${GIT}/info/nwo`]: 'acme/tools\n',
}

/** The files of the archive that a mapped copy builds. */
async function mapped(map: IdentityMap, files: Files = FILES, options: MapOptions = {}) {
  const { database } = await loaded(files)
  const report = mapRecords(database, map, options)
  return { report, database, files: (await unpack(await built(database))).files }
}

const textOf = async (body: string, map: IdentityMap, options: MapOptions = {}) => {
  const [issue] = FILES['issues_000001.json'] as object[]
  const { database } = await loaded({ ...FILES, 'issues_000001.json': [{ ...issue, body }] })
  mapRecords(database, map, options)
  return database.prepare('SELECT body FROM issues').pluck().get()
}

it('Of a file with renamed people, only their records are held against the rules', async () => {
  // Neither has members that importers require.
  const users = ['ada', 'bob'].map((login) => ({ type: 'user', url: url(login), login, name: 5 }))
  const { database } = await loaded({ ...FILES, 'users_000001.json': users })
  const folder = await folderOf({})
  const records = new Set<unknown>()
  await mapDatabase(database, join(folder, 'out.tar.gz'), mapOf({ logins: { bob: 'grace' } }), {
    report: ({ place }) => records.add(`${place.entry} ${place.record}`),
  })
  expect([...records].filter((place) => String(place).startsWith('users'))).toEqual([
    'users_000001.json 2',
  ])
})

describe('A login', () => {
  it('is renamed wherever it stands, and no other that begins like it', async () => {
    const { files, report } = await mapped(mapOf({ logins: { ada: 'grace' } }))
    expect(JSON.parse(files['users_000001.json'] as string)).toEqual([
      expect.objectContaining({
        url: url('grace'),
        login: 'grace',
        name: 'Ada',
        website: url('grace'),
      }),
      expect.objectContaining({ url: url('adam'), login: 'adam' }),
      expect.objectContaining({ url: url('bob') }),
    ])
    expect(JSON.parse(files['issues_000001.json'] as string)).toEqual([
      expect.objectContaining({
        user: url('grace'),
        assignees: [url('adam'), url('grace')],
        title: 'For @grace',
        reactions: [{ user: url('bob'), content: '+1' }],
      }),
    ])
    expect(files['repositories_000001.json']).toContain('ask @grace')
    expect(report.inverse.logins).toEqual([{ old: 'grace', new: 'Ada' }])
    expect(report.respelt).toBe(2)
  })

  it('of unknown kinds is renamed where it is a URL, and counted elsewhere', THOROUGH, async () => {
    const map = mapOf({ logins: { Ada: 'grace' } })
    const { files, report } = await mapped(map)
    const [gadget] = JSON.parse(files['gadgets_000001.json'] as string)
    expect(gadget).toMatchObject({ by: url('grace'), note: `by ${url('Ada')}`, login: 'Ada' })
    expect(report.leftAlone).toBe(1)
    const everywhere = await mapped(map, FILES, { textsEverywhere: true })
    expect(everywhere.files['gadgets_000001.json']).toContain(`by ${url('grace')}`)
  })

  it(
    'of an owner is renamed in repositories, labels, teams and paths of Git data',
    THOROUGH,
    async () => {
      const { files, database } = await mapped(mapOf({ logins: { acme: 'emca' } }))
      expect(Object.keys(files)).toEqual(
        expect.arrayContaining([
          'repositories/emca/tools.git/HEAD',
          'repositories/emca/tools.git/info/nwo',
        ]),
      )
      expect(files['repositories/emca/tools.git/info/nwo']).toBe('emca/tools\n')
      expect(JSON.stringify(files)).not.toContain('acme')
      expect(database.prepare('SELECT DISTINCT repository FROM refs').pluck().all()).toEqual([
        'emca/tools',
      ])
      expect(files['teams_000001.json']).toContain(url('orgs/emca/teams/core'))
    },
  )

  const TEXTS = [
    ['see https://forge.example/ada.', 'see https://forge.example/grace.'],
    [
      '[a](https://forge.example/ada) <https://forge.example/ada/x>',
      '[a](https://forge.example/grace) <https://forge.example/grace/x>',
    ],
    [
      'https://forge.example/adam, https://forge.example/ada-x',
      'https://forge.example/adam, https://forge.example/ada-x',
    ],
    ['http://www.forge.example/ADA?tab=x', 'http://www.forge.example/grace?tab=x'],
    [
      'https://other.example/ada xhttps://forge.example/ada',
      'https://other.example/ada xhttps://forge.example/ada',
    ],
    ['@ada, (@Ada) and @ada.', '@grace, (@grace) and @grace.'],
    [
      'me@ada.example /@ada @adam @ada-x @ada/kettle @ada@x @ada.js',
      'me@ada.example /@ada @adam @ada-x @ada/kettle @ada@x @ada.js',
    ],
    [
      '`@ada` and\n```\n@ada\n```\n@ada ``x ` @ada`` `@ada',
      '`@ada` and\n```\n@ada\n```\n@grace ``x ` @ada`` `@grace',
    ],
    [
      'ada/kettle#3, ada/kettle@c0ffee1, x/ada/kettle#3, ada/kettle',
      'grace/kettle#3, grace/kettle@c0ffee1, x/ada/kettle#3, ada/kettle',
    ],
    ['@acme/core', '@emca/core'],
    ['a\0b \ud83d\ude00 @ada\r\n', 'a\0b \ud83d\ude00 @grace\r\n'],
  ] as const
  /** What each text becomes, in one archive of them all. */
  let texts: Map<string, string>
  beforeAll(async () => {
    const [issue] = FILES['issues_000001.json'] as object[]
    const issues = TEXTS.map(([body], i) => ({
      ...issue,
      url: url(`acme/tools/issues/${i}`),
      body,
    }))
    const folder = await mkdtemp(join(tmpdir(), 'migration-archive-'))
    const path = join(folder, 'it.db')
    await loadOnce([tarOf({ ...FILES, 'issues_000001.json': issues })], path, {})
    const database = openDatabase(path, { readonly: false })
    mapRecords(database, mapOf({ logins: { Ada: 'grace', acme: 'emca' } }))
    const bodies = database.prepare('SELECT body FROM issues ORDER BY _record_number').pluck().all()
    texts = new Map(TEXTS.map(([body], i) => [body, bodies[i] as string]))
    database.close()
    await rm(folder, { recursive: true })
  })
  it.each(TEXTS)('in the text %j becomes %j', (before, after) => {
    expect(texts.get(before)).toBe(after)
  })

  it('may have full stops, as on other hosts, and underscores', THOROUGH, async () => {
    const there = mapOf({ logins: { Ada: 'first.last', bob: 'b_corp' } })
    const text = `@ada. bob/kit#1 ${url('ada')}. @bob`
    const now = `@first.last. b_corp/kit#1 ${url('first.last')}. @b_corp`
    expect(await textOf(text, there)).toBe(now)
    const files: Files = {
      'users_000001.json': ['first.last', 'b_corp'].map((login) => ({
        type: 'user',
        url: url(login),
        login,
      })),
    }
    const back = mapOf({ logins: { 'first.last': 'ada', b_corp: 'bob' } })
    const issue = { type: 'issue', url: url('acme/tools/issues/1') }
    const { database } = await loaded({
      ...files,
      'issues_000001.json': [{ ...issue, body: `${now} @first @first.lasting` }],
    })
    mapRecords(database, back)
    expect(database.prepare('SELECT body FROM issues').pluck().get()).toBe(
      `${text} @first @first.lasting`,
    )
  })

  it(
    'in code is renamed on request, and mentions are left alone on request',
    THOROUGH,
    async () => {
      const map = mapOf({ logins: { Ada: 'grace' } })
      expect(await textOf('`@ada` @ada', map, { mentions: 'code' })).toBe('`@grace` @grace')
      expect(await textOf('`@ada` @ada', map, { mentions: 'none' })).toBe('`@ada` @ada')
    },
  )
})

it('A repository is renamed with its path, name and short references', THOROUGH, async () => {
  const map = mapOf({ repositories: { 'acme/tools': 'adam/kit' } })
  const { files } = await mapped(map)
  expect(JSON.parse(files['repositories_000001.json'] as string)[0]).toMatchObject({
    url: url('adam/kit'),
    name: 'kit',
    owner: url('adam'),
    git_url: 'tarball://root/repositories/adam/kit.git',
  })
  expect(Object.keys(files)).toContain('repositories/adam/kit.git/refs/heads/main')
  expect(await textOf(`${url('acme/tools.git')} acme/tools#4 ${url('acme/tools2')}`, map)).toBe(
    `${url('adam/kit.git')} adam/kit#4 ${url('acme/tools2')}`,
  )
})

it(
  'A repository that moves takes its owner and the folder of that along, there and back',
  THOROUGH,
  async () => {
    const tar = tarOf(FILES, { directories: true })
    const { database } = await loaded(tar)
    const folder = await folderOf()
    const problems: string[] = []
    const report = ({ code, place }: Problem) => void problems.push(`${code} ${place.member}`)
    const moveTo = async (source: Database, old: string, now: string) => {
      const path = join(folder, `${now.replace('/', '-')}.db`)
      await mapDatabase(source, path, mapOf({ repositories: { [old]: now } }))
      return opened(path)
    }
    const moved = await moveTo(database, 'acme/tools', 'nobody/kit')
    const { files } = await unpack(await built(moved, { report, allowInvalid: true }))
    expect(JSON.parse(files['repositories_000001.json'] as string)[0].owner).toBe(url('nobody'))
    expect(problems).toContain('reference-person owner')
    const folders = moved
      .prepare("SELECT path FROM entries WHERE path LIKE 'repositories/%/'")
      .pluck()
    expect(folders.all()).toEqual(expect.arrayContaining(['repositories/nobody/']))
    expect(folders.all()).not.toContain('repositories/acme/')
    const back = await moveTo(moved, 'nobody/kit', 'acme/tools')
    expect(await built(back, { allowInvalid: true })).toEqual(
      await built(database, { allowInvalid: true }),
    )
  },
)

it('A host is renamed in every URL and in urls.json', THOROUGH, async () => {
  const { files } = await mapped(mapOf({ hosts: { [HOST]: 'https://new.example' } }), FILES, {
    textsEverywhere: true,
  })
  expect(JSON.stringify(files)).not.toContain('forge.example')
  expect(files['urls.json']).toContain('https://new.example/{login}')
})

it('www. and the scheme stay in front of a host that gets another name', THOROUGH, async () => {
  const text = 'http://forge.example/x https://www.forge.example https://WWW.forge.example/Ada'
  const now = 'http://new.example/x https://www.new.example https://WWW.new.example/Ada'
  const there = mapOf({ hosts: { [HOST]: 'https://new.example' } })
  expect(await textOf(text, there)).toBe(now)
  const plain = mapOf({ hosts: { [HOST]: 'http://new.example' } })
  expect(await textOf(`${HOST}/x`, plain)).toBe('http://new.example/x')
})

it('A company that is a mention follows its organization', THOROUGH, async () => {
  const company = '@acme, formerly acme'
  const ada = { type: 'user', url: url('Ada'), login: 'Ada', company }
  const { database } = await mapped(mapOf({ logins: { acme: 'emca' } }), {
    ...FILES,
    'users_000001.json': [ada],
  })
  expect(database.prepare('SELECT company FROM users').pluck().get()).toBe('@emca, formerly acme')
})

it('Headers of long names keep their mode and owner, there and back', THOROUGH, async () => {
  const name = `${GIT}/refs/heads/${'l'.repeat(120)}`
  const source = tarOf({ ...FILES, [name]: '1'.repeat(40) })
  // The header of the name has another owner than that of the file, as GNU tar writes it.
  const at = source.indexOf('././@LongLink')
  source.write('root', at + 265)
  sealHeader(source.subarray(at, at + 512))
  const { database } = await loaded(source)
  const before = await built(database)
  mapRecords(database, mapOf({ repositories: { 'acme/tools': 'adam/kit' } }))
  const between = gunzipSync(await built(database))
  expect(between.toString('latin1', between.indexOf('././@LongLink') + 265).slice(0, 4)).toBe(
    'root',
  )
  mapRecords(database, mapOf({ repositories: { 'adam/kit': 'acme/tools' } }))
  expect(Buffer.compare(await built(database), before)).toBe(0)
})

it(
  'Headers of ustar keep their owner, there and back, or it is said that they have no room',
  THOROUGH,
  async () => {
    const name = `${GIT}/refs/heads/${'l'.repeat(90)}`
    const source = tarOf({ ...FILES, [name]: '1'.repeat(40) }, { dialect: 'ustar' })
    const ends = source.indexOf('l'.repeat(90))
    const at = ends - (ends % 512)
    source.write('somebody', at + 265)
    sealHeader(source.subarray(at, at + 512))
    const { database } = await loaded(source)
    const before = await built(database)
    const there = mapRecords(database, mapOf({ repositories: { 'acme/tools': 'adam/kit' } }))
    expect(there.usualHeaders).toBe(0)
    expect(gunzipSync(await built(database)).includes('somebody')).toBe(true)
    mapRecords(database, mapOf({ repositories: { 'adam/kit': 'acme/tools' } }))
    expect(Buffer.compare(await built(database), before)).toBe(0)
    const long = mapOf({ repositories: { 'acme/tools': `${'a'.repeat(90)}/${'b'.repeat(90)}` } })
    expect(mapRecords(database, long).usualHeaders).toBeGreaterThan(0)
  },
)

it('Chains and swaps are done at once', THOROUGH, async () => {
  const map = mapOf({ logins: { Ada: 'bob', bob: 'Ada', adam: 'eve' } })
  const { database, files } = await mapped(map)
  expect(database.prepare('SELECT login, name FROM users ORDER BY rowid').raw().all()).toEqual([
    ['bob', 'Ada'],
    ['eve', 'adam'],
    ['Ada', 'bob'],
  ])
  expect(files['issues_000001.json']).toContain('For @bob')
})

describe('A map is refused', () => {
  everyDay(1)([
    [
      mapOf({ logins: { Ada: 'eve', bob: 'EVE' } }),
      '"EVE" is the new name of two: see also Ada=eve',
    ],
    [
      { ...mapOf({}), logins: [...pairs({ ada: 'x' }), ...pairs({ Ada: 'y' })] },
      '"Ada" has two new names: see also ada=x',
    ],
    [
      { ...mapOf({}), logins: [...pairs({ ada: 'x' }), ...pairs({ Ada: 'X' })] },
      '"Ada" is there twice: see also ada=x',
    ],
    [mapOf({ logins: { Ada: 'bob' } }), '"bob" is there already and keeps its name'],
    [
      mapOf({ repositories: { 'x/y': 'acme/tools' } }),
      '"acme/tools" is there already and keeps its name',
    ],
    [
      mapOf({ hosts: { 'https://x.example': HOST } }),
      `"${HOST}" is there already and keeps its name`,
    ],
    [
      mapOf({ hosts: { 'https://a.example/x': 'https://b.example' } }),
      'expected a host such as https://a.example, found "https://a.example/x"',
    ],
    [
      mapOf({ hosts: { 'a.example': 'https://b.example' } }),
      'expected a host such as https://a.example, found "a.example"',
    ],
    [
      mapOf({ hosts: { 'https://a.example': 'https://a.example.org' } }),
      'the old host "a.example" is a part of the new one',
    ],
    [mapOf({ logins: { Ada: 'a b' } }), 'expected a login, found "a b"'],
    [mapOf({ logins: { Ada: 'x.git' } }), 'expected a login, found "x.git"'],
    [mapOf({ logins: { Ada: '.x' } }), 'expected a login, found ".x"'],
    [mapOf({ repositories: { 'acme/tools': 'acme/..' } }), 'expected owner/name, found "acme/.."'],
  ])('%#: %s', async (map, message) => {
    const { database } = await loaded(FILES)
    expect(() => mapRecords(database, map)).toThrow(message)
    expect(database.prepare('SELECT count(*) FROM users').pluck().get()).toBe(3)
  })

  it('that lacks somebody, if that matters', async () => {
    const map = mapOf({ logins: { Ada: 'grace', acme: 'emca' } })
    await expect(mapped(map, FILES, { unmapped: 'refuse' })).rejects.toMatchObject({
      code: 'map-incomplete',
      message: '2 people have no new name: adam, bob',
    })
  })
})

describe('On arbitrary archives', () => {
  const names = ['ada', 'adam', 'ada-x', 'bo', 'bob', 'Grace', 'x', 'acme', 'ac']
  const maps = fc
    .shuffledSubarray(names, { minLength: 1, maxLength: 5 })
    .chain((old) =>
      fc.tuple(
        fc.constant(old),
        fc.shuffledSubarray([...old, 'new-a', 'new.b', 'adam2'], {
          minLength: old.length,
          maxLength: old.length,
        }),
      ),
    )
    .map(([old, now]) => Object.fromEntries(old.map((name, i) => [name, now[i] as string])))

  it('a map of nothing builds the same bytes', THOROUGH, async () => {
    await fc.assert(
      fc.asyncProperty(worlds, async (world) => {
        const { database } = await loaded(filesOf(world))
        const whole = await built(database)
        mapRecords(database, mapOf({}))
        expect((await built(database)).equals(whole)).toBe(true)
      }),
      { numRuns: runs(10) },
    )
  })

  it(
    'there and back builds the same bytes, also after swaps and for a new host',
    THOROUGH,
    async () => {
      await fc.assert(
        fc.asyncProperty(worlds, maps, fc.boolean(), async (world, logins, moves) => {
          const { database } = await loaded(filesOf(world))
          const whole = await built(database)
          const hosts: Record<string, string> = moves ? { [HOST]: 'https://new.example:8443' } : {}
          const report = mapRecords(database, mapOf({ logins, hosts }))
          fc.pre(report.respelt + report.taken === 0)
          const back = report.inverse
          const asMap = {
            hosts: back.hosts.map((each) => ({ ...each, place: 'back' })),
            logins: back.logins.map((each) => ({ ...each, place: 'back' })),
            repositories: [],
          }
          mapRecords(database, asMap)
          expect(await unpack(await built(database))).toEqual(await unpack(whole))
          expect((await built(database)).equals(whole)).toBe(true)
        }),
        { numRuns: runs(15) },
      )
    },
  )

  it(
    'no old name is left as a whole, and references still lead where they led',
    THOROUGH,
    async () => {
      await fc.assert(
        fc.asyncProperty(worlds, async (world) => {
          const { database } = await loaded(filesOf(world))
          const dangling = (of: Database) =>
            of
              .prepare(
                'SELECT count(*) FROM issues WHERE user NOT IN (SELECT url FROM people WHERE url IS NOT NULL)',
              )
              .pluck()
              .get()
          const before = dangling(database)
          mapRecords(database, mapOf({ logins: { ada: 'new-a', bo: 'new-b', acme: 'ac-2' } }))
          expect(dangling(database)).toBe(before)
          const { files } = await unpack(await built(database))
          const text = Object.entries(files).flat().join('\n')
          expect(text).not.toMatch(
            /(?:forge\.example\/(?:orgs\/)?|repositories\/|[^\w]@)(?:ada|bo|acme)(?![\w-])/,
          )
        }),
        { numRuns: runs(10) },
      )
    },
  )

  it('a database written differs from its source in nothing else', THOROUGH, async () => {
    const { database } = await loaded(FILES)
    const output = join(await folderOf(), 'new.db')
    await mapDatabase(database, output, mapOf({ logins: { bob: 'eve' } }))
    const after = openDatabase(output)
    const changes = await listOf(diffDatabases(database, after))
    after.close()
    expect(changes.map(({ kind, url, change }) => [kind, url?.split('/').pop(), change])).toEqual([
      ['issues', '1', 'changed'],
      ['users', 'bob', 'removed'],
      ['users', 'eve', 'added'],
    ])
    await expect(mapDatabase(database, output, mapOf({}))).rejects.toMatchObject({
      code: 'output-exists',
    })
  })
})

it(
  'The report lists what the way back would change, what was left alone, and names that nothing has',
  THOROUGH,
  async () => {
    const [issue] = FILES['issues_000001.json'] as object[]
    const { database } = await loaded({
      ...FILES,
      'issues_000001.json': [{ ...issue, body: 'of @ada, not @Countess' }],
    })
    const report = mapRecords(
      database,
      mapOf({ logins: { Ada: 'countess', nobody: 'x' }, repositories: { 'acme/gone': 'acme/x' } }),
    )
    const place = { kind: 'issues', url: url('acme/tools/issues/1') }
    expect(report.places.respelt).toContainEqual({ ...place, member: 'body' })
    expect(report.places.respelt).toContainEqual({ ...place, member: 'title' })
    expect(report.places.taken).toEqual([{ ...place, member: 'body' }])
    expect(report.places.leftAlone).toEqual([
      { kind: 'gadgets', url: url('acme/tools/gadgets/1'), member: 'note' },
    ])
    expect(report.unknown).toEqual(['nobody', 'acme/gone'])
    expect(report.commits).toBeNull()
  },
)

it('Commits with an old name in their message or the address of their author are counted', async () => {
  const { database } = await loaded(FILES)
  const insert = database.prepare(`
    INSERT INTO commits (repository, oid, tree, subject, author_name, committer_name, committer_email, parents, author_zone, committer_zone, message, author_email)
    VALUES ('acme/tools', ?, '', '', '', '', '', '[]', '', '', ?, ?)`)
  const commits = [
    ['by @ada', 'x@x.example'],
    [`see ${url('Ada')}`, 'x@x.example'],
    ['none', '12+Ada@users.noreply.host.example'],
    ['for @adam', 'ada@x.example'],
  ]
  for (const [i, commit] of commits.entries()) insert.run(`${i}`, ...commit)
  const report = mapRecords(database, mapOf({ logins: { Ada: 'countess' } }))
  expect(report.commits).toEqual({ count: 4, withOldNames: 3 })
})

it('A map that is refused leaves no output', async () => {
  const { database } = await loaded(FILES)
  const output = join(await folderOf(), 'new.tar.gz')
  await expect(
    mapDatabase(database, output, mapOf({ logins: { Ada: 'bob' } })),
  ).rejects.toMatchObject({ code: 'map-collision' })
  expect(existsSync(output)).toBe(false)
})
