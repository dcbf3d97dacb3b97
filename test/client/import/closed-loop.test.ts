import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { expect, onTestFinished, test } from 'vitest'
import { collect } from '../../../src/base/streams.ts'
import type { ClientOptions } from '../../../src/client/client-options.ts'
import { downloadArchive } from '../../../src/client/download/download-archive.ts'
import { importArchive } from '../../../src/client/import/import-archive.ts'
import { startMigration } from '../../../src/client/start-migration.ts'
import { type Database, openDatabase } from '../../../src/database/open-database.ts'
import { sha256Of } from '../../../src/http/access/accounts.ts'
import type { AccountsFile } from '../../../src/http/access/accounts-file.ts'
import { loadArchive } from '../../../src/load/load-archive.ts'
import { serveArchive } from '../../../src/serve/serve-archive.ts'
import { diffDatabases } from '../../../src/transform/diff/diff-databases.ts'
import { mapDatabase } from '../../../src/transform/map/map-database.ts'
import { validateArchive } from '../../../src/validate/validate-archive.ts'
import { generateArchive } from '../../bench/generate-archive.ts'
import { inFolder, ROOT } from '../../support/run-command.ts'
import { THOROUGH } from '../../support/thorough.ts'

/**
 * The loop that a migration is: out of one server and into another, and out of that one again. What comes back is what went in,
 * except what the log of the import named.
 */

/** A server starts processes for imports and exports. */
const LONG = { timeout: 120_000 }
const TOKEN = 'the-token-of-the-owner'
const ACCOUNTS: AccountsFile = {
  version: 1,
  accounts: [{ login: 'forge-admin' }],
  organizations: [{ login: 'forge', id: 7, members: [{ login: 'forge-admin', role: 'admin' }] }],
  tokens: [{ login: 'forge-admin', sha256: sha256Of(TOKEN), scopes: ['repo', 'admin:org'] }],
}

async function databaseOf(archive: string): Promise<Database> {
  const path = `${archive}.db`
  await loadArchive(archive, path)
  const database = openDatabase(path)
  onTestFinished(() => void database.close())
  return database
}

/** Imports a repository of an archive, exports it there, and names what came back as it was before. */
async function goRound(archive: string, from: string) {
  const database = await databaseOf(archive)
  const options = { accounts: ACCOUNTS, imports: true, state: 'state', port: 0, pace: 0 }
  const server = await serveArchive([], options)
  onTestFinished(() => server.close())
  const client: ClientOptions & { organization: string } = {
    server: `${server.url}/api/v3`,
    token: TOKEN,
    organization: 'forge',
    // A server of this machine needs no patience.
    clock: { now: () => performance.now(), random: () => 0.5, sleep: () => wait(100) },
  }
  const imported = await importArchive(archive, {
    ...client,
    repository: 'again',
    from,
    database,
    wait: true,
    log: 'import.log',
    allowInvalid: true,
  })
  expect(imported).toMatchObject({ state: 'SUCCEEDED', failureReason: null })
  const validation = await validateArchive(database, {
    ...client,
    organization: undefined,
    repository: 'forge/again',
    from,
    sample: 'all',
  })
  const { id } = await startMigration(['forge/again'], client)
  await downloadArchive(id, 'back.tar.gz', { ...client, wait: true })
  const back = await databaseOf('back.tar.gz')
  const repositories = [{ old: 'forge/again', new: from, place: 'here' }]
  const before = database.prepare('SELECT url FROM repositories WHERE full_name = ?').pluck()
  const [host] = (before.get(from) as string).split(`/${from}`)
  const after = back.prepare('SELECT url FROM repositories').pluck().get() as string
  const hosts = [{ old: after.split('/forge/')[0] as string, new: host as string, place: 'here' }]
  const isMoved = hosts[0]?.old !== host
  const map = { hosts: isMoved ? hosts : [], logins: [], repositories }
  await mapDatabase(back, 'mapped.tar.gz', map, {})
  const mapped = await databaseOf('mapped.tar.gz')
  const log = readFileSync('import.log', 'utf8')
  const changes: string[] = []
  for await (const { kind, url, change, members } of diffDatabases(database, mapped)) {
    const isOther = url === null || !(url.includes(`${from}/`) || url.endsWith(from))
    // What belongs to no repository comes along only where it is needed.
    if (isOther && change === 'removed') continue
    if (url !== null && log.includes(url) && change === 'removed') continue
    const names = change === 'changed' ? ` ${Object.keys(members).toSorted().join(' ')}` : ''
    changes.push(`${change} ${kind} ${url}${names}`)
  }
  return { changes, validation, log }
}

test('The sample comes back as it was, without what the log names', {
  ...THOROUGH,
  ...LONG,
}, async () => {
  inFolder()
  writeFileSync('hello.tar.gz', readFileSync(join(ROOT, 'samples/hello.tar.gz')))
  const from = 'mona-lindqvist/tea-timer'
  const { changes, validation, log } = await goRound('hello.tar.gz', from)
  expect(changes).toEqual([
    'added organizations https://github.com/forge',
    `changed repositories https://github.com/${from} collaborators private`,
  ])
  expect(log).toContain(`collaborators https://github.com/${from}`)
  expect(validation).toMatchObject({ ok: true, differences: [] })
})

const GENERATED = 'A generated archive comes back in the same way (seed %i)'
test.each([1, 2, 3])(GENERATED, { ...THOROUGH, ...LONG }, async (seed) => {
  inFolder()
  const tar = await collect(generateArchive({ records: 300, seed }))
  writeFileSync('world.tar.gz', gzipSync(tar, { level: 1 }))
  const from = 'lanterns/telemetry'
  const { changes, validation } = await goRound('world.tar.gz', from)
  expect(changes).toEqual([
    'added organizations https://github.com/forge',
    `changed repositories https://github.com/${from} collaborators`,
  ])
  expect(validation).toMatchObject({ ok: true, differences: [] })
})
