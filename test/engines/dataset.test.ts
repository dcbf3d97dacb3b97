import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import fc from 'fast-check'
import { parquetMetadata, parquetReadObjects } from 'hyparquet'
import { compressors } from 'hyparquet-compressors'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { unknownKind } from '../../src/database/schema/unknown-kind.ts'
import type { ExportColumn } from '../../src/exporters/column-types.ts'
import { viewsOf } from '../../src/exporters/dataset/dataset-schema.ts'
import { datasetTables } from '../../src/exporters/ddl/dataset-views.ts'
import { exportData } from '../../src/exporters/export-data.ts'
import { type ExportTable, tableOfKind } from '../../src/exporters/table.ts'
import { createParquetFile } from '../../src/exporters/targets/parquet/parquet-file.ts'
import { loadLibrary } from '../../src/exporters/targets/parquet/parquet-output.ts'
import { type TypedValue, toTyped } from '../../src/exporters/to-typed.ts'
import type { JsonObject } from '../../src/records/json/json.ts'
import type { Kind } from '../../src/records/kinds/kind.ts'
import { KINDS } from '../../src/records/kinds/kinds.ts'
import { fromExport } from '../support/from-export.ts'
import { jsonObjects } from '../support/json-objects.ts'
import { plainObjects } from '../support/plain-objects.ts'
import {
  describeWith,
  openClickHouse,
  openDuckDb,
  type Row,
  readWithPolars,
  type Sql,
} from './engines.ts'
import { factsBySql, factsOfRows, WORDS } from './facts.ts'
import { openSqlite, SAME_VIEWS } from './sqlite.ts'

const folder = mkdtempSync(join(tmpdir(), 'marc-engines-'))
const lake = join(folder, 'lake')
afterAll(() => rmSync(folder, { recursive: true, force: true }))

let sqlite: Awaited<ReturnType<typeof openSqlite>>
/** The tables that the archive has. */
let tables: ExportTable[] = []

beforeAll(async () => {
  const summary = await exportData('samples/organization.tar.gz', lake)
  sqlite = await openSqlite('samples/organization.tar.gz', folder)
  tables = datasetTables([]).filter(({ name, kind }) => kind && name in summary.tables)
})

/** Tables and views answer as those of SQLite do. */
async function expectAgreement(sql: Sql, words: (typeof WORDS)[keyof typeof WORDS]): Promise<void> {
  expect(tables.length).toBeGreaterThan(15)
  for (const table of tables) {
    const has = ({ name }: { name: string }) => sqlite.columns(table.name).has(name)
    const facts = await factsBySql(sql, words, table, has)
    expect(facts, table.name).toEqual(await factsBySql(sqlite, WORDS.SQLite, table, has))
  }
}

async function expectSameViews(sql: Sql): Promise<void> {
  const plain = (rows: Row[]) => rows.map((row) => Object.values(row).map(String))
  for (const query of SAME_VIEWS) {
    expect(plain(await sql.ask(query)), query).toEqual(plain(await sqlite.ask(query)))
  }
}

/** A dataset with a partition of an older version, whose issues had neither a body nor times. */
async function mixedDataset(): Promise<string> {
  const mixed = join(folder, 'mixed')
  if (existsSync(mixed)) return mixed
  await exportData('samples/hello.tar.gz', mixed)
  const { columns } = tableOfKind('issues', KINDS.issues, {})
  const older = columns.filter(({ name }) => !['body', 'created_at', 'labels'].includes(name))
  const path = join(mixed, 'kind=issues/archive=older/data.parquet')
  mkdirSync(dirname(path), { recursive: true })
  const file = createParquetFile(await loadLibrary(), path, older, 'zstd')
  const values: Record<string, TypedValue> = { title: 'Old', number: 1, _archive: 'older' }
  file.add(older.map(({ name }) => values[name] ?? null))
  file.finish()
  return mixed
}

const OLD_AND_NEW = `SELECT title, count(*) AS n, count(body) AS bodies, count(created_at) AS times
  FROM issues WHERE number = 1 GROUP BY title ORDER BY title`

const expectOldAndNew = async (sql: Sql) => {
  const rows = await sql.ask(OLD_AND_NEW)
  const plain = rows.map(({ n, bodies, times }) => [n, bodies, times].map(Number))
  expect(rows.map(({ title }) => title)).toContain('Old')
  expect(plain.sort()).toEqual([
    [1, 0, 0],
    [1, 1, 1],
  ])
}

