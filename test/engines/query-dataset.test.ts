import {
  cpSync,
  createWriteStream,
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDatabase } from '../../src/database/open-database.ts'
import { RELATIONS } from '../../src/database/schema/schema.ts'
import { isLeftOut } from '../../src/datasets/dataset-relations.ts'
import { queryDatasets } from '../../src/datasets/query-dataset.ts'
import { exportData } from '../../src/exporters/export-data.ts'
import { runQuery } from '../../src/query/run-query.ts'
import { readQueries, SHIPPED_QUERIES } from '../../src/query/saved-queries.ts'
import { generateArchive } from '../bench/generate-archive.ts'
import { issue, smallArchive } from '../support/archives.ts'
import { run } from '../support/run-command.ts'
import { describeWith } from './engines.ts'

/** Saved questions about what an export leaves out, and what that is. */
const ABOUT_LEFT_OUT: Readonly<Record<string, string>> = {
  'contents-of-archives': 'record_files',
  'files-by-review-comments': 'commits_files',
  'problems-by-code': 'problems',
  'vanished-records': 'record_files',
}

/** Columns that name a partition here, and number an archive in a database; the order of members is a list of other words. */
const OF_PARTITIONS = ['_archive', '_source', 'archive', '_member_order']

/** Columns whose text differs, and why. */
const DIFFERENT: Readonly<Record<string, readonly string[]>> = {
  // Contents of files are not exported.
  files: ['stored'],
  uploads: ['file', 'stored'],
  // A partition has the name of the database, and the time of its newest record.
  archives: ['name', 'size', 'sha256', 'exported_at'],
}

/** A manifest without tables. */
const MANIFEST = {
  name: 'hello',
  state: 'complete',
  options: { format: 'parquet zstd' },
  tables: {},
}

const QUESTIONS = readQueries(SHIPPED_QUERIES)
const VALUES = { full_name: 'harbour-lights/tidewatch', number: 7n }

