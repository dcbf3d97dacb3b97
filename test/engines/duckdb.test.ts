import { spawnSync } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { datasetTables } from '../../src/exporters/ddl/dataset-views.ts'
import { exportData } from '../../src/exporters/export-data.ts'
import type { TypedValue } from '../../src/exporters/to-typed.ts'
import { verifyExport } from '../../src/exporters/verify/verify-export.ts'
import { ownProcess } from '../../src/files/partial-file.ts'
import type { Kind } from '../../src/records/kinds/kind.ts'
import { keepsThePromises } from '../exporters/exporter-contract.ts'
import { EVERY_KIND, filesOfKinds, recordsOfKinds } from '../support/any-records.ts'
import { issue, smallArchive } from '../support/archives.ts'
import { fromExport } from '../support/from-export.ts'
import { run } from '../support/run-command.ts'
import { describeWith, openDuckDb, type Row, type Sql } from './engines.ts'
import { factsBySql, WORDS } from './facts.ts'
import { openSqlite, SAME_VIEWS } from './sqlite.ts'

const ARCHIVE = 'samples/organization.tar.gz'

/** The name of a process of this machine that is gone. */
const ownerThatEnded = () =>
  ownProcess().replace(/-\d+$/, `-${spawnSync(process.execPath, ['-e', '0']).pid}`)

