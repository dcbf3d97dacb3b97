import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ArchiveError } from '../../../src/base/errors.ts'
import type { BuildOptions } from '../../../src/build/build-options.ts'
import type { Database } from '../../../src/database/open-database.ts'
import type { Selection } from '../../../src/database/rows/selection.ts'
import { filesOf, HOST, worlds } from '../../support/arbitrary-world.ts'
import { built, builtFiles, builtUrls } from '../../support/build.ts'
import { loaded } from '../../support/load.ts'
import { runs } from '../../support/property-runs.ts'
import { everyDay, THOROUGH } from '../../support/thorough.ts'

const at = (year: number) => `${year}-01-01T00:00:00Z`
const url = (path: string) => `${HOST}/${path}`

/** A repository with an issue of two comments, one of another, and a pull request that closes the first. */
const FILES = {
  'schema.json': { version: '1.2.0' },
  'users_000001.json': ['ada', 'bob', 'carol'].map((login) => ({
    type: 'user',
    url: url(login),
    login,
    name: null,
    emails: [],
    created_at: at(2018),
  })),
  'repositories_000001.json': ['acme/tools', 'beta/kit'].map((name) => ({
    type: 'repository',
    url: url(name),
    owner: url(name.split('/')[0] as string),
    labels: [{ url: url(`${name}/labels/very%20bad`), name: 'Very bad', color: 'ffffff' }],
    created_at: at(2018),
  })),
  'teams_000001.json': [
    {
      type: 'team',
      url: url('orgs/beta/teams/core'),
      organization: url('beta'),
      name: 'core',
      permissions: [],
      members: [{ user: url('carol') }],
    },
  ],
  'issues_000001.json': [
    {
      type: 'issue',
      url: url('acme/tools/issues/1'),
      repository: url('acme/tools'),
      user: url('ada'),
      title: 'One',
      body: 'one',
      created_at: at(2020),
      labels: [url('acme/tools/labels/very%20bad')],
    },
    {
      type: 'issue',
      url: url('beta/kit/issues/2'),
      repository: url('beta/kit'),
      user: url('bob'),
      title: 'Two',
      body: null,
      created_at: at(2022),
      labels: [],
      closed_at: at(2023),
    },
  ],
  'pull_requests_000001.json': [
    {
      type: 'pull_request',
      url: url('acme/tools/pull/3'),
      repository: url('acme/tools'),
      user: url('bob'),
      title: 'Three',
      body: null,
      labels: [],
      created_at: at(2021),
      close_issue_references: [{ issue: url('acme/tools/issues/1'), actor: url('bob') }],
    },
  ],
  'issue_comments_000001.json': [
    {
      type: 'issue_comment',
      url: url('acme/tools/issues/1#issuecomment-1'),
      issue: url('acme/tools/issues/1'),
      user: url('bob'),
      created_at: at(2022),
      body: `Look: ${url('acme/tools/files/9/log.txt')}.`,
    },
    {
      type: 'issue_comment',
      url: url('beta/kit/issues/2#issuecomment-2'),
      issue: url('beta/kit/issues/2'),
      user: url('ada'),
      body: 'x',
      created_at: at(2023),
    },
  ],
  'repository_files_000001.json': [
    {
      type: 'repository_file',
      url: url('acme/tools/files/9/log.txt'),
      repository: url('acme/tools'),
      user: url('carol'),
      file_name: 'log.txt',
      file_url: 'tarball://root/repository_files/9/log.txt',
      created_at: at(2022),
    },
  ],
  'repository_files/9/log.txt': 'log',
}

const names = (urls: Record<string, string[]>) =>
  Object.fromEntries(
    Object.entries(urls).map(([file, found]) => [
      file.replace(/_\d+\.json$/, ''),
      found.map((found) => found.slice(HOST.length + 1)),
    ]),
  )

const select = async (options: BuildOptions) =>
  names(await builtUrls((await loaded(FILES)).database, options))

