import { describe, expect, it } from 'vitest'
import { user } from '../support/archives.ts'
import { builtFiles, builtUrls } from '../support/build.ts'
import type { Files } from '../support/build-tar.ts'
import { loaded } from '../support/load.ts'
import { THOROUGH } from '../support/thorough.ts'

const HOST = 'https://host.example'
const url = (path: string) => `${HOST}/${path}`
const at = (year: number) => `${year}-01-01T00:00:00Z`

const repository = (name: string) => ({
  type: 'repository',
  url: url(name),
  owner: url('acme'),
  collaborators: [{ user: url('carol'), permission: 'read' }],
  git_url: `tarball://root/repositories/${name}.git`,
  created_at: at(2020),
})

/** Two repositories of an organization, with an issue each that refer to each other's people and things. */
const archive: Files = {
  'users_000001.json': ['ada', 'bob', 'carol', 'dan', 'eve', 'frank'].map((login) => user(login)),
  'bots_000001.json': [user('helper[bot]')],
  'organizations_000001.json': [
    {
      type: 'organization',
      url: url('acme'),
      members: [{ user: url('eve') }],
      created_at: at(2019),
    },
  ],
  'repositories_000001.json': [repository('acme/tools'), repository('acme/toolshed')],
  'teams_000001.json': [
    {
      type: 'team',
      url: url('orgs/acme/teams/core'),
      organization: url('acme'),
      permissions: [
        { repository: url('acme/tools'), access: 'push' },
        { repository: url('acme/toolshed'), access: 'pull' },
      ],
      members: [{ user: url('dan') }],
    },
    {
      type: 'team',
      url: url('orgs/acme/teams/shed'),
      permissions: [{ repository: url('acme/x') }],
    },
  ],
  'milestones_000001.json': [
    { type: 'milestone', url: url('acme/tools/milestones/1'), repository: url('acme/tools') },
  ],
  'issues_000001.json': [
    {
      type: 'issue',
      url: url('acme/tools/issues/1'),
      repository: url('acme/tools'),
      user: url('ada'),
      milestone: url('acme/tools/milestones/1'),
      reactions: [{ user: url('bob') }],
      created_at: at(2021),
    },
    {
      type: 'issue',
      url: url('acme/toolshed/issues/1'),
      repository: url('acme/toolshed'),
      user: url('frank'),
      created_at: at(2022),
    },
  ],
  'pull_requests_000001.json': [
    {
      type: 'pull_request',
      url: url('acme/tools/pull/2'),
      repository: url('acme/tools'),
      user: url('helper[bot]'),
      head: { ref: 'x', user: url('acme'), repo: url('acme/toolshed') },
      close_issue_references: [{ issue: url('acme/toolshed/issues/1') }],
      created_at: at(2022),
    },
  ],
  'issue_comments_000001.json': [
    {
      type: 'issue_comment',
      url: url('acme/tools/issues/1#issuecomment-1'),
      issue: url('acme/tools/issues/1'),
      user: url('bob'),
      created_at: at(2023),
    },
  ],
  'attachments_000001.json': [
    {
      type: 'attachment',
      url: url('user-attachments/assets/a1'),
      issue: url('acme/tools/issues/1'),
      asset_url: 'tarball://root/attachments/a1/x.png',
      created_at: at(2023),
    },
  ],
  'releases_000001.json': [
    {
      type: 'release',
      url: url('acme/tools/releases/tag/v1'),
      repository: url('acme/tools'),
      release_assets: [{ asset_url: 'tarball://root/releases/r1/x.zip' }],
      created_at: at(2020),
    },
  ],
  'projects_000001.json': [
    { type: 'project', url: url('acme/tools/projects/1') },
    { type: 'project', url: url('acme/toolshed/projects/1') },
  ],
  'attachments/a1/x.png': 'png',
  'attachments/a2/y.png': 'png',
  'releases/r1/x.zip': 'zip',
  'repositories/acme/tools.git/HEAD': 'ref',
  'repositories/acme/tools.wiki.git/HEAD': 'ref',
  'repositories/acme/toolshed.git/HEAD': 'ref',
}

const pathsOf = (urls: Record<string, string[]>) =>
  Object.fromEntries(
    Object.entries(urls).map(([file, found]) => [
      file.replace('_000001.json', ''),
      found.map((found) => found.slice(HOST.length + 1)),
    ]),
  )

const select = async (options: Parameters<typeof builtUrls>[1]) =>
  pathsOf(await builtUrls((await loaded(archive)).database, options))

