import { existsSync, readdirSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { describe, expect, test } from 'vitest'
import { SCHEMA_VERSION } from '../../../src/database/schema/schema-version.ts'
import { issue, smallArchive } from '../../support/archives.ts'
import { databaseOf } from '../../support/load-once.ts'
import { inFolder, run, shareFolder } from '../../support/run-command.ts'
import { everyDay, THOROUGH } from '../../support/thorough.ts'

const small = smallArchive()
const SQL = 'select number, title from issues order by 1 limit 2'
const CACHE = '.cache/migration-archive'
const cached = () =>
  (existsSync(CACHE) ? readdirSync(CACHE) : [])
    .filter((name) => name.endsWith('.db'))
    .map((name) => join(CACHE, name))

const FORMATS: [string[], string][] = [
  [['table'], 'number  title\n------  ------\n     1  First\n     2  Second\n'],
  [['json'], '[{"number":1,"title":"First"},\n {"number":2,"title":"Second"}]\n'],
  [['ndjson', '--nl'], '{"number":1,"title":"First"}\n{"number":2,"title":"Second"}\n'],
  [['csv', '--csv'], 'number,title\n1,First\n2,Second\n'],
  [['tsv', '--tsv'], 'number\ttitle\n1\tFirst\n2\tSecond\n'],
  [['markdown'], '| number | title |\n| --- | --- |\n| 1 | First |\n| 2 | Second |\n'],
  [['raw', '--raw', '-r'], '1\tFirst\n2\tSecond\n'],
]

shareFolder({ 'a.tar.gz': small, 'q.sql': SQL })

everyDay(1)(FORMATS)('writes %j', async ([name, ...short], written) => {
  const expected = { code: 0, stdout: written, stderr: '' }
  expect(await run(['query', 'a.tar.gz', SQL, '--format', name as string])).toEqual(expected)
  for (const flag of short) expect(await run(['query', 'a.tar.gz', SQL, flag])).toEqual(expected)
})

test('writes a table on a terminal and JSON into a pipe', THOROUGH, async () => {
  const table = await run(['query', 'a.tar.gz', SQL, '--table'])
  const env = { NO_COLOR: '1' }
  expect((await run(['query', 'a.tar.gz', SQL], { tty: 'stdout', env })).stdout).toBe(table.stdout)
  expect((await run(['query', 'a.tar.gz', SQL, '-t'])).stdout).toBe(table.stdout)
  const json = await run(['query', 'a.tar.gz', SQL])
  expect(JSON.parse(json.stdout)).toHaveLength(2)
})

test('cuts long cells on a terminal and never in a pipe', async () => {
  const sql = `select '${'x'.repeat(500)}' as long`
  const onTerminal = await run(['query', 'a.tar.gz', sql], { tty: 'stdout', columns: 40 })
  expect(onTerminal.stdout).toMatch(/^x{39}…$/m)
  expect((await run(['query', 'a.tar.gz', sql, '-t'])).stdout).toMatch(/^x{500}$/m)
})

test('shows rows too wide for the terminal with one value per line', async () => {
  const { stdout } = await run(['query', 'a.tar.gz', 'select * from issues'], {
    tty: 'stdout',
    env: { NO_COLOR: '1' },
  })
  expect(stdout).toMatch(/^title +First$/m)
  expect(stdout.split('\n').filter((line) => line.length > 80)).toEqual([])
})

test('leaves out headers with --no-headers, and formulas with --csv-safe', async () => {
  expect((await run(['query', 'a.tar.gz', SQL, '--csv', '--no-headers'])).stdout).toBe(
    '1,First\n2,Second\n',
  )
  const formula = await run(['query', 'a.tar.gz', "select '=1+1' as x", '--csv', '--csv-safe'])
  expect(formula.stdout).toBe("x\n'=1+1\n")
})

describe('parameters', () => {
  test('are numbers if they look like numbers', async () => {
    const sql = 'select typeof(:a) a, typeof(:b) b, typeof(:c) c, typeof(:d) d'
    const pairs = ['-p', 'a', '1', '-p', 'b', '-2.5', '-p', ':c', '007', '-p', 'd', '']
    const { stdout } = await run(['query', 'a.tar.gz', sql, ...pairs])
    expect(JSON.parse(stdout)).toEqual([{ a: 'integer', b: 'real', c: 'text', d: 'text' }])
  })

  test('that are missing are named', async () => {
    expect(await run(['query', 'a.tar.gz', 'select :a', '-p', 'b', '1'])).toMatchObject({
      code: 2,
      stderr: 'marc: the parameter :a has no value\nGive it with: -p a <value>\n',
    })
  })
})

describe('the statement', () => {
  test('may come from a file or standard input', async () => {
    const expected = await run(['query', 'a.tar.gz', SQL])
    expect(await run(['query', 'a.tar.gz', '-f', 'q.sql'])).toEqual(expected)
    expect(await run(['query', 'a.tar.gz', '-'], { stdin: SQL })).toEqual(expected)
    expect(await run(['query', 'a.tar.gz'], { stdin: SQL })).toEqual(expected)
  })

  everyDay(1)([
    [[], /^marc: the statement is missing\nBegin with: marc query/],
    [[' '], /^marc: the statement is missing\n/],
    [['select 1', '-f', 'q.sql'], /^marc: expected a statement or a file with one, found both\n/],
    [['-f', 'none.sql'], /^marc: none\.sql: there is no such file\n/],
    [
      ['select 1 frobnicate 2'],
      /^marc: near "2": syntax error\nSee the tables and columns with: marc schema/,
    ],
    [['select * from isues'], /^marc: no such table: isues\nDid you mean issues\?\n/],
    [['select 1; select 2'], /^marc: expected one statement, found several\n/],
    [['delete from issues'], /^marc: this statement writes\n/],
    [['delete from issues returning *'], /^marc: this statement writes/],
    [["attach 'x.db' as x"], /^marc: this statement returns no rows\n/],
    [['pragma journal_mode = wal'], /^marc: /],
    [['select load_extension(1)'], /^marc: /],
    [['select 1', '--csv', '--nl'], /^marc: expected one format, found --nl and --csv\n/],
    [
      ['select 1', '--format', 'csv', '-t'],
      /^marc: expected one format, found --format csv and --table\n/,
    ],
  ])('%j is refused', async (argv, message) => {
    const { code, stdout, stderr } = await run(['query', 'a.tar.gz', ...argv])
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toMatch(message)
    expect(readdirSync('.').filter((name) => name.startsWith('x'))).toEqual([])
  })
})

describe('an archive', () => {
  test('is loaded once, into the cache', async () => {
    inFolder({ 'a.tar.gz': small })
    await run(['query', 'a.tar.gz', SQL])
    const [database, ...others] = cached() as [string]
    expect(others).toEqual([])
    const { ino } = statSync(database)
    const { code, stdout } = await run(['tables', './a.tar.gz'])
    expect(code).toBe(0)
    expect(stdout).toContain('issues')
    expect(cached()).toEqual([database])
    expect(statSync(database).ino).toBe(ino)
  })

  test('uses a cached database with contents too', THOROUGH, async () => {
    inFolder({ 'a.tar.gz': small })
    await run(['attachments', 'check', 'a.tar.gz'])
    const withContents = cached()
    expect(withContents).toHaveLength(1)
    expect((await run(['query', 'a.tar.gz', SQL])).code).toBe(0)
    expect(cached()).toEqual(withContents)
  })

  test('that changed is loaded again, and the earlier database is removed', THOROUGH, async () => {
    inFolder({ 'a.tar.gz': small })
    const sql = 'select count(*) from issues'
    expect((await run(['query', 'a.tar.gz', sql, '-r'])).stdout).toBe('3\n')
    const [before] = cached()
    writeFileSync('a.tar.gz', smallArchive({ 'issues_000001.json': [issue(1, 'Alone')] }))
    expect((await run(['query', 'a.tar.gz', sql, '-r'])).stdout).toBe('1\n')
    expect(cached()).toHaveLength(1)
    expect(cached()).not.toContain(before)
  })

  test('that is damaged leaves nothing in the cache', async () => {
    inFolder({ 'a.tar.gz': small.subarray(0, -50) })
    expect((await run(['query', 'a.tar.gz', SQL])).code).toBe(3)
    expect(cached()).toEqual([])
  })

  test('may be an unpacked folder', THOROUGH, async () => {
    inFolder({ 'export/issues_000001.json': JSON.stringify([issue(1, 'Packed out')]) })
    expect((await run(['query', 'export', 'select title from issues', '-r'])).stdout).toBe(
      'Packed out\n',
    )
    writeFileSync('export/issues_000001.json', JSON.stringify([issue(1, 'Changed')]))
    expect((await run(['query', 'export', 'select title from issues', '-r'])).stdout).toBe(
      'Changed\n',
    )
  })

  test('is queried by several commands at once', THOROUGH, async () => {
    inFolder({ 'a.tar.gz': small })
    const outcomes = await Promise.all([1, 2].map(() => run(['query', 'a.tar.gz', SQL])))
    expect(outcomes.map(({ code }) => code)).toEqual([0, 0])
    expect(cached()).toHaveLength(1)
  })

  test('shows progress while it is loaded, on a terminal', THOROUGH, async () => {
    inFolder({ 'a.tar.gz': small })
    expect((await run(['query', 'a.tar.gz', SQL], { tty: true })).stderr).toContain(
      'reading a.tar.gz',
    )
    expect((await run(['query', 'a.tar.gz', SQL], { tty: true })).stderr).toBe('')
  })

  test('needs a cache, and says how to name another', async () => {
    inFolder({ 'a.tar.gz': small })
    const env = { XDG_CACHE_HOME: join(process.cwd(), 'a.tar.gz') }
    const { code, stderr } = await run(['query', 'a.tar.gz', SQL], { env })
    expect(code).toBe(2)
    expect(stderr).toMatch(
      /the cache folder cannot be used: .+\nName another one with XDG_CACHE_HOME/,
    )
  })

  test('is asked for if there is only a statement', async () => {
    const { code, stderr } = await run(['query', 'select 1'])
    expect([code, stderr]).toEqual([
      2,
      "marc: expected a database or an archive, found only a statement\nName one before it: marc query archive.tar.gz 'select 1'\n",
    ])
  })

  test('cannot share standard input with the statement', async () => {
    inFolder()
    for (const argv of [
      ['query', '-'],
      ['query', '-', '-'],
      ['shell', '-'],
    ]) {
      const { code, stderr } = await run(argv, { stdin: small })
      expect({ code, stderr }).toMatchObject({
        code: 2,
        stderr: expect.stringContaining('standard input cannot hold both the source and the stat'),
      })
    }
  })
})

test.each([
  ['nowhere.db', 2, 'there is no such file\nCreate one with: marc load <archive>'],
  ['text', 3, 'expected a tar.gz'],
  ['zeros', 3, 'expected a tar, found only zeros'],
  ['foreign.db', 3, 'this database was not made by this program'],
])('%s is refused', async (name, exit, message) => {
  inFolder({ text: 'just a text', zeros: Buffer.alloc(5_000), 'a.tar.gz': small })
  new Sqlite('foreign.db').exec('create table t (x)').close()
  const { code, stderr } = await run(['query', name, SQL])
  expect(code).toBe(exit)
  expect(stderr).toContain(message)
})

describe('the cache', () => {
  test('is rebuilt if it is damaged', async () => {
    inFolder({ 'a.tar.gz': smallArchive() })
    const count = ['query', 'a.tar.gz', 'select count(*) n from issues', '-r']
    const { stdout } = await run(count)
    const [name] = readdirSync('.cache/migration-archive')
    writeFileSync(`.cache/migration-archive/${name}`, 'garbage of some length, and no database')
    expect(await run(count)).toMatchObject({ code: 0, stdout })
  })

  test('is rebuilt if another version created it', THOROUGH, async () => {
    inFolder({ 'a.tar.gz': smallArchive() })
    const count = ['query', 'a.tar.gz', 'select count(*) n from issues', '-r']
    const { stdout } = await run(count)
    const [current = ''] = cached()
    // With the file name of the previous version, and with the current one.
    const older = current.replace(/-v\d+/, `-v${SCHEMA_VERSION - 1}`)
    for (const name of [older, current]) {
      renameSync(current, name)
      new Sqlite(name).exec(`PRAGMA user_version = 1; DROP TABLE issues`).close()
      expect(await run(count)).toMatchObject({ code: 0, stdout, stderr: '' })
      expect(cached()).toEqual([current])
    }
  })
})

test(
  'a database of an older version is refused, with the remedy, until it is loaded again',
  THOROUGH,
  async () => {
    inFolder({ 'a.tar.gz': small, 'a.db': await databaseOf(small) })
    new Sqlite('a.db').exec('PRAGMA user_version = 1').close()
    const argvs = [
      ['query', 'a.db', SQL],
      ['build', 'a.db', '-o', 'b.tar.gz'],
      ['load', 'a.tar.gz', '-o', 'a.db'],
    ]
    for (const argv of argvs) {
      const { code, stderr } = await run(argv)
      expect({ code, stderr }).toEqual({
        code: 3,
        stderr:
          `marc: a.db: its schema has version 1, this program's has ${SCHEMA_VERSION}\n` +
          'Load its archives again with this version: marc load <archive> -o a.db --force\n',
      })
    }
    expect((await run(['load', 'a.tar.gz', '-o', 'a.db', '--force'])).code).toBe(0)
    expect((await run(['query', 'a.db', SQL])).code).toBe(0)
  },
)