/** How many files a statement opened. */
async function filesOf(duckdb: Sql, sql: string): Promise<number> {
  const [row] = await duckdb.ask(`EXPLAIN (ANALYZE, FORMAT JSON) ${sql}`)
  return Number(/"Total Files Read": ?"(\d+)"/.exec(String(row?.explain_value))?.[1])
}

describeWith('DuckDB', ['@duckdb/node-api'], () => {
  let duckdb: Sql

  beforeAll(async () => {
    duckdb = await openDuckDb()
    await duckdb.run(viewsOf(lake, 'duckdb'))
  })
  afterAll(() => duckdb.close())

  test('reads from every table what SQLite has', () => expectAgreement(duckdb, WORDS.DuckDB))

  test('has the views of the database', () => expectSameViews(duckdb))

  test('finds the newest of each record in several archives', async () => {
    const both = join(folder, 'both')
    await exportData('samples/organization.tar.gz', both, { as: 'a' })
    await exportData('samples/organization.tar.gz', both, { as: 'b', derived: false })
    await exportData('samples/hello.tar.gz', both)
    const own = await openDuckDb()
    await own.run(viewsOf(both, 'duckdb'))
    const [counts] = await own.ask(`SELECT
      (SELECT count(*) FROM issues) AS issues, (SELECT count(DISTINCT url) FROM issues) AS urls,
      (SELECT count(*) FROM latest_issues) AS latest,
      (SELECT count(*) FROM latest_issues WHERE _archive = 'a') AS a,
      (SELECT count(*) FROM archives WHERE state = 'complete') AS archives`)
    const { issues, urls, latest, a, archives } = counts as Record<string, string>
    expect(latest).toBe(urls)
    expect(Number(issues)).toBeGreaterThan(Number(urls))
    expect([a, archives]).toEqual(['0', '3'])
    await own.close()
  })

  test('reads files of an older version, with fewer columns, along with new ones', async () => {
    const own = await openDuckDb()
    await own.run(viewsOf(await mixedDataset(), 'duckdb'))
    await expectOldAndNew(own)
    await own.close()
  })

  test('opens only the files of the archives that a statement names', async () => {
    const many = join(folder, 'many')
    const names = ['a/b', 'a%2Fb', '007', '2026-10-01', 'x=y', "it's", 'a+b ü']
    for (const as of names) await exportData('samples/hello.tar.gz', many, { as })
    const own = await openDuckDb()
    await own.run(viewsOf(many, 'duckdb'))
    const rows = await own.ask('SELECT DISTINCT _archive FROM issues ORDER BY 1')
    expect(rows.map(({ _archive: name }) => name)).toEqual([...names].sort())
    const opened = (where: string) => filesOf(own, `SELECT count(title) FROM issues WHERE ${where}`)
    expect(await opened("_archive = 'a/b'")).toBe(1)
    expect(await opened("_archive IN ('007', 'x=y')")).toBe(2)
    expect(await opened('true')).toBe(names.length)
    await own.close()
  })

  test('reads a dataset in a folder that looks like a partition', async () => {
    const odd = join(folder, 'archive=no', 'url=no')
    await exportData('samples/hello.tar.gz', odd)
    const own = await openDuckDb()
    await own.run(viewsOf(odd, 'duckdb'))
    const [row] = await own.ask("SELECT DISTINCT _archive, url = 'no' AS is_folder FROM issues")
    expect(row).toEqual({ _archive: 'hello', is_folder: false })
    await own.close()
  })

  /** A file of issues in three row groups, each of one repository and year. */
  async function groupedFile(): Promise<string> {
    const path = join(folder, 'grouped.parquet')
    if (existsSync(path)) return path
    const { columns } = tableOfKind('issues', KINDS.issues, {})
    const file = createParquetFile(await loadLibrary(), path, columns, 'zstd')
    for (let i = 0; i < 30_000; i++) {
      const group = Math.floor(i / 10_000)
      const time = Date.UTC(2020 + group, 0, 1) + i * 1000
      // URLs of the groups lie among each other, so only the filter tells which group has one.
      const values: Record<string, TypedValue> = {
        url: `https://H/o/r/issues/${i % 10_000}-${group}`,
        title: `Issue ${i}`,
        created_at: time,
        closed_at: time,
        state: group === 1 ? 'open' : 'closed',
        user_login: `person-${i % 500}-${group}`,
        _archive: 'it',
      }
      file.add(columns.map(({ name }) => values[name] ?? null))
      if (i % 10_000 === 9999) file.flush()
    }
    file.finish()
    return path
  }

  test('finds in the footer by what row groups can be skipped', async () => {
    const path = await groupedFile()
    const found = await duckdb.ask(`SELECT path_in_schema AS name, count(*) AS groups,
        count(stats_min_value) AS bounds, count(bloom_filter_offset) AS filters
      FROM parquet_metadata('${path}') GROUP BY 1 HAVING bounds > 0 OR filters > 0 ORDER BY 1`)
    expect(
      found.map(({ name, groups, bounds, filters }) => [name, groups, bounds, filters].join(' ')),
    ).toMatchInlineSnapshot(`
      [
        "_archive 3 3 0",
        "closed_at 3 3 0",
        "created_at 3 3 0",
        "state 3 3 0",
        "url 3 3 3",
        "user_login 3 3 3",
      ]
    `)
  })

  /** Copies of the file, in each of which the pages of another row group are destroyed. */
  async function damagedFiles(): Promise<string[]> {
    const path = await groupedFile()
    const bytes = readFileSync(path)
    const { buffer } = new Uint8Array(bytes)
    return parquetMetadata(buffer).row_groups.map((group, i) => {
      const damaged = path.replace('.parquet', `-${i}.parquet`)
      const begin = Number(group.columns[0]?.file_offset)
      const content = Buffer.from(bytes).fill(
        0xff,
        begin,
        begin + Number(group.total_compressed_size),
      )
      writeFileSync(damaged, content)
      return damaged
    })
  }

  test.each([
    ['true', [0, 1, 2]],
    ["url = 'https://H/o/r/issues/777-1'", [1]],
    ["url = 'https://H/o/r/issues/77777'", []],
    ["user_login = 'person-7-2'", [2]],
    ["user_login = 'person-8'", []],
    ["state = 'open'", [1]],
    ["created_at >= '2022-01-01'", [2]],
    ["closed_at < '2021-06-01'", [0, 1]],
    ["_archive = 'it'", [0, 1, 2]],
    ["_archive = 'other'", []],
  ])('reads the row groups that can have rows with %s', async (where, groups) => {
    const touched: number[] = []
    for (const [group, path] of (await damagedFiles()).entries()) {
      await duckdb
        .ask(`SELECT count(DISTINCT title) FROM read_parquet('${path}') WHERE ${where}`)
        .catch(() => touched.push(group))
    }
    expect(touched).toEqual(groups)
  })

  // DuckDB looks for the filter of a column behind a list in the wrong place when it is asked in this way.
  test.each([
    ['https://H/o/r/issues/777-1', [1]],
    ['https://H/o/r/issues/77777', []],
  ])('finds the URL %s by the bloom filters', async (url, groups) => {
    const probed = await duckdb.ask(`SELECT row_group_id AS "group"
      FROM parquet_bloom_probe('${await groupedFile()}', 'url', '${url}')
      WHERE NOT bloom_filter_excludes`)
    expect(probed.map(({ group }) => Number(group))).toEqual(groups)
  })

  const kinds: [string, Kind][] = [...Object.entries(KINDS), ['gadgets', unknownKind('gadgets')]]

  test.each(kinds)('gives back any record of %s', async (name, kind) => {
    const records = fc.sample(fc.oneof(plainObjects(kind), jsonObjects), 60)
    const table = tableOfKind(name, kind, {})
    const path = join(folder, `${name}.parquet`)
    const file = createParquetFile(await loadLibrary(), path, table.columns, 'zstd')
    records.forEach((record, i) => {
      const { values, derived, extra, memberOrder } = toTyped(kind, record)
      file.add([...values, ...derived, extra, memberOrder, 'issues_000001.json', i + 1, 'a'])
    })
    file.finish()
    const times = table.columns.filter(({ type }) => type.is === 'time').map(({ name }) => name)
    const replaced = times.map((time) => `epoch_ms("${time}") AS "${time}"`).join(', ')
    const rows = await duckdb.ask(
      `SELECT * ${replaced && `REPLACE (${replaced})`} FROM read_parquet('${path}') ORDER BY _record_number`,
    )
    const read = rows.map((row) =>
      fromExport(kind, {
        values: Object.keys(kind.columns).map((column) => row[column] as TypedValue),
        extra: row._extra as string | null,
        memberOrder: row._member_order as string[] | null,
      }),
    )
    // DuckDB's client drops a byte order mark at the beginning of a text; the bytes in the file have it.
    const print = (record: JsonObject) => JSON.stringify(record).replaceAll('"\ufeff', '"')
    expect(read.map(print)).toEqual(records.map(print))
  })
})

