import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { sha256Of } from '../../../src/http/access/accounts.ts'
import type { AccountsFile } from '../../../src/http/access/accounts-file.ts'
import type { ServeOptions } from '../../../src/rest/serve-options.ts'
import { serveArchive } from '../../../src/serve/serve-archive.ts'
import { cheapHash } from '../../support/cheap-hash.ts'
import { folderOf } from '../../support/folder.ts'
import { loaded } from '../../support/load.ts'
import { MIGRATION_WORLD } from '../../support/migrations.ts'
import { sendTo } from '../../support/share-migrations.ts'
import { THOROUGH } from '../../support/thorough.ts'

const accounts: AccountsFile = {
  version: 1,
  accounts: [{ login: 'ada', password: cheapHash('engine') }],
  tokens: [{ login: 'ada', sha256: sha256Of('ada-token'), scopes: ['repo'] }],
}
const ADA = { Authorization: `Basic ${Buffer.from('ada:engine').toString('base64')}` }

async function serve(path: string, state: string, options: ServeOptions = {}) {
  const told: string[] = []
  const server = await serveArchive([path], {
    accounts,
    state,
    pace: 0,
    notice: (text: string) => void told.push(text),
    ...options,
  })
  let isOpen = true
  const close = async () => {
    if (isOpen) await server.close()
    isOpen = false
  }
  onTestFinished(close)
  return { send: sendTo(() => server), idle: () => server.idle(), close, told }
}

test(
  'Two servers on one state: tokens are good at both, and each migration is done once',
  THOROUGH,
  async () => {
    const { path } = await loaded(MIGRATION_WORLD)
    const state = join(await folderOf(), 'it.serve')
    // That a migration fails takes no thread.
    const options = { fail: ['ada/kettle'] }
    const servers = [await serve(path, state, options), await serve(path, state, options)] as const
    const made = await Promise.all(
      Array.from({ length: 12 }, (_, i) =>
        servers[i % 2 === 0 ? 0 : 1].send('POST', '/authorizations', {
          headers: ADA,
          body: { note: `note ${i}`, scopes: ['repo'] },
        }),
      ),
    )
    expect(made.map(({ status }) => status)).toEqual(made.map(() => 201))
    expect(new Set(made.map(({ body }) => body.id)).size).toBe(12)
    const started = await Promise.all(
      made.slice(0, 6).map(({ body }, i) =>
        // The one has made the token, the other takes it.
        servers[i % 2 === 0 ? 1 : 0].send('POST', '/user/migrations', {
          as: body.token as string,
          body: { repositories: ['ada/kettle'] },
        }),
      ),
    )
    expect(started.map(({ status }) => status)).toEqual(started.map(() => 201))
    const statesAt = async (server: (typeof servers)[number]) => {
      const { status, body } = await server.send('GET', '/user/migrations', { as: 'ada-token' })
      expect(status).toBe(200)
      return (body as unknown as { state: string }[]).map(({ state }) => state)
    }
    for (const server of servers) {
      await expect
        .poll(() => statesAt(server), { timeout: 20_000, interval: 5 })
        .toEqual(started.map(() => 'failed'))
    }
    const failed = started.map((_, i) => `migration ${i + 1}: failed: ada/kettle was to fail`)
    // A slow start is told as well.
    const told = servers.flatMap((server) => server.told).filter((line) => !/^making/.test(line))
    expect(told.sort()).toEqual(failed)
  },
)

test(
  'A read-only server shows what others have built, gives it out, and changes nothing',
  THOROUGH,
  async () => {
    const { path } = await loaded(MIGRATION_WORLD)
    const state = join(await folderOf(), 'it.serve')
    const first = await serve(path, state)
    const body = { repositories: ['ada/kettle'], lock_repositories: true }
    const started = await first.send('POST', '/user/migrations', { as: 'ada-token', body })
    await first.idle()
    await first.close()
    const before = readdirSync(state, { recursive: true }).sort()
    const { send } = await serve(path, state, { readOnly: true })
    const url = started.body.url as string
    expect((await send('GET', url, { as: 'ada-token' })).body.state).toBe('exported')
    const { headers } = await send('GET', `${url}/archive`, { as: 'ada-token' })
    expect((await send('GET', headers.get('location') ?? '')).status).toBe(200)
    for (const [method, address] of [
      ['POST', '/user/migrations'],
      ['DELETE', `${url}/archive`],
      ['DELETE', `${url}/repos/kettle/lock`],
    ] as const) {
      expect((await send(method, address, { as: 'ada-token' })).status, address).toBe(403)
    }
    expect(readdirSync(state, { recursive: true }).sort()).toEqual(before)
  },
)

test('A read-only server without a state makes none', async () => {
  const { path } = await loaded(MIGRATION_WORLD)
  const state = join(await folderOf(), 'it.serve')
  const { send } = await serve(path, state, { readOnly: true })
  expect((await send('GET', '/user/migrations', { as: 'ada-token' })).body).toEqual([])
  expect((await send('GET', '/_archives/x.tar.gz?expires=1&signature=a')).status).toBe(403)
  expect(existsSync(state)).toBe(false)
})
