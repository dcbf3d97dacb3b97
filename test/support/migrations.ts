/** Migrations for tests: a small archive, and options. */

import { DEFAULT_OPTIONS, type MigrationOptions } from '../../src/rest/state/migrations.ts'
import type { Files } from './build-tar.ts'

const HOST = 'https://github.com'
const url = (path: string) => `${HOST}/${path}`

const repository = (name: string, more: object = {}) => ({
  type: 'repository',
  url: url(name),
  owner: url(name.split('/')[0] as string),
  name: name.split('/')[1],
  private: false,
  created_at: '2024-01-01T00:00:00Z',
  ...more,
  git_url: `tarball://root/repositories/${name}.git`,
})

const issue = (name: string, number: number) => ({
  type: 'issue',
  url: url(`${name}/issues/${number}`),
  repository: url(name),
  user: url('ada'),
  title: 'It leaks',
  body: `Issue ${number} of ${name}`,
  created_at: '2024-01-02T00:00:00Z',
})

/** ada owns two public repositories and a private one; bob owns one, and forge two, one of them private. */
export const MIGRATION_WORLD: Files = {
  'schema.json': { version: '1.0.1' },
  'users_000001.json': ['ada', 'bob'].map((login) => ({
    type: 'user',
    url: url(login),
    login,
    name: login,
    avatar_url: `https://avatars.githubusercontent.com/u/${login === 'ada' ? 17 : 18}?v=4`,
    created_at: '2020-01-01T00:00:00Z',
  })),
  'repositories_000001.json': [
    repository('ada/kettle'),
    repository('ada/teapot'),
    repository('ada/secret', { private: true }),
    repository('bob/cup'),
    repository('forge/kettle'),
    repository('forge/anvil', { private: true }),
  ],
  'organizations_000001.json': [
    {
      type: 'organization',
      url: url('forge'),
      login: 'forge',
      name: 'Forge',
      members: [
        { user: url('ada'), role: 'admin', state: 'active' },
        { user: url('bob'), role: 'direct_member', state: 'active' },
      ],
      created_at: '2019-01-01T00:00:00Z',
    },
  ],
  'issues_000001.json': [issue('ada/kettle', 1), issue('ada/teapot', 1), issue('bob/cup', 1)],
  'attachments_000001.json': [
    {
      type: 'attachment',
      url: url('user-attachments/assets/a1'),
      issue: url('ada/kettle/issues/1'),
      user: url('ada'),
      asset_url: 'tarball://root/attachments/a1/leak.png',
    },
  ],
  'attachments/a1/leak.png': 'png',
  'repositories/ada/kettle.git/HEAD': 'ref: refs/heads/main\n',
  'repositories/ada/teapot.git/HEAD': 'ref: refs/heads/main\n',
}

export const WHOLE: MigrationOptions = DEFAULT_OPTIONS

export const LOCKING: MigrationOptions = { ...WHOLE, lock_repositories: true }
