import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createToken } from '../../src/client/authorize.ts'
import type { ClientOptions } from '../../src/client/client-options.ts'
import { deleteArchive } from '../../src/client/delete-archive.ts'
import { downloadArchive, getArchiveAddress } from '../../src/client/download/download-archive.ts'
import {
  listMigrationRepositories,
  listMigrations,
  listOwnRepositories,
} from '../../src/client/list-migrations.ts'
import { startMigration } from '../../src/client/start-migration.ts'
import { unlockRepositories } from '../../src/client/unlock-repositories.ts'
import { watchMigration } from '../../src/client/watch-migration.ts'
import { sha256Of } from '../../src/http/access/accounts.ts'
import type { AccountsFile } from '../../src/http/access/accounts-file.ts'
import { loadArchive } from '../../src/load/load-archive.ts'
import type { ServeOptions } from '../../src/rest/serve-options.ts'
import { serveArchive } from '../../src/serve/serve-archive.ts'
import { tarOf } from '../support/build-tar.ts'
import { cheapHash } from '../support/cheap-hash.ts'
import { loadOnce } from '../support/load-once.ts'
import { MIGRATION_WORLD } from '../support/migrations.ts'
import { inFolder } from '../support/run-command.ts'
import { THOROUGH } from '../support/thorough.ts'

const TOKEN = 'the-token-of-ada'
const CODE = '123456'

const accounts: AccountsFile = {
  version: 1,
  accounts: [
    {
      login: 'ada',
      password: cheapHash('engine'),
      two_factor: { delivery: 'SMS', code: CODE },
    },
  ],
  tokens: [{ login: 'ada', sha256: sha256Of(TOKEN), scopes: ['repo'] }],
}

/** A server of this project for one test, and a client of it. */
async function serve(options: ServeOptions = {}, more: Partial<ClientOptions> = {}) {
  inFolder()
  await loadOnce([tarOf(MIGRATION_WORLD)], 'served.db', {})
  const given = { port: 0, accounts, state: 'state', pace: 0, strictPreview: true, ...options }
  const server = await serveArchive(['served.db'], given)
  onTestFinished(() => server.close())
  const client: ClientOptions = {
    server: `${server.url}/api/v3`,
    token: TOKEN,
    // Polls as often as it likes, because the server is idle before the first of them.
    clock: { now: () => performance.now(), random: () => 0.5, sleep: () => server.idle() },
    ...more,
  }
  return { server, client }
}

const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => 'done',
    (error: { code: string }) => error.code,
  )

describe('The whole dialogue with a server of this project:', () => {
  it('start, wait, download, load, unlock, delete', THOROUGH, async () => {
    const { client } = await serve()
    const names = await listOwnRepositories(client)
    expect(names.toSorted()).toEqual(['ada/kettle', 'ada/secret', 'ada/teapot'])

    const { id, guid, state } = await startMigration(names, { ...client, lockRepositories: true })
    expect(state).toBe('pending')
    expect(await watchMigration(id, client)).toMatchObject({ state: 'exported', has_archive: true })
    expect(await listMigrationRepositories(id, client)).toEqual(names)

    const { sha256, bytes } = await downloadArchive(id, 'it.tar.gz', client)
    expect(sha256).toBe(hash(readFileSync('it.tar.gz')))
    const { archives } = await loadArchive('it.tar.gz', 'it.db')
    expect(archives[0]?.kinds.repositories?.added).toBe(3)

    // A part of another process is resumed.
    writeFileSync('again.tar.gz.part', readFileSync('it.tar.gz').subarray(0, 100))
    const facts = { server: client.server, id, guid, etag: `"${sha256}"`, size: bytes }
    writeFileSync('again.tar.gz.part.json', JSON.stringify(facts))
    expect((await downloadArchive(id, 'again.tar.gz', client)).fetched).toBe(bytes - 100)
    expect(readFileSync('again.tar.gz').equals(readFileSync('it.tar.gz'))).toBe(true)

    const states = await unlockRepositories(id, 'all', client)
    expect(states.map(({ unlocked }) => unlocked)).toEqual([true, true, true])
    expect(await unlockRepositories(undefined, ['kettle'], client)).toMatchObject([
      { unlocked: false },
    ])

    await deleteArchive(id, client)
    expect(await codeOf(deleteArchive(id, client))).toBe('archive-gone')
    expect(await codeOf(getArchiveAddress(id, client))).toBe('archive-gone')
    const listed = []
    for await (const found of listMigrations(client)) listed.push(found)
    expect(listed).toMatchObject([{ id, state: 'exported' }])
    expect(listed[0]?.has_archive).toBeUndefined()
  })

  it('a migration that fails', async () => {
    const { client } = await serve({ fail: ['ada/teapot'] })
    const { id } = await startMigration(['ada/teapot'], client)
    expect(await codeOf(watchMigration(id, client))).toBe('migration-failed')
    expect(await codeOf(downloadArchive(id, 'it.tar.gz', client))).toBe('migration-failed')
    expect(existsSync('it.tar.gz.part')).toBe(false)
  })

  it('a repository of somebody else, and a token that is wrong', THOROUGH, async () => {
    const { client } = await serve()
    expect(await codeOf(startMigration(['bob/cup'], client))).toBe('request-refused')
    expect(await codeOf(startMigration(['ada/kettle'], { ...client, token: 'no' }))).toBe(
      'credentials-refused',
    )
    expect(await codeOf(watchMigration(99, client))).toBe('migration-not-found')
  })

  it('a token from a password and a one-time password', THOROUGH, async () => {
    const { client } = await serve()
    const { token: _, ...stranger } = client
    const asked: string[] = []
    const oneTimePassword = async (delivery: string) =>
      asked.push(delivery) === 1 ? '000000' : CODE
    const token = await createToken('ada', 'engine', { ...stranger, oneTimePassword })
    expect(asked).toEqual(['SMS', 'SMS'])
    expect(await listOwnRepositories({ ...client, token })).toContain('ada/secret')
    expect(await codeOf(createToken('ada', 'engine', stranger))).toBe('otp-required')
    expect(await codeOf(createToken('ada', 'wrong', stranger))).toBe('credentials-refused')
  })

  it('a limit of requests', THOROUGH, async () => {
    const { client } = await serve({ rateLimit: { callers: 1 } })
    expect(await codeOf(listOwnRepositories(client))).toBe('rate-limited')
  })
})

const hash = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')
