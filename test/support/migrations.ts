/** Migrations for tests: a small archive, accounts, and a server to ask. */

import { rmSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll } from 'vitest'
import { sha256Of } from '../../src/server/access/accounts.ts'
import type { AccountsFile } from '../../src/server/access/accounts-file.ts'
import { type ArchiveServer, serveArchive } from '../../src/server/serve-archive.ts'
import type { ServeOptions } from '../../src/server/serve-options.ts'
import type { MigrationOptions } from '../../src/server/state/migrations.ts'
import { type Files, tarOf } from './build-tar.ts'
import { loadOnce } from './load-once.ts'

const HOST = 'https://github.com'
const url = (path: string) => `${HOST}/${path}`

const repository = (name: string, more: object = {}) => ({
  ...{ type: 'repository', url: url(name), owner: url(name.split('/')[0] as string) },
  ...{ name: name.split('/')[1], private: false, created_at: '2024-01-01T00:00:00Z', ...more },
  git_url: `tarball://root/repositories/${name}.git`,
})

const issue = (name: string, number: number) => ({
  ...{ type: 'issue', url: url(`${name}/issues/${number}`), repository: url(name) },
  ...{ user: url('ada'), title: 'It leaks', body: `Issue ${number} of ${name}` },
  created_at: '2024-01-02T00:00:00Z',
})

/** ada owns two public repositories and a private one; bob owns one, and forge two, one of them private. */
export const MIGRATION_WORLD: Files = {
  'schema.json': { version: '1.0.1' },
  'users_000001.json': ['ada', 'bob'].map((login) => ({
    ...{ type: 'user', url: url(login), login, name: login },
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
      ...{ type: 'organization', url: url('forge'), login: 'forge', name: 'Forge' },
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
      ...{ type: 'attachment', url: url('user-attachments/assets/a1') },
      ...{ issue: url('ada/kettle/issues/1'), user: url('ada') },
      asset_url: 'tarball://root/attachments/a1/leak.png',
    },
  ],
  'attachments/a1/leak.png': 'png',
  'repositories/ada/kettle.git/HEAD': 'ref: refs/heads/main\n',
  'repositories/ada/teapot.git/HEAD': 'ref: refs/heads/main\n',
}

export const WHOLE: MigrationOptions = {
  ...{ lock_repositories: false, exclude_attachments: false, exclude_metadata: false },
  ...{ exclude_git_data: false, exclude_releases: false, exclude_owner_projects: false },
}

export const LOCKING: MigrationOptions = { ...WHOLE, lock_repositories: true }

const token = (login: string, text: string, more: object = {}) => ({
  ...{ login, sha256: sha256Of(text), scopes: ['repo'], last_eight: text.slice(-8), ...more },
})

/** ada and bob with tokens `ada-token` and `bob-token`; `ada-public` has no scope. */
export const MIGRATION_ACCOUNTS: AccountsFile = {
  version: 1,
  accounts: [{ login: 'ada' }, { login: 'bob' }],
  tokens: [
    token('ada', 'ada-token'),
    token('bob', 'bob-token'),
    token('ada', 'ada-public', { scopes: [] }),
  ],
}

export const PREVIEW = 'application/vnd.github.wyandotte-preview+json'

/** An answer: JSON is parsed, anything else is text. */
export interface Told {
  status: number
  headers: Headers
  body: Readonly<Record<string, unknown>>
}

/** Sends a request as somebody; a path, or a whole address. */
export type Send = (
  method: string,
  path: string,
  more?: { as?: string; body?: unknown; headers?: Record<string, string> },
) => Promise<Told>

export const sendTo =
  (server: () => ArchiveServer): Send =>
  async (method, path, { as, body, headers } = {}) => {
    const request = new Request(new URL(path, 'http://localhost:8730'), {
      method,
      headers: { Accept: PREVIEW, ...(as && { Authorization: `token ${as}` }), ...headers },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const response = await server().fetch(request)
    const isJson = response.headers.get('content-type')?.startsWith('application/json')
    const text = await response.text()
    const { status } = response
    return { status, headers: response.headers, body: isJson ? JSON.parse(text) : { text } }
  }

export interface SharedServer {
  send: Send
  fetch(request: Request): Promise<Response>
  /** Waits until everything that was started is built. */
  idle(): Promise<void>
  /** The time of the server's clock, which stands still unless a test moves it. */
  time: { now: number }
}

/** Serves the world for the tests of a file, with a state in memory. */
export function shareMigrations(options: ServeOptions = {}): SharedServer {
  const time = { now: Date.parse('2024-02-03T04:05:06.789Z') }
  let folder: string
  let server: ArchiveServer
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'migration-archive-'))
    const path = join(folder, 'it.db')
    await loadOnce([tarOf(MIGRATION_WORLD)], path, {})
    server = await serveArchive([path], {
      ...{ accounts: MIGRATION_ACCOUNTS, state: ':memory:', pace: 0 },
      ...{ clock: () => new Date(time.now), ...options },
    })
  })
  afterAll(async () => {
    await server.close()
    rmSync(folder, { recursive: true })
  })
  const fetch = (request: Request) => server.fetch(request)
  return { send: sendTo(() => server), fetch, idle: () => server.idle(), time }
}
