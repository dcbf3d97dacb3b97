/** A server with accounts and migrations for the tests of a file. */

import { rmSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll } from 'vitest'
import { sha256Of } from '../../src/http/access/accounts.ts'
import type { AccountsFile } from '../../src/http/access/accounts-file.ts'
import type { ServeOptions } from '../../src/rest/serve-options.ts'
import { type ArchiveServer, serveArchive } from '../../src/serve/serve-archive.ts'
import { tarOf } from './build-tar.ts'
import { loadOnce } from './load-once.ts'
import { MIGRATION_WORLD } from './migrations.ts'

const token = (login: string, text: string, more: object = {}) => ({
  login,
  sha256: sha256Of(text),
  scopes: ['repo'],
  last_eight: text.slice(-8),
  ...more,
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
      accounts: MIGRATION_ACCOUNTS,
      state: ':memory:',
      pace: 0,
      clock: () => new Date(time.now),
      ...options,
    })
  })
  afterAll(async () => {
    await server.close()
    rmSync(folder, { recursive: true })
  })
  const fetch = (request: Request) => server.fetch(request)
  return { send: sendTo(() => server), fetch, idle: () => server.idle(), time }
}