describe('An owner', () => {
  it('selects their repositories and teams', async () => {
    expect(await select({ owners: ['BETA'] })).toEqual({
      users: ['ada', 'bob', 'carol'],
      repositories: ['beta/kit'],
      teams: ['orgs/beta/teams/core'],
      issues: ['beta/kit/issues/2'],
      issue_comments: ['beta/kit/issues/2#issuecomment-2'],
    })
  })

  it('and a repository both count', async () => {
    await expect(select({ owners: ['acme'], repositories: ['beta/*'] })).rejects.toMatchObject({
      code: 'records-not-found',
    })
  })
})

it('A pattern selects all repositories that it matches', async () => {
  const { repositories } = await select({ repositories: ['*/k?t'] })
  expect(repositories).toEqual(['beta/kit'])
})

describe('A label', () => {
  it('selects its threads with their comments, and what those link to', async () => {
    expect(await select({ labels: ['very BAD'] })).toEqual({
      users: ['ada', 'bob', 'carol'],
      repositories: ['acme/tools'],
      issues: ['acme/tools/issues/1'],
      issue_comments: ['acme/tools/issues/1#issuecomment-1'],
      repository_files: ['acme/tools/files/9/log.txt'],
    })
  })

  it('brings nothing of threads with the option none', async () => {
    expect(await select({ labels: ['Very bad'], with: 'none' })).toEqual({
      users: ['ada'],
      repositories: ['acme/tools'],
      issues: ['acme/tools/issues/1'],
    })
  })
})

it('A thread that is only referred to brings nothing', THOROUGH, async () => {
  expect(await select({ where: [{ kind: 'pull_requests', sql: 'number = 3' }] })).toEqual({
    users: ['ada', 'bob'],
    repositories: ['acme/tools'],
    issues: ['acme/tools/issues/1'],
    pull_requests: ['acme/tools/pull/3'],
  })
})

it(
  'An issue brings its author along, also one who has become an organization',
  THOROUGH,
  async () => {
    const author = {
      type: 'organization',
      url: url('ada'),
      login: 'ada',
      created_at: at(2018),
    }
    const users = FILES['users_000001.json'].filter(({ login }) => login !== 'ada')
    const files = { ...FILES, 'users_000001.json': users, 'organizations_000001.json': [author] }
    const { database } = await loaded(files)
    const where = [{ kind: 'issues', sql: 'number = 1' }]
    expect(names(await builtUrls(database, { where, with: 'none' })).organizations).toEqual(['ada'])
  },
)

it('An author selects what they wrote, and their threads with all comments', async () => {
  expect(await select({ authors: ['Bob'], kinds: ['issues', 'issue_comments'] })).toEqual({
    users: ['ada', 'bob', 'carol'],
    repositories: ['acme/tools', 'beta/kit'],
    issues: ['acme/tools/issues/1', 'beta/kit/issues/2'],
    issue_comments: ['acme/tools/issues/1#issuecomment-1', 'beta/kit/issues/2#issuecomment-2'],
    repository_files: ['acme/tools/files/9/log.txt'],
  })
})

it('States select threads', async () => {
  const { issues, pull_requests } = await select({ states: ['closed', 'merged'] })
  expect({ issues, pull_requests }).toEqual({ issues: ['beta/kit/issues/2'] })
})

it('A period has a first and a last moment, for what threads bring as well', THOROUGH, async () => {
  const since = new Date(at(2022))
  const { issues, issue_comments } = await select({ since, until: new Date(at(2023)) })
  expect(issues).toEqual(['acme/tools/issues/1', 'beta/kit/issues/2'])
  expect(issue_comments).toContain('beta/kit/issues/2#issuecomment-2')
  const shorter = await select({ since, until: new Date(Date.parse(at(2023)) - 1) })
  expect(shorter.issue_comments).toEqual(['acme/tools/issues/1#issuecomment-1'])
})

it('A query selects the records whose URLs it returns', async () => {
  const fromQuery = "SELECT url FROM threads WHERE title = 'Two'; "
  expect((await select({ fromQuery })).issues).toEqual(['beta/kit/issues/2'])
})