describeWith('A dataset', ['@duckdb/node-api'], () => {
  const folder = mkdtempSync(join(tmpdir(), 'marc-query-dataset-'))
  const database = join(folder, 'organization.db')
  const lake = join(folder, 'lake')
  const fleet = join(folder, 'fleet')
  const archives = ['organization', 'hello'].map((name) => resolve('samples', `${name}.tar.gz`))

  beforeAll(async () => {
    expect(await run(['load', archives[0] as string, '-o', database, '-q'])).toMatchObject({
      code: 0,
    })
    expect(await run(['repo', 'index', database, '--files', '-q'])).toMatchObject({ code: 0 })
    const opened = openDatabase(database)
    await exportData(opened, lake)
    opened.close()
    for (let seed = 0; seed < 4; seed++) {
      const path = join(folder, `org-${seed}.tar.gz`)
      const bytes = Readable.from(generateArchive({ records: 200, seed }))
      await pipeline(bytes, createGzip(), createWriteStream(path))
      archives.push(path)
    }
    for (const archive of archives) await exportData(archive, fleet)
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  const ask = async (sql: string, values = {}, of = lake) => {
    const answer = await queryDatasets([of], sql, values)
    try {
      return { columns: answer.columns, rows: [...answer.rows] }
    } finally {
      answer.close()
    }
  }

  const askOf = (of: string, sql = 'SELECT 1') => ask(sql, {}, of)

  /** Makes a dataset of one manifest. */
  const withManifest = (manifest: string) => {
    const other = join(folder, 'other')
    mkdirSync(join(other, '_marc/archives'), { recursive: true })
    writeFileSync(join(other, '_marc/archives/hello.json'), manifest)
    return other
  }

  const valuesOf = (parameters: (typeof QUESTIONS)[number]['parameters']) => {
    const values: Record<string, unknown> = { ...VALUES }
    for (const { name, standard } of parameters) if (standard !== undefined) values[name] = standard
    return values
  }

  test('answers each saved question as a database does, row for row', async () => {
    const opened = openDatabase(database)
    const compared: string[] = []
    for (const { name, sql, parameters } of QUESTIONS) {
      const values = valuesOf(parameters)
      if (name in ABOUT_LEFT_OUT) {
        await expect(ask(sql, values), name).rejects.toThrow(`no table ${ABOUT_LEFT_OUT[name]}`)
        continue
      }
      const { columns, rows } = runQuery(opened, sql, values as typeof VALUES)
      expect(await ask(sql, values), name).toEqual({ columns, rows: [...rows] })
      compared.push(name)
    }
    opened.close()
    expect(compared.length + Object.keys(ABOUT_LEFT_OUT).length).toBe(QUESTIONS.length)
  })

  test('has in each table and view the rows of a database', async () => {
    const opened = openDatabase(database)
    const sorted = (rows: readonly unknown[]) => rows.map((row) => JSON.stringify(row)).sort()
    const different: Record<string, string[]> = {}
    for (const { name } of RELATIONS.filter((relation) => !isLeftOut(relation.name))) {
      const { columns, rows } = await ask(`SELECT * FROM ${name}`)
      const compared = columns.filter((column) => !OF_PARTITIONS.includes(column))
      const list = compared.map((column) => `"${column}"`).join(', ')
      const expected = [...runQuery(opened, `SELECT ${list} FROM ${name}`).rows]
      expect(rows.length, name).toBe(expected.length)
      const unlike = compared.filter((column, i) => {
        const found = rows.map((row) => row[columns.indexOf(column)])
        return sorted(found).join() !== sorted(expected.map((row) => row[i])).join()
      })
      if (unlike.length > 0) different[name] = unlike
    }
    expect(different).toEqual(DIFFERENT)
    opened.close()
  })

  test('of several archives answers as these archives asked as one', async () => {
    for (const { name, parameters } of QUESTIONS) {
      if (name in ABOUT_LEFT_OUT || name.startsWith('commits-')) continue
      const needed = parameters.filter(({ standard }) => standard === undefined)
      const given = needed.flatMap(({ name }) => ['-p', name, String(VALUES[name as 'number'])])
      const asked = ['--saved', name, ...given, '--json']
      const expected = await run(['query', ...archives, ...asked])
      expect(await run(['query', fleet, ...asked]), name).toEqual(expected)
    }
  })

  test('says by _source which archive a row is from, and counts a url of several once', async () => {
    const sql = 'SELECT _source, count(*) AS n FROM issues GROUP BY 1 ORDER BY 1'
    const expected = await run(['query', ...archives, sql, '--json'])
    expect(expected.code).toBe(0)
    expect(await run(['query', fleet, sql, '--json'])).toEqual(expected)
  })

  test('is read, and nothing else', async () => {
    await expect(ask('CREATE TABLE t (a INTEGER)')).rejects.toMatchObject({ code: 'query-writes' })
    for (const to of [join(folder, 'out.csv'), join(lake, 'out.csv')]) {
      await expect(ask(`COPY (SELECT 1) TO '${to}'`)).rejects.toThrow()
      await expect(ask(`EXPLAIN ANALYZE COPY (SELECT 1) TO '${to}'`)).rejects.toThrow()
      expect(existsSync(to)).toBe(false)
    }
    await expect(ask("SELECT * FROM read_csv('/etc/passwd')")).rejects.toThrow('Cannot access file')
    await expect(ask('SELECT 1; SELECT 2')).rejects.toThrow('expected one statement, found several')
    await expect(ask('SELECT * FROM issues WHERE state = :state')).rejects.toThrow(
      ':state has no value',
    )
  })

  test.each([
    ['a manifest that was cut', '{', 'source-damaged'],
    ['a manifest without tables', '{"state": "complete", "options": {}}', 'source-damaged'],
    [
      'files of another format',
      '{"state": "complete", "options": {"format": "csv"}, "tables": {}}',
      'source-unsupported',
    ],
  ])('with %s is refused', async (_, manifest, code) => {
    await expect(askOf(withManifest(manifest))).rejects.toMatchObject({ code })
  })

  test.each(['threads', 'archives', '_typed_issues', 'issues_labels', '../../x', 'sqlite_master'])(
    'whose manifest has a table %s, which would hide a view or lie elsewhere, is refused',
    async (table) => {
      const tables = { [table]: { columns: ['url'] } }
      const other = withManifest(JSON.stringify({ ...MANIFEST, tables }))
      await expect(askOf(other)).rejects.toMatchObject({ code: 'source-damaged' })
    },
  )

  test.each(['newest', 'sha256', 'size', 'state'])(
    'whose manifest has an object for %s has none of it',
    async (member) => {
      const source = { [member]: { a: 1 } }
      const other = withManifest(JSON.stringify({ ...MANIFEST, source }))
      const { rows } = await ask('SELECT size, sha256, state, exported_at FROM archives', {}, other)
      expect(rows).toEqual([[null, null, 'complete', null]])
    },
  )

  test.each([
    ['a manifest', '_marc/archives/hello.json', 'source-damaged'],
    ['a folder', 'kind=issues/archive=hello', 'output-refused'],
    ['a file', 'kind=issues/archive=hello/data.parquet', 'source-damaged'],
  ])('with a link in place of %s is refused', async (_, path, code) => {
    const linked = join(folder, 'linked')
    rmSync(linked, { recursive: true, force: true })
    cpSync(fleet, linked, { recursive: true })
    rmSync(join(linked, path), { recursive: true })
    symlinkSync(join(fleet, path), join(linked, path))
    await expect(askOf(linked, 'SELECT * FROM issues')).rejects.toMatchObject({ code })
  })

  test.each([
    ['is cut', (path: string) => truncateSync(path, 500)],
    ['is empty', (path: string) => truncateSync(path, 0)],
    [
      'has other columns',
      (path: string) => cpSync(join(path, '../../../kind=users/archive=hello/data.parquet'), path),
    ],
  ])('with a file that %s is refused as damaged', async (_, damage) => {
    const damaged = join(folder, 'damaged')
    cpSync(fleet, damaged, { recursive: true })
    damage(join(damaged, 'kind=issues/archive=hello/data.parquet'))
    await expect(askOf(damaged, 'SELECT * FROM issues')).rejects.toMatchObject({
      code: 'source-damaged',
    })
  })

  test('has odd times beside a text with half a character', async () => {
    const times = ['2026-01-01T01:02:03.5Z', '2026-01-01T01:02:03Z']
    const issues = [
      issue(1, 'cut \ud83d'),
      ...times.map((created_at, i) => issue(i + 2, 'it', { created_at })),
    ]
    const archive = join(folder, 'odd.tar.gz')
    writeFileSync(archive, smallArchive({ 'issues_000001.json': issues }))
    const odd = join(folder, 'odd')
    await exportData(archive, odd)
    const { rows } = await askOf(
      odd,
      'SELECT created_at FROM issues WHERE number > 1 ORDER BY number',
    )
    expect(rows.flat()).toEqual(times)
  })

  test('reads bytes as a database does', async () => {
    expect((await ask("SELECT x'00ff' AS a, X'' AS b")).rows).toEqual([
      [Buffer.from([0, 255]), Buffer.alloc(0)],
    ])
  })

  test.each([';', '-- nothing', '/* nothing */ ;', ' '])(
    'says that %j is no statement',
    async (sql) => {
      await expect(ask(sql)).rejects.toThrow('expected a statement, found none')
    },
  )

  test('stops a statement that needs too much memory', { timeout: 60_000 }, async () => {
    const list = 'SELECT list(range) FROM range(1000000000)'
    await expect(ask(list)).rejects.toMatchObject({ code: 'limit-memory' })
    const text = "SELECT length(repeat('x', 1000000000))"
    const env = { NODE_PATH: process.env.NODE_PATH ?? '' }
    const { code, stderr } = await run(['query', lake, '--max-memory', '300MB', text], { env })
    expect(stderr).toContain('the statement needs more than 314572800 bytes')
    expect(code).toBe(3)
  })

  test('gives rows beyond those that memory holds, in their order, and stops at a limit', async () => {
    const sql = 'SELECT range AS n FROM range(100000)'
    const { rows } = await ask(sql)
    expect(rows.length).toBe(100_000)
    expect(rows.every(([n], i) => n === i)).toBe(true)
    await expect(queryDatasets([lake], sql, {}, { maxRows: 10 })).rejects.toMatchObject({
      code: 'limit-rows',
    })
  })

  test.each([
    [
      'of a repository without its owner',
      ['--saved', 'stale-pull-requests'],
      { repo: 'Tidewatch' },
    ],
    ['of an unknown repository', ['--saved', 'stale-pull-requests'], { repo: 'tidewach' }],
    ['of a thread', ['--saved', 'timeline-of-a-thread'], { full_name: 'tidewatch', number: '#7' }],
    [
      'of no thread',
      ['--saved', 'timeline-of-a-thread'],
      { full_name: 'tidewatch', number: '9999' },
    ],
    ['that is no number', ['--saved', 'stale-pull-requests'], { days: 'many' }],
    ['of another name', ['--saved', 'stale-pull-requests'], { day: '3' }],
    [
      'of a person, label and kind',
      ['-f', 'own.sql'],
      { who: '@LEA-marsh', what: 'BUG', of: 'Issues' },
    ],
    ['of a person whom only references name', ['-f', 'own.sql'], { who: 'buoy-bumper' }],
    ['of no milestone', ['-f', 'own.sql'], { due: 'some day' }],
    ['that is missing', ['select :a, :b'], { a: '1' }],
    ['without a name', ['select ?'], { a: '1' }],
    ['of any kind', ['select :a as a, $b as b, @c as c'], { a: '1', b: '1.5', c: "it's" }],
  ])('takes a parameter %s as a database does', async (_, argv, values) => {
    writeFileSync(
      join(folder, 'own.sql'),
      `-- Own.
-- :who person = null, who
-- :what label = null, what
-- :due milestone = null, when
-- :of kind = null, of
SELECT :who AS who, :what AS what, :due AS due, :of AS of`,
    )
    const words = argv.map((word) => (word === 'own.sql' ? join(folder, word) : word))
    const pairs = Object.entries(values).flatMap(([name, value]) => ['-p', name, value as string])
    const [left, right] = await Promise.all(
      [database, lake].map(async (source) => {
        const outcome = await run(['query', source, ...words, ...pairs, '--json'])
        return { ...outcome, stderr: outcome.stderr.replaceAll(source, 'SOURCE') }
      }),
    )
    expect(right).toEqual(left)
  })

  test('is asked by the shell as a database is', async () => {
    const asked = ['.saved stale-pull-requests days=3', '.schema issue', 'select :a as a;']
    for (const input of [...asked, '.tables issu%', '.saved stale-pull-requests repo=tidewach']) {
      const [left, right] = await Promise.all(
        [database, lake].map((source) => run(['shell', source, input, '-p', 'a', '1', '--json'])),
      )
      expect(right, input).toEqual(left)
    }
    const { stdout } = await run(['shell', lake, '.schema issues'])
    expect(stdout).toContain('CREATE TABLE "issues"')
    expect(stdout).not.toContain('GENERATED')
  })

  test('has the tables that a database has, with as many rows', async () => {
    const countsOf = async (source: string) => {
      const { stdout } = await run(['tables', source, '--json', '--all'])
      const tables = JSON.parse(stdout) as { name: string; rows: number }[]
      return tables.filter(({ name }) => !isLeftOut(name)).map(({ name, rows }) => [name, rows])
    }
    expect(await countsOf(lake)).toEqual(await countsOf(database))
  })

  // With 256 MB, DuckDB could neither count all tables nor answer all questions.
  test('of three archives of 5,000 records is counted and asked in the memory it has', {
    timeout: 120_000,
  }, async () => {
    const large = join(folder, 'large')
    for (let seed = 0; seed < 3; seed++) {
      const path = join(folder, `large-${seed}.tar.gz`)
      const bytes = Readable.from(generateArchive({ records: 5000, seed }))
      await pipeline(bytes, createGzip(), createWriteStream(path))
      await exportData(path, large)
    }
    const counted = await run(['tables', large, '--json', '--all'])
    expect(counted).toMatchObject({ code: 0, stderr: '' })
    for (const { name, sql, parameters } of QUESTIONS) {
      if (name in ABOUT_LEFT_OUT) continue
      await expect(ask(sql, valuesOf(parameters), large), name).resolves.toBeTruthy()
    }
  })

  test('that has no table of a name says which it has', async () => {
    const { code, stderr } = await run(['query', lake, 'select * from isues'])
    expect(code).toBe(2)
    expect(stderr).toContain('Did you mean issues?')
    const asked = await run(['query', fleet, '--saved', 'commits-by-author'])
    expect(asked).toMatchObject({ code: 2 })
    expect(asked.stderr).toContain('Fill it in a database with marc repo index, and export')
  })
})
