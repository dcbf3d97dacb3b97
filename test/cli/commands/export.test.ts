import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { describeSchema as describeClickHouse } from '../../../src/exporters/targets/clickhouse/schema.ts'
import { createSchema } from '../../../src/exporters/targets/duckdb/schema.ts'
import { describeSchema } from '../../../src/exporters/targets/postgres/schema.ts'
import { issue, smallArchive } from '../../support/archives.ts'
import { inFolder, run, runShell } from '../../support/run-command.ts'
import { everyDay, THOROUGH } from '../../support/thorough.ts'

const one = smallArchive({ 'issues_000001.json': [issue(1, 'One'), issue(2, 'Two')] })
const two = smallArchive({ 'issues_000001.json': [issue(2, 'Two, later'), issue(3, 'Three')] })
const archives = { 'one.tar.gz': one, 'two.tar.gz': two }

/** The titles of the issues in a partition of NDJSON. */
const titles = (partition: string): string[] =>
  readFileSync(`lake/kind=issues/archive=${partition}/data.ndjson`, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line).title)

describe('marc export', () => {
  test('makes a partition of each source', THOROUGH, async () => {
    inFolder(archives)
    const { code, stdout } = await run(['export', 'one.tar.gz', 'two.tar.gz', '--ndjson', 'lake'])
    expect([code, stdout]).toEqual([0, expect.stringContaining('Wrote 2 partitions of lake')])
    expect([titles('one'), titles('two')]).toEqual([
      ['One', 'Two'],
      ['Two, later', 'Three'],
    ])
  })

  test('makes a partition of each archive in a folder, and tells each in a line', async () => {
    inFolder({ 'exports/two.tar.gz': two, 'exports/one.tar.gz': one })
    const { stdout } = await run(['export', 'exports', '--ndjson', 'lake'])
    expect(stdout).toMatch(/^ {2}one +\d+ +\d+ B\n {2}two +\d+ +\d+ B\nWrote 2 partitions of lake /)
    const again = await run(['export', 'exports/*', '--ndjson', 'lake'])
    expect(again.stdout).toBe('2 partitions are up to date.\n')
  })

  test('writes a Markdown file for each thread of all sources, and only what changed again', async () => {
    inFolder(archives)
    const line = ['export', 'one.tar.gz', 'two.tar.gz', '--markdown', 'notes']
    expect(await run(line)).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^wrote (\d+) of \1 files; begin with notes\/README\.md\n$/),
    })
    const again = await run([...line, '--json'])
    expect(JSON.parse(again.stdout)).toMatchObject({ folder: 'notes', written: 0, removed: 0 })
    const titles = readdirSync('notes', { recursive: true, encoding: 'utf8' })
    expect(titles.filter((name) => name.endsWith('-two.md'))).toHaveLength(1)
  })

  test('takes no options of other targets with --markdown', async () => {
    inFolder(archives)
    for (const option of ['--raw', '--no-wait', '--csv=tables', '--jobs=2']) {
      const { code, stderr } = await run(['export', 'one.tar.gz', '--markdown', 'notes', option])
      expect([code, stderr]).toEqual([
        2,
        expect.stringContaining(`--markdown cannot be combined with ${option.split('=')[0]}`),
      ])
    }
  })

  test(
    'says which partition is incomplete with --salvage, also if it is up to date',
    THOROUGH,
    async () => {
      inFolder({ 'one.tar.gz': one.subarray(0, -40) })
      const line = ['export', 'one.tar.gz', '--ndjson', 'lake', '--salvage']
      const incomplete = '\n  incomplete: the archive is damaged; marc inspect says what is lost\n'
      for (const first of ['one\n', 'one is up to date.\n']) {
        const { code, stdout } = await run(line)
        expect({ code, stdout }).toMatchObject({ code: 5, stdout: expect.stringContaining(first) })
        expect(`${stdout}\n`).toContain(incomplete)
      }
    },
  )

  test('does not take standard output for a folder', async () => {
    const folder = inFolder(archives)
    const { code, stderr } = await run(['export', 'one.tar.gz', '--csv', '-'])
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining('--csv cannot write to standard output'),
    ])
    expect(readdirSync(folder)).not.toContain('-')
  })

  test('stops at a server that is gone with one error, and lists what was not exported', async () => {
    inFolder(archives)
    const line = ['export', 'one.tar.gz', 'two.tar.gz', '--clickhouse', 'http://127.0.0.1:1', '-q']
    const { code, stderr } = await run(line)
    expect(code).toBe(4)
    expect(stderr.match(/marc: /g)).toHaveLength(1)
    expect(stderr).toMatch(
      /\n0 of 2 were exported\. Not exported:\n {2}one\.tar\.gz\n {2}two\.tar\.gz\n$/,
    )
    const { stdout } = await run([...line, '--json'])
    expect(JSON.parse(stdout)).toMatchObject({
      partitions: [],
      notExported: ['one.tar.gz', 'two.tar.gz'],
    })
  })

  test(
    'makes one partition of all sources with --together, in which a later one wins',
    THOROUGH,
    async () => {
      inFolder(archives)
      const line = ['export', 'one.tar.gz', 'two.tar.gz', '--ndjson', 'lake', '--together']
      const { code } = await run([...line, '--as', 'all'])
      expect([code, titles('all').sort()]).toEqual([0, ['One', 'Three', 'Two, later']])
      const again = await run([...line, '--as', 'all'])
      expect(again.stdout).toContain('all is up to date.')
      expect((await run(line)).stderr).toContain('--together needs a name')
    },
  )

  test('verifies what is there, with the sources or the manifests', THOROUGH, async () => {
    inFolder(archives)
    await run(['export', 'one.tar.gz', 'two.tar.gz', '--ndjson', 'lake'])
    const line = ['export', '--ndjson', 'lake', '--verify']
    const REST =
      'The rest of the target is as it should be. Not compared: files whose names begin with a dot or _, which engines pass over.\n'
    expect(await run([...line, 'one.tar.gz'])).toMatchObject({
      code: 0,
      stdout: `one is as it should be.\n${REST}`,
    })
    const path = 'lake/kind=issues/archive=two/data.ndjson'
    writeFileSync(path, readFileSync(path, 'utf8').replace('Three', 'Drei!'))
    const { code, stdout } = await run(line)
    expect([code, stdout]).toEqual([
      1,
      expect.stringMatching(
        /^one is .+ the source\.\ntwo differs:\n {2}issues, sha256: expected \w+, found \w+\n {2}Not compared: the source\.\nThe rest .+\n$/,
      ),
    ])
    const json = await run([...line, 'two.tar.gz', '--json'])
    const { partitions, rest } = JSON.parse(json.stdout)
    expect(partitions[0].differences[0]).toMatchObject({ table: 'issues', fact: 'sha256' })
    expect(rest.differences).toEqual([])
    expect((await run([...line, 'two.tar.gz', '--quiet'])).stdout).toBe('')
  })

  test('removes a partition', THOROUGH, async () => {
    inFolder(archives)
    await run(['export', 'one.tar.gz', '--csv', 'lake'])
    const { stdout } = await run(['export', '--csv', 'lake', '--remove', 'one'])
    expect(stdout).toBe('Removed one.\n')
    expect(readdirSync('lake')).toEqual(['_marc'])
    expect((await run(['export', '--csv', 'lake', '--remove', 'one'])).code).toBe(1)
  })

  test('removes nothing if sources are named as well', async () => {
    inFolder(archives)
    const { code, stderr } = await run(['export', 'one.tar.gz', '--csv', 'lake', '--remove', 'one'])
    expect([code, stderr]).toEqual([
      2,
      'marc: --remove needs no sources\nSee: marc export --help\n',
    ])
  })

  test('advises another target if the target is a source', async () => {
    inFolder(archives)
    const { code, stderr } = await run(['export', 'one.tar.gz', '--duckdb', 'one.tar.gz'])
    expect([code, stderr]).toEqual([
      3,
      'marc: one.tar.gz: the target is one of the sources\nName another target.\n',
    ])
  })

  test('prints the statements for a server without asking it', async () => {
    const url = 'postgres://127.0.0.1:1/none'
    const { code, stdout } = await run(['export', '--postgres', url, '--ddl', '--schema', 'acme'])
    expect([code, stdout]).toEqual([0, describeSchema('acme')])
    expect(stdout).toContain('CREATE SCHEMA IF NOT EXISTS "acme"')
    const other = await run(['export', '--clickhouse', 'http://127.0.0.1:1', '--ddl'])
    expect([other.code, other.stdout]).toEqual([0, describeClickHouse('marc')])
  })

  test('prints no indexes that are not wanted, and tables by the key that is', async () => {
    const line = ['export', '--postgres', 'postgres://127.0.0.1:1/none', '--ddl', '--no-indexes']
    const { stdout } = await run(line)
    expect(stdout).toContain('CREATE TABLE IF NOT EXISTS "issues"')
    expect(stdout).not.toContain('CREATE INDEX')
    const other = ['--clickhouse', 'http://127.0.0.1:1', '--ddl', '--partition-by', 'shard']
    const shards = (await run(['export', ...other])).stdout
    expect(shards).toContain('PARTITION BY _shard')
    expect(shards).not.toContain('PARTITION BY _archive')
  })

  test('prints the statements for a DuckDB file without its package', async () => {
    inFolder({})
    const { code, stdout } = await run(['export', '--duckdb', 'it.duckdb', '--ddl'])
    expect([code, stdout]).toEqual([0, `${createSchema()}\n`])
    expect(existsSync('it.duckdb')).toBe(false)
  })

  everyDay(1)([
    ['--postgres', 'postgres://marc:hunter22@127.0.0.1:1/none', 'PGPASSWORD or ~/.pgpass'],
    ['--postgres', 'postgres://127.0.0.1:1/none?password=hunter22', 'PGPASSWORD'],
    ['--clickhouse', 'http://marc:hunter22@127.0.0.1:1', 'CLICKHOUSE_PASSWORD'],
    ['--parquet', 's3://AKIA:hunter22@bucket/lake', 'AWS_SECRET_ACCESS_KEY'],
    ['--csv', 's3://AKIA:hunter22@bucket/lake', 'AWS_SECRET_ACCESS_KEY'],
  ])('warns of a password after %s in %s, and never repeats it', async (option, place, instead) => {
    const lines = [
      ['samples/hello.tar.gz', option, place],
      ['samples/hello.tar.gz', option, place, '--json'],
      ['samples/hello.tar.gz', option, place, '--verify'],
      [option, place, '--remove', 'hello'],
    ]
    for (const line of lines) {
      const { stderr, stdout } = await run(['export', ...line])
      expect(stderr).toContain(`others can see a password in a command line: use ${instead}`)
      expect(stdout + stderr).not.toContain('hunter22')
    }
    const { stdout, stderr } = await run(['export', option, place, '--ddl'])
    expect(stdout + stderr).not.toContain('hunter22')
  })

  test('names the remedy for a service of PostgreSQL, which it does not read', async () => {
    const lines = [
      ['postgres:///database', true],
      ['postgres:///?service=mine', true],
      ['postgres://127.0.0.1:1/database', false],
    ] as const
    for (const [address, isRefused] of lines) {
      const env = { PGSERVICE: 'mine' }
      const args = ['export', 'samples/hello.tar.gz', '--postgres', address]
      const { stderr } = await run(args, { env })
      expect(stderr.includes('Name the server in the address')).toBe(isRefused)
    }
  })

  test('never prints passwords and keys of the environment', async () => {
    const env = {
      CLICKHOUSE_USER: 'marc',
      CLICKHOUSE_PASSWORD: 'hunter22',
      PGPASSWORD: 'hunter22',
      AWS_ACCESS_KEY_ID: 'hunter22',
      AWS_SECRET_ACCESS_KEY: 'hunter22',
      AWS_SESSION_TOKEN: 'hunter22',
      AWS_ENDPOINT_URL: 'http://marc:hunter22@127.0.0.1:1',
    }
    for (const target of [
      ['--postgres', 'postgres://127.0.0.1:1/none'],
      ['--clickhouse', 'http://127.0.0.1:1'],
      ['--parquet', 's3://bucket/lake'],
    ]) {
      const { code, stderr, stdout } = await run(['export', 'samples/hello.tar.gz', ...target], {
        env,
      })
      expect(code).toBeGreaterThan(1)
      expect(stdout + stderr).not.toContain('hunter22')
    }
  })

  everyDay(5)<[string, string[], string]>([
    ['no target', ['one.tar.gz'], 'expected a target, found none'],
    ['two targets', ['one.tar.gz', '--csv', 'a', '--ndjson', 'b'], 'expected one target'],
    ['no source', ['--csv', 'a'], '<sources> is missing'],
    ['a name for several', ['one.tar.gz', 'two.tar.gz', '--csv', 'a', '--as', 'x'], '--together'],
    ['two sources with one name', ['one.tar.gz', './one.tar.gz', '--csv', 'a'], 'called "one"'],
    ['a schema of a folder', ['one.tar.gz', '--csv', 'a', '--schema', 'b'], 'needs --postgres or'],
    [
      'a shard of a folder',
      ['one.tar.gz', '--csv', 'a', '--shard', 'b'],
      '--shard needs --postgres or --clickhouse',
    ],
    ['formulas of another format', ['one.tar.gz', '--ndjson', 'a', '--csv-safe'], 'needs --csv'],
    ['a key of a folder', ['one.tar.gz', '--csv', 'a', '--partition-by', 'shard'], 'needs --click'],
    ['no indexes of a folder', ['one.tar.gz', '--csv', 'a', '--no-indexes'], 'needs --postgres'],
    ['no URL of ClickHouse', ['one.tar.gz', '--clickhouse', 'localhost'], 'http://'],
    [
      'shards without --ddl',
      ['one.tar.gz', '--postgres', 'postgres://h', '--shards', 's=h'],
      '--ddl',
    ],
    ['shards of a folder', ['--parquet', 'a', '--ddl', '--shards', 's=h'], '--postgres'],
    [
      'a shard without a host',
      ['--postgres', 'postgres://h', '--ddl', '--shards', 's'],
      's1=host1',
    ],
    ['no number', ['one.tar.gz', '--csv', 'a', '--jobs', 'all'], '--jobs takes a number'],
    ['no URL', ['one.tar.gz', '--postgres', 'localhost'], 'postgres://'],
    ['a missing package', ['one.tar.gz', '--postgres', 'postgres://h/d'], 'install -g pg pg-copy'],
    ['a missing package of a file', ['one.tar.gz', '--duckdb', 'a'], 'install -g @duckdb/node-api'],
    ['views of CSV', ['--csv', 'a', '--ddl'], '--ddl needs --parquet, --duckdb, --postgres or'],
  ])('refuses %s', async (_what, words, message) => {
    inFolder(archives)
    const { code, stderr } = await run(['export', ...words])
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)])
    expect(existsSync('a')).toBe(false)
  })

  const fillDisk = async (format: string) => {
    inFolder(archives)
    await run(['load', 'two.tar.gz', '-o', 'two.db', '-q'])
    await run(['export', 'one.tar.gz', `--${format}`, 'lake', '--as', 'it', '-q'])
    const line = `ulimit -f 1; marc export two.db --${format} lake --as it --raw -q`
    const { code, stderr } = await runShell(line)
    expect([code, stderr]).toEqual([3, expect.stringContaining('Free disk space')])
    const verify = ['export', 'one.tar.gz', `--${format}`, 'lake', '--as', 'it', '--verify', '-q']
    expect((await run(verify)).code).toBe(0)
    const names = readdirSync('lake', { recursive: true, encoding: 'utf8' })
    expect(names.filter((name) => /partial|lock/.test(name))).toEqual([])
  }
  const title = 'output-full: a full disk leaves a partition of %s as it was'
  test.each(['parquet', 'ndjson', 'csv'])(title, THOROUGH, fillDisk)

  test('output-refused: a target that is a source', async () => {
    inFolder({ 'one.tar.gz': one })
    writeFileSync('it', one)
    expect((await run(['export', 'it', '--csv', './it'])).code).toBe(3)
  })
})