describeWith('A DuckDB file', ['@duckdb/node-api'], () => {
  const folder = mkdtempSync(join(tmpdir(), 'marc-duckdb-'))
  let files = 0
  const newFile = () => join(folder, `${files++}.duckdb`)
  const write = (source: string, file: string, options: Parameters<typeof exportData>[2] = {}) =>
    exportData(source, file, { format: 'duckdb', ...options })
  const fileOf = (archive: Buffer, name = 'it.tar.gz') => {
    writeFileSync(join(folder, name), archive)
    return join(folder, name)
  }
  const ask = async (file: string, query: string): Promise<Row[]> => {
    const duckdb = await openDuckDb(file)
    try {
      return await duckdb.ask(query)
    } finally {
      await duckdb.close()
    }
  }
  const whole = join(folder, 'whole.duckdb')
  let duckdb: Sql

  beforeAll(async () => {
    await write(ARCHIVE, whole)
    duckdb = await openDuckDb(whole)
  })
  afterAll(async () => {
    await duckdb.close()
    rmSync(folder, { recursive: true, force: true })
  })

  test('has in every table what SQLite has, and its views', async () => {
    const sqlite = await openSqlite(ARCHIVE, folder)
    const tables = datasetTables([]).filter(({ name, kind }) => kind && sqlite.has(name))
    expect(tables.length).toBeGreaterThan(15)
    for (const table of tables) {
      const has = ({ name }: { name: string }) => sqlite.columns(table.name).has(name)
      const facts = await factsBySql(duckdb, WORDS.DuckDB, table, has)
      expect(facts, table.name).toEqual(await factsBySql(sqlite, WORDS.SQLite, table, has))
    }
    const plain = (rows: Row[]) => rows.map((row) => Object.values(row).map(String))
    for (const query of SAME_VIEWS) {
      expect(plain(await duckdb.ask(query)), query).toEqual(plain(await sqlite.ask(query)))
    }
    sqlite.close()
  })

  test('has the types of DuckDB, and describes its columns', async () => {
    const rows = await duckdb.ask(
      "SELECT column_name, data_type, comment FROM duckdb_columns() WHERE table_name = 'issues'",
    )
    const types = Object.fromEntries(rows.map((row) => [row.column_name, row.data_type]))
    expect(types).toMatchObject({
      title: 'VARCHAR',
      created_at: 'TIMESTAMP WITH TIME ZONE',
      number: 'BIGINT',
      labels: 'VARCHAR[]',
      _extra: 'VARCHAR',
      _member_order: 'VARCHAR[]',
      reactions: expect.stringMatching(/^STRUCT\(.*\)\[\]$/),
    })
    expect(rows.every(({ comment }) => typeof comment === 'string')).toBe(true)
  })

  describe('keeps the promises of every target:', () => {
    keepsThePromises({
      format: 'duckdb',
      place: async () => newFile(),
      async titles(place, partition) {
        const value = partition.replaceAll("'", "''")
        const query = `SELECT title FROM issues WHERE _archive = '${value}' ORDER BY 1`
        return (await ask(place, query)).map(({ title }) => title as string)
      },
    })
  })

  test('takes several archives at once, also if it is new', async () => {
    const file = newFile()
    const names = ['a', 'b', 'c', 'd']
    const gadget = (url: string) => smallArchive({ 'gadgets_000001.json': [{ type: 'x', url }] })
    await Promise.all(names.map((name) => write(fileOf(gadget(name), `${name}.tar.gz`), file)))
    const rows = await ask(file, 'SELECT _archive, url FROM gadgets ORDER BY 1')
    expect(rows).toEqual(names.map((name) => ({ _archive: name, url: name })))
  })

  test('takes many archives in one transaction, and nothing of one that is damaged', async () => {
    const file = newFile()
    const whole = (title: string) => smallArchive({ 'issues_000001.json': [issue(1, title)] })
    const manyIssues = Array.from({ length: 3000 }, (_, i) => issue(i + 1, `${Math.sin(i)}`))
    const many = smallArchive({ 'issues_000001.json': manyIssues })
    const sources = [
      fileOf(whole('One'), 'whole-a.tar.gz'),
      fileOf(many.subarray(0, many.length - 500), 'damaged.tar.gz'),
      fileOf(whole('Two'), 'whole-b.tar.gz'),
    ]
    const exporting = ['export', ...sources, '--duckdb', file]
    const { code, stderr } = await run([...exporting, '--jobs', '2', '-q'])
    expect({ code, isNamed: stderr.includes('damaged.tar.gz') }).toEqual({ code: 1, isNamed: true })
    const rows = await ask(file, 'SELECT _archive, title FROM issues ORDER BY 1')
    expect(rows).toEqual([
      { _archive: 'whole-a', title: 'One' },
      { _archive: 'whole-b', title: 'Two' },
    ])
    const again = await run([...exporting, '--json'])
    const outcomes = JSON.parse(again.stdout).partitions.map(
      ({ outcome }: { outcome: string }) => outcome,
    )
    expect(outcomes).toEqual(['unchanged', 'unchanged'])
    expect(await run(['export', '--verify', '--duckdb', file, '-q'])).toMatchObject({
      code: 0,
    })
  })

  test('takes more long texts than DuckDB has memory for at first', async () => {
    const texts = Array.from({ length: 40 }, () => randomBytes(1.5 * 2 ** 20).toString('hex'))
    const long = smallArchive(
      Object.fromEntries(
        texts.map((body, i) => [
          `issues_${String(i + 1).padStart(6, '0')}.json`,
          [issue(i + 1, 'Long', { body })],
        ]),
      ),
    )
    const file = newFile()
    await write(fileOf(long, 'long.tar.gz'), file)
    const rows = await ask(file, 'SELECT md5(body) AS md5 FROM issues ORDER BY number')
    const md5 = (text: string) => createHash('md5').update(text).digest('hex')
    expect(rows).toEqual(texts.map((body) => ({ md5: md5(body) })))
    expect(readdirSync(folder).filter((name) => name.startsWith(basename(file)))).toEqual([
      basename(file),
    ])
  })

  test('gives back any record of each kind', async () => {
    const records = recordsOfKinds()
    const file = newFile()
    await write(fileOf(smallArchive(filesOfKinds(records)), 'any.tar.gz'), file)
    const any = await openDuckDb(file)
    for (const [name, kind] of EVERY_KIND) {
      const table = datasetTables(['gadgets']).find((one) => one.name === name)
      const times = (table?.columns ?? []).filter(({ type }) => type.is === 'time')
      const replaced = times.map((time) => `epoch_ms("${time.name}") AS "${time.name}"`).join(', ')
      const rows = await any.ask(
        `SELECT * ${replaced && `REPLACE (${replaced})`} FROM "${name}"
         WHERE _entry = '${name}_000001.json' ORDER BY _record_number`,
      )
      const expected = (records.get(name) ?? []).map((one) => JSON.stringify(one))
      expect(
        rows.map((row) => JSON.stringify(recordOf(kind, row))),
        name,
      ).toEqual(expected)
    }
    await any.close()
  })

  test('gets the columns that an older version did not have', async () => {
    const file = newFile()
    await write(ARCHIVE, file)
    const older = await openDuckDb(file)
    await older.run(`ALTER TABLE teams DROP COLUMN description;
      COMMENT ON TABLE _exports IS 'migration-archive 1 00'`)
    await older.close()
    await write('samples/hello.tar.gz', file)
    await write(ARCHIVE, file, { force: true })
    const [found] = await verifyExport(ARCHIVE, file, { format: 'duckdb' })
    expect(found?.differences).toEqual([])
  })

  test('stays as it was if a process that loads it is killed', async () => {
    const file = newFile()
    await write(ARCHIVE, file, { as: 'a' })
    const before = readFileSync(file)
    const broken = await openDuckDb(file)
    await broken.run('BEGIN; DELETE FROM issues')
    // What a killed process leaves: the file and its log, without the end of the transaction.
    const copy = newFile()
    writeFileSync(copy, readFileSync(file))
    if (existsSync(`${file}.wal`)) writeFileSync(`${copy}.wal`, readFileSync(`${file}.wal`))
    await broken.close()
    expect(readFileSync(copy).equals(before)).toBe(true)
    expect((await write(ARCHIVE, copy, { as: 'a' })).outcome).toBe('unchanged')
  })

  test('is not held up by locks of processes that were killed, and removes them', async () => {
    const own = mkdtempSync(join(folder, 'locks-'))
    const file = join(own, 'it.duckdb')
    const gone = JSON.stringify({ owner: ownerThatEnded(), host: 'here', token: 'x' })
    for (const name of ['it', 'other']) {
      const hash = createHash('sha256').update(name).digest('hex').slice(0, 16)
      writeFileSync(join(own, `.it.duckdb.${hash}.lock`), gone)
    }
    writeFileSync(join(own, '.it.duckdb.lock'), gone)
    await write(fileOf(smallArchive({ 'issues_000001.json': [issue(1, 'One')] })), file)
    expect(readdirSync(own)).toEqual(['it.duckdb'])
  })

  test('leaves nothing beside itself', async () => {
    const own = mkdtempSync(join(folder, 'own-'))
    const file = join(own, 'it.duckdb')
    await write(ARCHIVE, file)
    await expect(write(fileOf(readFileSync(ARCHIVE).subarray(0, 500)), file)).rejects.toThrow()
    expect(readdirSync(own)).toEqual(['it.duckdb'])
  })

  describe('refuses', () => {
    test('dataset-foreign: a DuckDB file with tables of something else', async () => {
      const file = newFile()
      const other = await openDuckDb(file)
      await other.run('CREATE TABLE orders (id INTEGER)')
      await other.close()
      await expect(write(ARCHIVE, file)).rejects.toMatchObject({ code: 'dataset-foreign' })
    })

    test('dataset-foreign: a file that is no DuckDB file', async () => {
      const file = fileOf(Buffer.from('my thesis'), 'thesis.txt')
      await expect(write(ARCHIVE, file)).rejects.toMatchObject({ code: 'dataset-foreign' })
      expect(readFileSync(file, 'utf8')).toBe('my thesis')
    })

    test('dataset-newer: a file that a newer version made', async () => {
      const file = newFile()
      const other = await openDuckDb(file)
      await other.run(
        "CREATE TABLE _exports (name VARCHAR); COMMENT ON TABLE _exports IS 'migration-archive 99 ab'",
      )
      await other.close()
      await expect(write(ARCHIVE, file)).rejects.toMatchObject({ code: 'dataset-newer' })
    })
  })

  test('has small blocks, of which a commit holds one for each column', async () => {
    const [size] = await ask(whole, 'PRAGMA database_size')
    expect(size?.block_size).toBe('16384')
  })

  test('is written and emptied by the command', async () => {
    const file = newFile()
    const { stdout, code } = await run(['export', 'samples/hello.tar.gz', '--duckdb', file])
    expect([code, stdout]).toEqual([0, expect.stringContaining('Wrote 1 partition of ')])
    const removed = await run(['export', '--duckdb', file, '--remove', 'hello'])
    expect([removed.code, removed.stdout]).toEqual([0, 'Removed hello.\n'])
    expect(await ask(file, 'SELECT count(*) AS n FROM issues')).toEqual([{ n: '0' }])
  })
})

const recordOf = (kind: Kind, row: Row) =>
  fromExport(kind, {
    values: Object.keys(kind.columns).map((column) => row[column] as TypedValue),
    extra: row._extra as string | null,
    memberOrder: row._member_order as string[] | null,
  })
