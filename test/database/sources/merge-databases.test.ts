import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { describe, expect, test } from 'vitest'
import { openDatabase } from '../../../src/database/open-database.ts'
import { RELATIONS } from '../../../src/database/schema/schema.ts'
import { mergeDatabases } from '../../../src/database/sources/merge-databases.ts'
import { loadArchive } from '../../../src/load/load-archive.ts'
import { runQuery } from '../../../src/query/run-query.ts'
import { readQueries, SHIPPED_QUERIES } from '../../../src/query/saved-queries.ts'
import { END, member } from '../../support/build-tar.ts'
import { folderOf } from '../../support/folder.ts'
import { rowsOf } from '../../support/load.ts'
import { THOROUGH } from '../../support/thorough.ts'

const HOST = 'https://forge.example/ada/kettle'

/** An archive with this time at each entry. */
const dated = (date: string, files: Record<string, string | object[]>): Buffer =>
  Buffer.concat([
    ...Object.entries(files).map(([name, content]) =>
      member(
        { name, mtime: Date.parse(date) / 1000 },
        typeof content === 'string' ? content : JSON.stringify(content, null, 2),
      ),
    ),
    END,
  ])

const issue = (number: number, title: string) => ({
  type: 'issue',
  url: `${HOST}/issues/${number}`,
  title,
  user: 'https://forge.example/ada',
})

const person = (type: string, login: string) => ({ type, url: 'https://forge.example/ada', login })
const OID = 'a'.repeat(40)

const january = dated('2024-01-15T10:00:00Z', {
  'issues_000001.json': [issue(1, 'Old'), issue(3, 'Deleted'), { type: 'issue', title: 'No URL' }],
  'users_000001.json': [person('user', 'ada-then')],
  'gadgets_000001.json': [{ type: 'gadget', url: `${HOST}/gadgets/1`, size: 1 }],
  'repositories/ada/kettle.git/refs/heads/old': `${OID}\n`,
  'attachments/1.txt': 'then',
})
const march = dated('2024-03-20T10:00:00Z', {
  'issues_000001.json': [issue(1, 'New'), issue(4, 'Opened')],
  'bots_000001.json': [person('bot', 'ada-now')],
  'gadgets_000001.json': [{ type: 'gadget', url: `${HOST}/gadgets/2`, size: 2 }],
  'repositories/ada/kettle.git/refs/heads/main': `${OID}\n`,
  'attachments/1.txt': 'now!',
})

async function databasesOf(archives: Record<string, Buffer | string>) {
  const folder = await folderOf()
  const parts: { path: string; source: string }[] = []
  for (const [source, archive] of Object.entries(archives)) {
    const path = join(folder, `${source}.db`)
    const file = join(folder, `${source}.tar`)
    if (typeof archive !== 'string') writeFileSync(file, archive)
    await loadArchive(typeof archive === 'string' ? archive : file, path)
    parts.push({ path, source })
  }
  return { folder, parts, merged: join(folder, 'merged.db') }
}

async function mergedOf(archives: Record<string, Buffer | string>) {
  const { parts, merged } = await databasesOf(archives)
  await mergeDatabases(parts, merged)
  return openDatabase(merged)
}

describe('Databases that are merged', () => {
  // The newest has the first name, and comes first.
  const merged = () => mergedOf({ a: march, b: january })

  test(
    'have each URL once, as the newest has it, with the name of its source',
    THOROUGH,
    async () => {
      const database = await merged()
      const sql = 'SELECT title, _source FROM issues ORDER BY title'
      expect(rowsOf(database, sql)).toEqual([
        ['Deleted', 'b'],
        ['New', 'a'],
        ['No URL', 'b'],
        ['Opened', 'a'],
      ])
    },
  )

  test('have one record of a person who changed the kind', THOROUGH, async () => {
    const database = await merged()
    expect(rowsOf(database, 'SELECT kind, login, _source FROM people')).toEqual([
      ['bot', 'ada-now', 'a'],
    ])
    expect(
      rowsOf(database, 'SELECT DISTINCT user_login FROM threads WHERE url IS NOT NULL'),
    ).toEqual([['ada-now']])
  })

  test('have a repository and a file as the newest has them', THOROUGH, async () => {
    const database = await merged()
    expect(rowsOf(database, 'SELECT name, _source FROM refs')).toEqual([['refs/heads/main', 'a']])
    const files = "SELECT size, _source FROM files WHERE path = 'attachments/1.txt'"
    expect(rowsOf(database, files)).toEqual([[4, 'a']])
  })

  test('have the kinds that only archives know', THOROUGH, async () => {
    const database = await merged()
    expect(rowsOf(database, 'SELECT url, _source FROM gadgets ORDER BY url')).toEqual([
      [`${HOST}/gadgets/1`, 'b'],
      [`${HOST}/gadgets/2`, 'a'],
    ])
  })

  test('number archives from the oldest on', THOROUGH, async () => {
    const database = await merged()
    expect(rowsOf(database, 'SELECT id, name, _source FROM archives ORDER BY id')).toEqual([
      [1, 'b.tar', 'b'],
      [2, 'a.tar', 'a'],
    ])
    const dangling = 'SELECT count(*) FROM issues WHERE _archive NOT IN (SELECT id FROM archives)'
    expect(rowsOf(database, dangling)).toEqual([[0]])
  })
})

test(
  'every saved question has the rows of a load, and every table the source',
  THOROUGH,
  async () => {
    const samples = ['hello', 'organization'].map((name) => `samples/${name}.tar.gz`)
    const { folder, parts, merged } = await databasesOf({
      hello: samples[0] as string,
      organization: samples[1] as string,
    })
    await mergeDatabases(parts, merged)
    await loadArchive(samples, join(folder, 'loaded.db'), { newestWins: true })
    const [left, right] = [merged, join(folder, 'loaded.db')].map((path) => openDatabase(path))
    if (!left || !right) throw new Error('expected two databases')
    for (const { name, sql, parameters } of readQueries(SHIPPED_QUERIES)) {
      const values = Object.fromEntries(
        parameters.map(({ name, standard }) => [name, standard === undefined ? 1 : standard]),
      )
      const rows = [left, right].map((database) =>
        Array.from(runQuery(database, sql, values).rows, (row) => JSON.stringify(row)).sort(),
      )
      expect(rows[0], name).toEqual(rows[1])
    }
    for (const { name } of RELATIONS) {
      expect(runQuery(left, `SELECT * FROM ${name}`).columns.at(-1), name).toBe('_source')
    }
  },
)

test('a database with a view in the place of a table is not merged', THOROUGH, async () => {
  const { parts, merged } = await databasesOf({ a: march, b: january })
  const planted = new Sqlite(parts[1]?.path)
  planted.exec('DROP TABLE users; CREATE VIEW users AS SELECT 1 AS url')
  planted.close()
  await expect(mergeDatabases(parts, merged)).rejects.toThrow('users is a view')
})

test('a merge that is interrupted leaves nothing', async () => {
  const { parts, merged } = await databasesOf({ a: march, b: january })
  const signal = AbortSignal.abort()
  await expect(mergeDatabases(parts, merged, { signal })).rejects.toThrow()
  expect(() => openDatabase(merged)).toThrow('there is no such file')
})
