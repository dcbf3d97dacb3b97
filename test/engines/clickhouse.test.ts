import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ExportType } from '../../src/exporters/column-types.ts'
import { datasetTables } from '../../src/exporters/ddl/dataset-views.ts'
import { exportData } from '../../src/exporters/export-data.ts'
import type { TypedValue } from '../../src/exporters/to-typed.ts'
import { verifyExport } from '../../src/exporters/verify/verify-export.ts'
import type { JsonValue } from '../../src/records/json/json.ts'
import { keepsThePromises } from '../exporters/exporter-contract.ts'
import { EVERY_KIND, filesOfKinds, recordsOfKinds } from '../support/any-records.ts'
import { smallArchive } from '../support/archives.ts'
import { fromExport } from '../support/from-export.ts'
import { run } from '../support/run-command.ts'
import { differencesIn } from '../support/verified.ts'
import { type ClickHouseServer, startClickHouse } from './clickhouse-server.ts'
import { describeWith, type Row } from './engines.ts'
import { factsBySql, WORDS } from './facts.ts'
import { openSqlite, SAME_VIEWS } from './sqlite.ts'

const ARCHIVE = 'samples/organization.tar.gz'

describeWith('A ClickHouse server', ['chdb'], () => {
  const folder = mkdtempSync(join(tmpdir(), 'marc-clickhouse-'))
  let server: ClickHouseServer
  let databases = 0
  const write = (source: string, options: Parameters<typeof exportData>[2] = {}) =>
    exportData(source, server.url, { format: 'clickhouse', ...options })
  const fileOf = (archive: Buffer, name = 'it.tar.gz') => {
    writeFileSync(join(folder, name), archive)
    return join(folder, name)
  }
  const tablesOf = (database: string): string[] =>
    server
      .ask('system', `SELECT name FROM tables WHERE database = '${database}' ORDER BY name`)
      .map(({ name }) => name as string)

  beforeAll(async () => {
    server = await startClickHouse(folder)
    await write(ARCHIVE)
  })
  afterAll(async () => {
    await server?.close()
    rmSync(folder, { recursive: true, force: true })
  })

  test('has in every table what SQLite has, and its views', async () => {
    const sqlite = await openSqlite(ARCHIVE, folder)
    const tables = datasetTables([]).filter(({ name, kind }) => kind && sqlite.has(name))
    expect(tables.length).toBeGreaterThan(15)
    const clickhouse = { ask: async (sql: string) => server.ask('marc', sql) }
    for (const table of tables) {
      const has = ({ name }: { name: string }) => sqlite.columns(table.name).has(name)
      const facts = await factsBySql(clickhouse, WORDS.ClickHouse, table, has)
      expect(facts, table.name).toEqual(await factsBySql(sqlite, WORDS.SQLite, table, has))
    }
    const plain = (rows: Row[]) => rows.map((row) => Object.values(row).map(String))
    for (const query of SAME_VIEWS) {
      expect(plain(server.ask('marc', query)), query).toEqual(plain(await sqlite.ask(query)))
    }
    sqlite.close()
  })

  test('has types that suit it, and describes its columns', () => {
    const rows = server.ask('marc', 'DESCRIBE TABLE issues')
    const types = Object.fromEntries(rows.map(({ name, type }) => [name, type]))
    expect(types).toMatchObject({
      title: 'Nullable(String)',
      labels: 'Array(Nullable(String))',
      state: 'LowCardinality(Nullable(String))',
      number: 'Nullable(Int64)',
      created_at: "Nullable(DateTime64(3, 'UTC'))",
      _archive: 'LowCardinality(String)',
      reactions: expect.stringMatching(/^Array\(Tuple\(/),
    })
    expect(rows.every(({ comment }) => comment !== '')).toBe(true)
  })

  describe('keeps the promises of every target:', () => {
    keepsThePromises({
      format: 'clickhouse',
      place: async () => `${server.url}#d${databases++}`,
      options: (place) => ({ schema: databaseOf(place) }),
      titles: async (place, partition) =>
        server
          .ask(databaseOf(place), 'SELECT title, _archive FROM issues ORDER BY title')
          .filter(({ _archive }) => _archive === partition)
          .map(({ title }) => title as string),
    })
  })

  test('takes several archives at once, also into a database that is new', async () => {
    const schema = `d${databases++}`
    const names = ['a', 'b', 'c', 'd']
    const gadget = (url: string) => smallArchive({ 'gadgets_000001.json': [{ type: 'x', url }] })
    await Promise.all(
      names.map((name) => write(fileOf(gadget(name), `${name}.tar.gz`), { schema })),
    )
    const rows = server.ask(schema, 'SELECT _archive, url FROM gadgets ORDER BY 1')
    expect(rows).toEqual(names.map((name) => ({ _archive: name, url: name })))
  })

  test('gives back any record of each kind', async () => {
    const records = recordsOfKinds()
    const schema = `d${databases++}`
    await write(fileOf(smallArchive(filesOfKinds(records)), 'any.tar.gz'), { schema })
    for (const [name, kind] of EVERY_KIND) {
      const columns = datasetTables(['gadgets']).find((one) => one.name === name)?.columns ?? []
      const typeOf = (column: string) => columns.find((one) => one.name === column)?.type
      const times = columns.filter(({ type }) => type.is === 'time')
      const replaced = times.map(
        (time) => `toUnixTimestamp64Milli("${time.name}") AS "${time.name}"`,
      )
      const text = server.ask(
        schema,
        `SELECT * ${times.length > 0 ? `REPLACE (${replaced})` : ''} FROM "${name}"
         WHERE _entry = '${name}_000001.json' ORDER BY _record_number`,
      )
      const read = text.map((row) => {
        const order = row._member_order as string[]
        return fromExport(kind, {
          values: Object.keys(kind.columns).map((column) =>
            plainValue(typeOf(column) as ExportType, row[column] as JsonValue),
          ),
          extra: row._extra as string | null,
          memberOrder: order.length > 0 ? order : null,
        })
      })
      const expected = (records.get(name) ?? []).map((one) => JSON.stringify(one))
      expect(
        read.map((record) => JSON.stringify(record)),
        name,
      ).toEqual(expected)
    }
  })

  describe('leaves no table beside its own', () => {
    test('after an export', () => {
      expect(tablesOf('marc').filter((name) => /^_(?:new|lock)/.test(name))).toEqual([])
    })

    test('after a server that failed in the middle, and goes on when it is back', async () => {
      const schema = `d${databases++}`
      await write(ARCHIVE, { schema })
      const count = () => server.ask(schema, 'SELECT count() AS n FROM issue_events')
      const before = count()
      let inserts = 0
      server.intercept((sql) => {
        if (/^INSERT INTO `?_?"?_new/.test(sql) && ++inserts === 5) throw new Error('disk is full')
      })
      const failed = write(ARCHIVE, { schema, force: true })
      await expect(failed).rejects.toMatchObject({ code: 'target-failed', message: 'disk is full' })
      server.intercept(undefined)
      expect(inserts).toBe(5)
      expect(count()).toEqual(before)
      expect(tablesOf(schema).filter((name) => /^_(?:new|lock)/.test(name))).toEqual([])
      expect((await write(ARCHIVE, { schema })).outcome).toBe('unchanged')
    })
  })

  test('repeats an export that was killed while it replaced tables', async () => {
    const schema = `d${databases++}`
    await write(ARCHIVE, { schema })
    const before = server.ask(schema, 'SELECT count() AS n FROM issues')
    let replaced = 0
    server.intercept((sql) => {
      if (/ REPLACE PARTITION /.test(sql) && ++replaced > 3) throw new Error('gone')
    })
    await expect(write(ARCHIVE, { schema, derived: false })).rejects.toThrow('gone')
    server.intercept(undefined)
    const [{ state } = {}] = server.ask(schema, 'SELECT state FROM archives')
    expect(state).toBe('writing')
    expect((await write(ARCHIVE, { schema })).outcome).toBe('written')
    expect(server.ask(schema, 'SELECT count() AS n FROM issues')).toEqual(before)
    expect(server.ask(schema, 'SELECT state FROM archives')).toEqual([{ state: 'complete' }])
  })

  test('partitions by shard where that was fixed when the tables were made', async () => {
    const schema = `d${databases++}`
    const options = { schema, shard: 's1', partitionBy: 'shard' } as const
    await write(ARCHIVE, { ...options, as: 'a' })
    await write(ARCHIVE, { ...options, as: 'b', shard: 's2' })
    await write('samples/hello.tar.gz', { schema, shard: 's1', as: 'a' })
    const facts = async (as: string, source: string) =>
      (await verifyExport(source, server.url, { format: 'clickhouse', schema, as }))[0]?.differences
    expect(await facts('a', 'samples/hello.tar.gz')).toEqual([])
    expect(await facts('b', ARCHIVE)).toEqual([])
    expect(
      server.ask(schema, 'SELECT DISTINCT _archive, _shard FROM issues ORDER BY _archive'),
    ).toEqual([
      { _archive: 'a', _shard: 's1' },
      { _archive: 'b', _shard: 's2' },
    ])
    await expect(write(ARCHIVE, { schema, partitionBy: 'archive' })).rejects.toMatchObject({
      code: 'option-invalid',
    })
    expect(tablesOf(schema).filter((name) => /^_(?:new|lock)/.test(name))).toEqual([])
  })

  test('gets the columns that an older version did not have', async () => {
    const schema = `d${databases++}`
    await write(ARCHIVE, { schema })
    server.ask(schema, 'ALTER TABLE teams DROP COLUMN description')
    server.ask(schema, "ALTER TABLE _exports MODIFY COMMENT 'migration-archive 1 00'")
    await write(ARCHIVE, { schema, force: true })
    const options = { format: 'clickhouse', schema } as const
    expect(differencesIn(await verifyExport(ARCHIVE, server.url, options))).toEqual({
      organization: [],
      rest: [],
    })
  })

  test('breaks the lock of a process that is gone', async () => {
    const schema = `d${databases++}`
    await write(ARCHIVE, { schema })
    const { openClickHouseTarget } = await import(
      '../../src/exporters/targets/clickhouse/clickhouse.ts'
    )
    const target = await openClickHouseTarget(server.url, { schema })
    await target.lock('organization', {})
    const [lock] = tablesOf(schema).filter((name) => name.startsWith('_lock_'))
    const [{ comment } = {}] = server.ask(
      'system',
      `SELECT comment FROM tables WHERE database = '${schema}' AND name = '${lock}'`,
    )
    const holder = JSON.parse(String(comment))
    const dead = JSON.stringify({ ...holder, owner: holder.owner.replace(/\d+$/, String(2 ** 30)) })
    server.ask(schema, `ALTER TABLE ${lock} MODIFY COMMENT '${dead}'`)
    const options = { schema, force: true, wait: false }
    expect((await write(ARCHIVE, options)).outcome).toBe('written')
  })

  describe('refuses', () => {
    test('dataset-foreign: a database with tables of something else', async () => {
      server.ask('default', 'CREATE DATABASE shop')
      server.ask('shop', 'CREATE TABLE orders (id Int64) ENGINE = Memory')
      await expect(write(ARCHIVE, { schema: 'shop' })).rejects.toMatchObject({
        code: 'dataset-foreign',
      })
      expect(tablesOf('shop')).toEqual(['orders'])
    })

    test('dataset-newer: a database that a newer version made', async () => {
      server.ask('default', 'CREATE DATABASE newer')
      server.ask(
        'newer',
        "CREATE TABLE _exports (a Int64) ENGINE = Memory COMMENT 'migration-archive 99 ab'",
      )
      await expect(write(ARCHIVE, { schema: 'newer' })).rejects.toMatchObject({
        code: 'dataset-newer',
      })
    })

    test('target-failed: a wrong password, which it never shows', async () => {
      const url = server.url.replace('secret', 'guessed')
      const { code, stderr } = await run(['export', ARCHIVE, '--clickhouse', url])
      expect([code, stderr]).toEqual([4, expect.stringContaining('Authentication failed')])
      expect(stderr).not.toContain('guessed')
    })

    test('target-failed: a server that is not there', async () => {
      const url = 'http://127.0.0.1:1'
      const { code, stderr } = await run(['export', ARCHIVE, '--clickhouse', url])
      expect([code, stderr]).toEqual([4, expect.stringMatching(/ECONNREFUSED|bad port/)])
    })
  })

  test('takes the user and the password from the environment', async () => {
    const url = server.url.replace('marc:secret@', '')
    const env = { CLICKHOUSE_USER: 'marc', CLICKHOUSE_PASSWORD: 'secret' }
    const line = ['export', ARCHIVE, '--clickhouse', url]
    expect(await run(line, { env })).toMatchObject({
      code: 0,
      stdout: 'organization is up to date.\n',
      stderr: '',
    })
  })

  test('has nothing of an archive that cannot be read', async () => {
    const schema = `d${databases++}`
    const cut = fileOf(readFileSync(ARCHIVE).subarray(0, 5000), 'cut.tar.gz')
    await expect(write(cut, { schema })).rejects.toThrow()
    expect(server.ask(schema, 'SELECT count() AS n FROM issues')).toEqual([{ n: '0' }])
  })
})

const databaseOf = (place: string) => place.replace(/.*#/, '')

/** A value of a column as it was before ClickHouse had it. */
function plainValue(type: ExportType, value: JsonValue | undefined): TypedValue {
  if (value === null || value === undefined) return null
  if (type.is === 'time') return Number(value)
  if (type.is === 'integer') return BigInt(String(value))
  if (type.is === 'list') return (value as JsonValue[]).map((one) => plainValue(type.element, one))
  if (type.is !== 'struct') return value as TypedValue
  const struct = value as Record<string, JsonValue>
  return Object.fromEntries(
    type.members.map((member) => [member.name, plainValue(member.type, struct[member.name])]),
  )
}
