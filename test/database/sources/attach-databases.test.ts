import { readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import fc from 'fast-check'
import { describe, expect, onTestFinished, test } from 'vitest'
import { type Database, openDatabase } from '../../../src/database/open-database.ts'
import { quoteName } from '../../../src/database/quote.ts'
import {
  attachDatabases,
  isTooMuch,
  writeMergedSchema,
} from '../../../src/database/sources/attach-databases.ts'
import { MOST_ATTACHED } from '../../../src/database/sources/attached-tables.ts'
import { mergeDatabases } from '../../../src/database/sources/merge-databases.ts'
import { loadArchive } from '../../../src/load/load-archive.ts'
import { runQuery } from '../../../src/query/run-query.ts'
import { readQueries, SHIPPED_QUERIES } from '../../../src/query/saved-queries.ts'
import { Random } from '../../bench/random.ts'
import { editDatabase } from '../../faces/edit-database.ts'
import { filesOf, worlds } from '../../support/arbitrary-world.ts'
import { folderOf } from '../../support/folder.ts'
import { loaded, recordFile, rowsOf, sourceOf } from '../../support/load.ts'
import { runs } from '../../support/property-runs.ts'
import { DISK, smallDisk } from '../../support/small-disk.ts'
import { THOROUGH } from '../../support/thorough.ts'

const HOST = 'https://forge.example/ada/kettle'

const issue = (number: number, title: string) => ({
  type: 'issue',
  url: `${HOST}/issues/${number}`,
  title,
  user: 'https://forge.example/ada',
  created_at: '2024-01-01T00:00:00Z',
  updated_at: `2024-01-0${number}T00:00:00Z`,
})

const partsOf = (paths: readonly string[]) =>
  paths.map((path, i) => ({ path, source: `source ${i + 1}` }))

async function attachedOf(paths: readonly string[]): Promise<Database> {
  const schema = join(await folderOf(), 'attached.db')
  await writeMergedSchema(partsOf(paths), schema)
  const attached = attachDatabases(schema)
  onTestFinished(() => void attached.close())
  return attached
}

/** Several databases, merged and attached. */
async function bothOf(paths: readonly string[]): Promise<{ merged: Database; attached: Database }> {
  const path = join(await folderOf(), 'merged.db')
  await mergeDatabases(partsOf(paths), path)
  const merged = openDatabase(path)
  onTestFinished(() => void merged.close())
  return { merged, attached: await attachedOf(paths) }
}

const relationsOf = (database: Database) =>
  rowsOf(
    database,
    "SELECT name FROM sqlite_schema WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite%' AND name NOT IN ('attached parts', 'replaced rows') ORDER BY name",
  ).map(([name]) => String(name))

const answer = (database: Database, sql: string, values = {}) => {
  const { columns, rows } = runQuery(database, sql, values)
  return { columns, rows: Array.from(rows, (row) => JSON.stringify(row)).sort() }
}

/** Compares every table, view and saved question, but for those that are left to a merge. One asks for rowids. */
function expectAlike(
  { merged, attached }: { merged: Database; attached: Database },
  left: readonly string[] = ['problems-by-code'],
): void {
  expect(relationsOf(attached)).toEqual(relationsOf(merged))
  for (const name of relationsOf(merged)) {
    const sql = `SELECT * FROM ${quoteName(name)}`
    expect(answer(attached, sql), name).toEqual(answer(merged, sql))
  }
  const queries = readQueries(SHIPPED_QUERIES)
  const asked = queries.filter(({ sql }) => !isTooMuch(attached, sql))
  const others = queries.filter((query) => !asked.includes(query))
  expect(others.map(({ name }) => name)).toEqual(left)
  for (const { name, sql, parameters } of asked) {
    const values = Object.fromEntries(
      parameters.map(({ name, standard }) => [name, standard === undefined ? 1 : standard]),
    )
    expect(answer(attached, sql, values), name).toEqual(answer(merged, sql, values))
  }
}

describe('Databases that are attached', () => {
  test('have the rows of a merge, in every table, view and saved question', THOROUGH, async () => {
    const january = {
      ...recordFile('issues', issue(1, 'Old'), issue(2, 'Deleted'), {
        type: 'issue',
        title: 'None',
      }),
      ...recordFile('gadgets', { type: 'gadget', url: `${HOST}/gadgets/1` }),
      ...recordFile('attached_parts', { type: 'part', url: `${HOST}/parts/1` }),
      ...recordFile('replaced_rows', { type: 'row', url: `${HOST}/rows/1` }),
      'repositories/ada/kettle.git/refs/heads/old': `${'a'.repeat(40)}\n`,
    }
    const march = {
      ...recordFile('issues', issue(1, 'New'), issue(3, 'Opened')),
      'repositories/ada/kettle.git/refs/heads/main': `${'b'.repeat(40)}\n`,
    }
    const paths = [(await loaded(january)).path, (await loaded(march)).path]
    const both = await bothOf(paths)
    expectAlike(both)
    expect(rowsOf(both.attached, 'SELECT title, _source FROM issues ORDER BY 1')).toEqual([
      ['Deleted', 'source 1'],
      ['New', 'source 2'],
      ['None', 'source 1'],
      ['Opened', 'source 2'],
    ])
  })

  test('have the rows of a merge, whatever they hold', {
    ...THOROUGH,
    timeout: 300_000,
  }, async () => {
    const some = fc.array(fc.tuple(worlds, fc.option(fc.nat())), { minLength: 2, maxLength: 4 })
    await fc.assert(
      fc.asyncProperty(some, async (archives) => {
        const paths: string[] = []
        for (const [world, seed] of archives) {
          const { path } = await loaded(filesOf(world))
          if (seed !== null) editDatabase(path, new Random(seed, 0, 0))
          paths.push(path)
        }
        expectAlike(await bothOf(paths))
      }),
      { numRuns: runs(60), endOnFailure: true },
    )
  })

  test('have the rows of a merge if they are as many as can be attached', {
    ...THOROUGH,
    timeout: 120_000,
  }, async () => {
    const paths: string[] = []
    for (let number = 1; number <= MOST_ATTACHED; number++) {
      const records = {
        ...recordFile('issues', issue(100, `Of ${number}`), issue(number, 'Its own')),
        ...recordFile('users', { type: 'user', url: `${HOST}/people/${number % 3}`, login: 'it' }),
      }
      paths.push((await loaded(records)).path)
    }
    const both = await bothOf(paths)
    expectAlike(both, ['issues-closed-by-pull-requests', 'problems-by-code'])
    expect(rowsOf(both.attached, 'SELECT title FROM issues WHERE number = 100')).toHaveLength(1)
  })

  test('count an archive that several have once', THOROUGH, async () => {
    const files = recordFile('issues', issue(1, 'Old'), { type: 'issue', title: 'None' })
    const { path } = await loaded(files)
    const other = recordFile('issues', { type: 'issue', title: 'Other' })
    const { merged, attached } = await bothOf([path, (await loaded(other)).path, path])
    const alone = await loaded([files, other])
    for (const table of ['issues', 'threads', 'archives', 'entries', 'record_files', 'problems']) {
      const count = `SELECT count(*) FROM ${table}`
      const counts = [alone.database, merged, attached].map((one) => rowsOf(one, count))
      expect(counts, table).toEqual([counts[0], counts[0], counts[0]])
    }
  })

  test('use the indexes of each database', THOROUGH, async () => {
    const attached = await attachedOf([
      (await loaded(recordFile('issues', issue(1, 'Old'), issue(2, 'Deleted')))).path,
      (await loaded(recordFile('issues', issue(1, 'New')))).path,
    ])
    const planOf = (sql: string) => rowsOf(attached, `EXPLAIN QUERY PLAN ${sql}`).join('\n')
    for (const table of ['issues', 'threads']) {
      const plan = planOf(`SELECT title FROM ${table} WHERE url = 'x'`)
      expect(plan.match(/SEARCH o USING INDEX issues_by_url/g), table).toHaveLength(2)
      expect(plan).not.toContain('SCAN')
    }
    // The comments of each, for the issues of each.
    const join = 'SELECT c.body FROM issues AS i JOIN issue_comments AS c ON c.thread = i.url'
    expect(planOf(join).match(/SEARCH o USING (?:COVERING )?INDEX issues_by_url/g)).toHaveLength(4)
  })

  test('P2: keep nothing on a disk that fills up at any point', THOROUGH, async (context) => {
    const disk = smallDisk(context)
    const users = Array.from({ length: 3000 }, (_, i) => ({ type: 'user', url: `${HOST}/${i}` }))
    const path = join(process.cwd(), 'users.db')
    await loadArchive(sourceOf(recordFile('users', ...users)), path)
    const parts = ['a', 'b'].map((source) => ({ path, source }))
    const schema = join(disk, 'attached.db')
    await writeMergedSchema(parts, schema)
    const { size } = statSync(schema)
    rmSync(schema)
    for (let left = 0; left < size; left += 100_000) {
      writeFileSync(join(disk, 'filler'), Buffer.alloc(DISK - left))
      const full = { code: 'database-full', place: { archive: schema } }
      await expect(writeMergedSchema(parts, schema)).rejects.toMatchObject(full)
      expect(readdirSync(disk)).toEqual(['filler'])
      rmSync(join(disk, 'filler'))
    }
  })

  test('are not written', async () => {
    const attached = await attachedOf([
      (await loaded(recordFile('issues', issue(1, 'Old')))).path,
      (await loaded(recordFile('issues', issue(2, 'New')))).path,
    ])
    expect(() => attached.exec("UPDATE part_1.issues SET title = 'Other'")).toThrow('readonly')
  })

  test('have no view or virtual table in the place of a table', async () => {
    const parts = [(await loaded(recordFile('issues', issue(1, 'Old')))).path]
    const planted = new Sqlite(parts[0])
    planted.exec('DROP TABLE users; CREATE VIEW users AS SELECT 1 AS url')
    planted.close()
    await expect(attachedOf(parts)).rejects.toThrow('users is a view')
  })

  test(
    'leave statements with rowids, or the name of the main database, to a merge',
    THOROUGH,
    async () => {
      const { path } = await loaded(recordFile('issues', issue(1, 'Old')))
      const attached = await attachedOf([path])
      const isLeft = (sql: string) => isTooMuch(attached, sql)
      const left = [
        'SELECT rowid FROM issues',
        'SELECT i._rowid_ FROM issues AS i',
        'SELECT * FROM main.issues',
        "SELECT * FROM 'main'.issues",
        'SELECT * FROM [main] .issues',
        'SELECT * FROM main/* */.issues',
        'SELECT * FROM main -- .\n.issues',
      ]
      expect(left.filter(isLeft)).toEqual(left)
      const others = [
        'SELECT nothing FROM issues',
        "SELECT * FROM refs WHERE name = 'main'",
        'SELEC',
      ]
      expect(others.filter(isLeft)).toEqual([])
    },
  )

  test('leave a statement that SQLite takes apart into too many to a merge', THOROUGH, async () => {
    const { path } = await loaded(recordFile('issues', issue(1, 'Old')))
    const attached = await attachedOf(Array.from({ length: MOST_ATTACHED }, () => path))
    const within = (sql: string) => `SELECT user FROM timeline WHERE user IN (${sql})`
    const once = within('SELECT user FROM timeline')
    expect(isTooMuch(attached, once)).toBe(false)
    // This would take all memory.
    expect(isTooMuch(attached, within(within(once)))).toBe(true)
    expect(isTooMuch(attached, within(within(`${once} AND user = :user`)))).toBe(true)
    expect(isTooMuch(attached, 'SELECT * FROM threads JOIN people ON people.url = user')).toBe(
      false,
    )
  })
})