describe('Not', () => {
  it('leaves out the roots and what belongs to them', async () => {
    const selected = await select({ not: true, states: ['closed'] })
    expect(selected.issues).toEqual(['acme/tools/issues/1'])
    expect(selected.issue_comments).toEqual(['acme/tools/issues/1#issuecomment-1'])
    expect(selected.users).toEqual(['ada', 'bob', 'carol'])
  })

  it('is refused if a record refers to an excluded one', THOROUGH, async () => {
    const { database } = await loaded(FILES)
    const refused = (options: BuildOptions) =>
      expect(built(database, { allowInvalid: false, not: true, ...options })).rejects
    await refused({ labels: ['Very bad'] }).toMatchObject({
      code: 'reference-record',
      place: { entry: 'pull_requests_000001.json', record: 1, member: 'close_issue_references' },
    })
    await refused({ where: [{ kind: 'users', sql: "login = 'ada'" }] }).toMatchObject({
      code: 'reference-person',
    })
  })

  it(
    'can cut references: members become null, elements leave lists, and parts go too',
    THOROUGH,
    async () => {
      const { database } = await loaded(FILES)
      const bare = { not: true, cutReferences: true, with: 'none' } as const
      const cut = await built(database, { ...bare, labels: ['Very bad'] })
      const again = await loaded(cut)
      const { database: other } = again
      const list = other.prepare('SELECT close_issue_references FROM pull_requests').pluck().get()
      expect(list).toBe('[]')
      expect(other.prepare('SELECT url FROM issue_comments').pluck().all()).toEqual([
        url('beta/kit/issues/2#issuecomment-2'),
      ])
      const without = await built(database, { ...bare, where: [{ kind: 'users', sql: 'true' }] })
      const { database: third } = await loaded(without)
      expect(third.prepare('SELECT DISTINCT user FROM issues').pluck().all()).toEqual([null])
      expect(database.prepare('SELECT user FROM issues').pluck().all()).toHaveLength(2)
    },
  )

  it('leaves out the files of what it leaves out, and no others', THOROUGH, async () => {
    const { database } = await loaded({ ...FILES, 'notes.txt': 'kept' })
    const where = [{ kind: 'repository_files', sql: 'true' }]
    const files = await builtFiles(database, { not: true, where })
    expect(Object.keys(files).filter((path) => path.endsWith('.txt'))).toEqual(['notes.txt'])
  })
})

describe('A name that the database does not know is refused:', () => {
  everyDay(1)([
    [{ labels: ['very'] }, 'label-not-found', 'there is no label "very"'],
    [{ authors: ['eve'] }, 'person-not-found', 'there is no person "eve"'],
    [{ owners: ['eve'] }, 'person-not-found', 'there is no person "eve"'],
    [{ repositories: ['acme/*x'] }, 'repository-not-found', 'there is no repository "acme/*x"'],
    [{ where: [{ kind: 'isues', sql: '1' }] }, 'kind-not-found', 'there is no kind "isues"'],
  ] as [Selection, string, string][])('%o', async (selection, code, message) => {
    await expect(select(selection)).rejects.toMatchObject({ code, message })
  })
})

describe('A condition is refused', () => {
  everyDay(1)([
    ['1) UNION SELECT 0, 1, 2 WHERE (1', 'query-invalid'],
    ['1); DELETE FROM issues; --', 'query-invalid'],
    ['nothing = 1', 'query-invalid'],
    ['', 'query-invalid'],
  ])('that is not an expression: %s', async (sql, code) => {
    await expect(select({ where: [{ kind: 'issues', sql }] })).rejects.toMatchObject({ code })
  })

  everyDay(1)([
    ['DELETE FROM issues RETURNING url', 'query-writes'],
    ["ATTACH 'x.db' AS x", 'query-writes'],
    ['SELECT url, title FROM issues', 'query-invalid'],
    ['SELECT 1; SELECT 2', 'query-invalid'],
  ])('in a query that does more: %s', async (fromQuery, code) => {
    const { database } = await loaded(FILES)
    await expect(builtUrls(database, { fromQuery })).rejects.toMatchObject({ code })
    expect(database.prepare('SELECT count(*) FROM issues').pluck().get()).toBe(2)
  })
})

