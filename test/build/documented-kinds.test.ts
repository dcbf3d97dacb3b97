import { describe, expect, it } from 'vitest'
import { user } from '../support/archives.ts'
import { built, builtFiles, builtUrls } from '../support/build.ts'
import type { Files } from '../support/build-tar.ts'
import { columnOf, loaded } from '../support/load.ts'
import { THOROUGH } from '../support/thorough.ts'

const HOST = 'https://host.example'
const url = (path: string) => `${HOST}/${path}`
const REPOSITORY = 'acme/tools'

const archive: Files = {
  'schema.json': { version: '1.0.1' },
  'users_000001.json': [user('ada')],
  'bots_000001.json': [{ ...user('helper[bot]'), type: 'user' }],
  'repositories_000001.json': [
    {
      type: 'repository',
      url: url(REPOSITORY),
      owner: url('ada'),
      git_url: `tarball://root/repositories/${REPOSITORY}.git`,
    },
  ],
  'issues_000001.json': [
    { type: 'issue', url: url(`${REPOSITORY}/issues/1`), repository: url(REPOSITORY) },
  ],
  'pull_requests_000001.json': [
    {
      type: 'pull_request',
      url: url(`${REPOSITORY}/pull/2`),
      repository: url(REPOSITORY),
      user: url('helper[bot]'),
    },
  ],
  'pull_request_review_threads_000001.json': [
    {
      type: 'pull_request_review_thread',
      url: url(`${REPOSITORY}/pull/2/threads/1`),
      pull_request: url(`${REPOSITORY}/pull/2`),
    },
  ],
  'pull_request_review_comments_000001.json': [
    {
      type: 'pull_request_review_comment',
      url: url(`${REPOSITORY}/pull/2#discussion_r1`),
      pull_request: url(`${REPOSITORY}/pull/2`),
      pull_request_review_thread: url(`${REPOSITORY}/pull/2/threads/1`),
      user: url('ada'),
    },
  ],
  'attachments_000001.json': [
    {
      type: 'attachment',
      url: url('user-attachments/assets/a1'),
      issue: url(`${REPOSITORY}/issues/1`),
      asset_url: 'tarball://root/attachments/a1/x.png',
    },
  ],
  'repository_files_000001.json': [
    {
      type: 'repository_file',
      url: url(`${REPOSITORY}/files/1`),
      repository: url(REPOSITORY),
      file_url: 'tarball://root/repository_files/1/x.txt',
    },
  ],
  'releases_000001.json': [
    {
      type: 'release',
      url: url(`${REPOSITORY}/releases/tag/v1`),
      repository: url(REPOSITORY),
      release_assets: [{ asset_url: 'tarball://root/releases/r1/x.zip' }],
    },
  ],
  'projects_000001.json': [{ type: 'project', url: url(`${REPOSITORY}/projects/1`) }],
  'attachments/a1/x.png': 'png',
  'repository_files/1/x.txt': 'txt',
  'releases/r1/x.zip': 'zip',
  [`repositories/${REPOSITORY}.git/HEAD`]: 'ref',
}

const namesOf = (files: object) =>
  Object.keys(files).map((path) => path.replace('_000001.json', ''))

describe('An archive without', () => {
  it('some kinds has none of their records and none of their files', async () => {
    const { database } = await loaded(archive)
    const files = await builtFiles(database, {
      repositories: [REPOSITORY],
      withoutKinds: ['attachments', 'repository_files', 'projects'],
    })
    expect(namesOf(files).sort()).toEqual([
      'bots',
      'issues',
      'pull_request_review_comments',
      'pull_request_review_threads',
      'pull_requests',
      'releases',
      'releases/r1/x.zip',
      'repositories',
      `repositories/${REPOSITORY}.git/HEAD`,
      'schema.json',
      'users',
    ])
  })

  it('a kind has nobody whom only its records name', THOROUGH, async () => {
    const { database } = await loaded(archive)
    const withoutKinds = ['pull_requests']
    expect(
      await builtUrls(database, { withoutKinds, repositories: [REPOSITORY] }),
    ).not.toHaveProperty('bots_000001.json')
  })

  it('some roles has all other files', THOROUGH, async () => {
    const { database } = await loaded(archive)
    const files = await builtFiles(database, { withoutRoles: ['git', 'release-asset'] })
    expect(namesOf(files).filter((path) => path.includes('/'))).toEqual([
      'attachments/a1/x.png',
      'repository_files/1/x.txt',
    ])
  })

  it('a kind that nobody knows is refused', async () => {
    const { database } = await loaded(archive)
    await expect(built(database, { withoutKinds: ['isues'] })).rejects.toMatchObject({
      code: 'kind-not-found',
    })
  })
})

describe('An archive of the documented kinds', () => {
  const documented = { archiveKinds: 'documented', repositories: [REPOSITORY] } as const

  it('has the names of the documentation, and only attachments and Git data as files', async () => {
    const { database } = await loaded(archive)
    expect(namesOf(await builtFiles(database, documented)).sort()).toEqual([
      'attachments',
      'attachments/a1/x.png',
      'issues',
      'projects',
      'pull_requests',
      'releases',
      'repositories',
      `repositories/${REPOSITORY}.git/HEAD`,
      'review_comments',
      'schema.json',
      'users',
    ])
  })

  it('has bots among the users', THOROUGH, async () => {
    const { database } = await loaded(archive)
    const urls = await builtUrls(database, documented)
    expect(urls['users_000001.json']).toEqual([url('ada'), url('helper[bot]')])
  })

  it(
    'is loaded by the types of its records, not by the names of their files',
    THOROUGH,
    async () => {
      const { database } = await loaded(archive)
      const again = await loaded(await built(database, documented))
      expect(columnOf(again.database, 'SELECT url FROM pull_request_review_comments')).toEqual([
        url(`${REPOSITORY}/pull/2#discussion_r1`),
      ])
      expect(columnOf(again.database, 'SELECT count(*) FROM review_comments')).toEqual([0])
    },
  )
})