describe('repositories', () => {
  it('bring along people, teams and their owner, and nothing of other repositories', async () => {
    expect(await select({ repositories: ['acme/tools'] })).toEqual({
      users: ['ada', 'bob', 'carol', 'dan'],
      bots: ['helper[bot]'],
      organizations: ['acme'],
      repositories: ['acme/tools'],
      teams: ['orgs/acme/teams/core'],
      milestones: ['acme/tools/milestones/1'],
      issues: ['acme/tools/issues/1'],
      pull_requests: ['acme/tools/pull/2'],
      projects: ['acme/tools/projects/1'],
      issue_comments: ['acme/tools/issues/1#issuecomment-1'],
      attachments: ['user-attachments/assets/a1'],
      releases: ['acme/tools/releases/tag/v1'],
    })
  })

  it('bring along their Git data and the files that their records name', THOROUGH, async () => {
    const { database } = await loaded(archive)
    const files = await builtFiles(database, { repositories: ['acme/tools'] })
    expect(Object.keys(files).filter((path) => path.includes('/'))).toEqual([
      'attachments/a1/x.png',
      'releases/r1/x.zip',
      'repositories/acme/tools.git/HEAD',
      'repositories/acme/tools.wiki.git/HEAD',
    ])
    expect(Object.keys(files)).toContain('schema.json')
  })

  it('are found in any case, several at once, and even without a record', THOROUGH, async () => {
    const { database } = await loaded(archive)
    database.exec(`DELETE FROM repositories WHERE url LIKE '%shed'`)
    const urls = pathsOf(
      await builtUrls(database, { repositories: ['ACME/Tools', 'acme/toolshed'] }),
    )
    expect(urls.issues).toEqual(['acme/tools/issues/1', 'acme/toolshed/issues/1'])
    expect(urls.repositories).toEqual(['acme/tools'])
  })

  it(
    'are found by their URL, of several with one name the one that was meant',
    THOROUGH,
    async () => {
      const other = { ...repository('acme/tools'), url: 'https://other.example/acme/tools' }
      const { database } = await loaded({
        'repositories_000001.json': [repository('acme/tools'), other],
      })
      const urls = async (name: string) =>
        (await builtUrls(database, { repositories: [name] }))['repositories_000001.json']
      expect(await urls(url('acme/tools'))).toEqual([url('acme/tools')])
      expect(await urls(other.url)).toEqual([other.url])
    },
  )

  it('that do not exist are refused', async () => {
    const { database } = await loaded(archive)
    for (const repositories of [['acme/none'], ['acme/tools', 'acme/none']]) {
      await expect(builtUrls(database, { repositories })).rejects.toMatchObject({
        code: 'repository-not-found',
        message: 'there is no repository "acme/none"',
      })
    }
  })
})

describe('since', () => {
  it('brings what was made since and what that belongs to', async () => {
    expect(await select({ since: new Date(at(2023)) })).toEqual({
      users: ['ada', 'bob', 'carol'],
      organizations: ['acme'],
      repositories: ['acme/tools'],
      milestones: ['acme/tools/milestones/1'],
      issues: ['acme/tools/issues/1'],
      issue_comments: ['acme/tools/issues/1#issuecomment-1'],
      attachments: ['user-attachments/assets/a1'],
    })
  })

  it('and repositories both count', async () => {
    const urls = await select({ since: new Date(at(2022)), repositories: ['acme/toolshed'] })
    expect(urls).toEqual({
      users: ['carol', 'frank'],
      organizations: ['acme'],
      repositories: ['acme/toolshed'],
      issues: ['acme/toolshed/issues/1'],
    })
  })
})

describe('kinds', () => {
  it('bring what their records refer to', async () => {
    expect(await select({ kinds: ['milestones'] })).toEqual({
      users: ['carol'],
      organizations: ['acme'],
      repositories: ['acme/tools'],
      milestones: ['acme/tools/milestones/1'],
    })
  })

  it(
    'bring files of their own records, and Git data with repositories alone',
    THOROUGH,
    async () => {
      const { database } = await loaded(archive)
      const filesOf = async (kinds: string[]) =>
        Object.keys(await builtFiles(database, { kinds })).filter((path) => path.includes('/'))
      expect(await filesOf(['attachments'])).toEqual(['attachments/a1/x.png'])
      expect(await filesOf(['users'])).toEqual([])
      expect(await filesOf(['repositories'])).toHaveLength(3)
    },
  )

  it('that match nothing are refused', async () => {
    const { database } = await loaded(archive)
    await expect(builtUrls(database, { kinds: ['isues'] })).rejects.toMatchObject({
      code: 'kind-not-found',
    })
  })
})

it('A selection of nothing is refused', async () => {
  const { database } = await loaded(archive)
  for (const selection of [{ since: new Date(at(2050)) }, { kinds: ['discussions'] }]) {
    await expect(builtUrls(database, selection)).rejects.toMatchObject({
      code: 'records-not-found',
    })
  }
})

it('A selection is put in new files of at most 100', THOROUGH, async () => {
  const many = Array.from({ length: 101 }, (_, i) => ({
    type: 'milestone',
    url: url(`acme/tools/milestones/${i}`),
    repository: url('acme/tools'),
  }))
  const { database } = await loaded({ ...archive, 'milestones_000001.json': many })
  const urls = await builtUrls(database, { repositories: ['acme/tools'] })
  const files = Object.entries(urls).filter(([path]) => path.startsWith('milestones'))
  expect(files.map(([path, found]) => [path, found.length])).toEqual([
    ['milestones_000001.json', 100],
    ['milestones_000002.json', 1],
  ])
})