describeWith('ClickHouse', ['chdb'], () => {
  let clickhouse: Sql

  beforeAll(async () => {
    clickhouse = openClickHouse(join(folder, 'clickhouse'))
    await clickhouse.run(`CREATE DATABASE lake;\nUSE lake;\n${viewsOf(lake, 'clickhouse')}`)
  })

  test('reads from every table what SQLite has', () =>
    expectAgreement(clickhouse, WORDS.ClickHouse))

  test('has the views of the database', () => expectSameViews(clickhouse))

  test('reads files of an older version, with fewer columns, along with new ones', async () => {
    const views = viewsOf(await mixedDataset(), 'clickhouse')
    await clickhouse.run(`CREATE DATABASE mixed;\nUSE mixed;\n${views}`)
    await expectOldAndNew(clickhouse)
    await clickhouse.run('USE lake')
  })

  test('has one latest row of each URL', async () => {
    const [counts] = await clickhouse.ask(
      'SELECT count(*) AS n, count(DISTINCT url) AS urls FROM latest_issue_events',
    )
    expect(counts?.n).toBe(counts?.urls)
    expect(Number(counts?.n)).toBeGreaterThan(100)
  })
})

describeWith('Polars', ['nodejs-polars'], () => {
  test('reads from every file what hyparquet reads', async () => {
    for (const table of tables) {
      const path = join(lake, `kind=${table.name}/archive=organization/data.parquet`)
      const { buffer, byteOffset, length } = readFileSync(path)
      const file = buffer.slice(byteOffset, byteOffset + length) as ArrayBuffer
      const rows = (await parquetReadObjects({ file, compressors })) as Row[]
      // It hands out neither structs nor bytes.
      const columns = table.columns.filter(
        ({ type }) =>
          ['text', 'time', 'flag', 'integer'].includes(type.is) ||
          (type.is === 'list' && type.element.is === 'text'),
      )
      const plain = { ...table, columns: columns.filter(({ name }) => name in (rows[0] as Row)) }
      const read = readWithPolars(
        path,
        plain.columns.map(({ name }) => name),
      )
      expect(factsOfRows(read, plain), table.name).toEqual(factsOfRows(rows, plain))
      expect(rows.length).toBeGreaterThan(0)
    }
  })
})