describe('On arbitrary archives', () => {
  const selections: fc.Arbitrary<Selection> = fc.oneof(
    fc.record(
      {
        labels: fc.constant(['bug']),
        authors: fc.constantFrom(['bob'], ['Grace']),
        states: fc.constantFrom(['open' as const], ['closed' as const, 'merged' as const]),
        since: fc.constantFrom(new Date(at(2020)), new Date(at(2022))),
        until: fc.constantFrom(new Date(at(2021)), new Date(at(2023))),
        owners: fc.constantFrom(['acme'], ['ac']),
        kinds: fc.constantFrom(['issues'], ['issues', 'issue_comments']),
        where: fc.constant([{ kind: 'issues', sql: 'number > 1' }]),
        with: fc.constantFrom('threads' as const, 'none' as const),
      },
      { requiredKeys: [] },
    ),
  )

  /** The archive that a selection builds; undefined if nothing is selected. */
  const selected = async (database: Database, selection: BuildOptions) => {
    try {
      return await built(database, selection)
    } catch (error) {
      if (error instanceof ArchiveError && /-not-found$/.test(error.code)) return undefined
      throw error
    }
  }

  it('selecting twice is selecting once', THOROUGH, async () => {
    await fc.assert(
      fc.asyncProperty(worlds, selections, async (world, selection) => {
        const { database } = await loaded(filesOf(world))
        const once = await selected(database, selection)
        if (!once) return
        const { database: part } = await loaded(once)
        const twice = await selected(part, selection)
        expect(twice && (await builtUrls((await loaded(twice)).database))).toEqual(
          await builtUrls(part),
        )
      }),
      { numRuns: runs(15) },
    )
  })

  it('every reference in a selection leads somewhere, or led nowhere before', async () => {
    await fc.assert(
      fc.asyncProperty(worlds, selections, async (world, selection) => {
        const { database } = await loaded(filesOf(world))
        const once = await selected(database, selection)
        if (!once) return
        const { database: part } = await loaded(once)
        const people = (of: Database) => of.prepare('SELECT url FROM people').pluck().all()
        const known = people(database)
        const named = part
          .prepare('SELECT user FROM issues UNION SELECT user FROM issue_comments')
          .pluck()
          .all()
        const kept = new Set(people(part))
        expect(named.filter((one) => known.includes(one) && !kept.has(one))).toEqual([])
        const parents = part.prepare('SELECT issue FROM issue_comments WHERE issue IS NOT NULL')
        const issues = part.prepare('SELECT url FROM issues').pluck().all()
        expect(
          parents
            .pluck()
            .all()
            .filter((one) => !issues.includes(one)),
        ).toEqual([])
      }),
      { numRuns: runs(15) },
    )
  })

  it('two repositories select what each selects', THOROUGH, async () => {
    await fc.assert(
      fc.asyncProperty(worlds, async (world) => {
        const { database } = await loaded(filesOf(world))
        const names = database
          .prepare('SELECT full_name FROM repositories')
          .pluck()
          .all() as string[]
        const [one = '', other = ''] = names
        const both = await selected(database, { repositories: [one, other] })
        const each = [
          await selected(database, { repositories: [one] }),
          await selected(database, { repositories: [other] }),
        ]
        const merged = await loaded(each as Buffer[])
        const sorted = async (of: Database) =>
          Object.values(await builtUrls(of))
            .flat()
            .sort()
        const together = (await loaded(both as Buffer)).database
        expect(await sorted(merged.database)).toEqual(await sorted(together))
      }),
      { numRuns: runs(10) },
    )
  })

  it('a selection of everything builds the same bytes', THOROUGH, async () => {
    await fc.assert(
      fc.asyncProperty(worlds, async (world) => {
        const { database } = await loaded(filesOf(world))
        const whole = await built(database)
        const where = [{ kind: 'issues', sql: 'false' }]
        expect((await built(database, { not: true, where })).equals(whole)).toBe(true)
      }),
      { numRuns: runs(10) },
    )
  })
})