describeWith('DuckDB reads text:', ['@duckdb/node-api'], () => {
  const SCALARS = {
    text: 'VARCHAR',
    time: 'TIMESTAMPTZ',
    flag: 'BOOLEAN',
    integer: 'BIGINT',
    json: 'JSON',
  }
  const typeOf = ({ type }: ExportColumn) =>
    type.is === 'list' || type.is === 'struct' ? 'JSON' : SCALARS[type.is]
  /** The members of a record; a listing has none. */
  const membersOf = ({ kind, columns }: ExportTable) =>
    columns.filter(({ name }) => !kind || name in kind.columns)
  const written = ({ columns }: ExportTable) => columns.filter(({ name }) => name !== '_record')
  const declare = (columns: readonly ExportColumn[]) =>
    columns.map((column) => `'${column.name}': '${typeOf(column)}'`).join(', ')

  test.each([
    [
      'ndjson',
      (table: ExportTable, path: string) =>
        `SELECT * FROM read_json('${path}', format = 'newline_delimited', columns = {${declare(membersOf(table))}})`,
    ],
    [
      'csv',
      (table: ExportTable, path: string) =>
        `SELECT * FROM read_csv('${path}', header = true, columns = {${declare(written(table))}},
         auto_detect = false, delim = ',', quote = '"', escape = '"', allow_quoted_nulls = false, max_line_size = 10000000)`,
    ],
  ] as const)('%s', async (format, select) => {
    const text = join(folder, format)
    await exportData('samples/organization.tar.gz', text, { format })
    const own = await openDuckDb()
    const words = { ...WORDS.DuckDB, length: (list: string) => `json_array_length(${list})` }
    for (const table of tables) {
      const path = join(text, `kind=${table.name}/archive=organization/data.${format}`)
      await own.run(`CREATE VIEW "${table.name}" AS ${select(table, path)}`)
      const there = new Set(membersOf(table).map(({ name }) => name))
      const has = ({ name }: { name: string }) =>
        sqlite.columns(table.name).has(name) && (format === 'csv' || there.has(name))
      const facts = await factsBySql(own, words, table, has)
      expect(facts, table.name).toEqual(await factsBySql(sqlite, WORDS.SQLite, table, has))
    }
    await own.close()
  })
})
