import { describe, expect, test } from 'vitest'
import { openDatabase } from '../../src/database/open-database.ts'
import { mayFillMemory, runQuery } from '../../src/query/run-query.ts'
import { cpuTimeOf, expectLinear } from '../support/cpu-time.ts'
import { columnOf, loaded, recordFile } from '../support/load.ts'
import { tablesWith } from '../support/tables.ts'
import { everyDay, THOROUGH } from '../support/thorough.ts'

const refusal = (code: string) => expect.objectContaining({ name: 'ArchiveError', code })

/** The columns and all rows. */
const answer = (sql: string, parameters: Parameters<typeof runQuery>[2] = []) => {
  const { columns, rows } = runQuery(tablesWith(), sql, parameters)
  return { columns, rows: [...rows] }
}

const TEN_MILLION = `
  WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10000000)
  SELECT i, hex(zeroblob(50)) AS padding FROM n`

describe('runQuery', () => {
  test('gives columns and rows', () => {
    expect(answer("SELECT 1 AS a, 'x' AS b UNION ALL SELECT 2, NULL")).toEqual({
      columns: ['a', 'b'],
      rows: [
        [1, 'x'],
        [2, null],
      ],
    })
  })

  test('gives the columns of a query without rows', () => {
    expect(answer('SELECT url, title FROM issues')).toEqual({ columns: ['url', 'title'], rows: [] })
  })

  test('gives columns of the same name each its value', () => {
    expect(answer('SELECT 1 AS a, 2 AS a')).toEqual({ columns: ['a', 'a'], rows: [[1, 2]] })
  })

  test('takes parameters by name', () => {
    expect(answer('SELECT :a, $b, @a', { a: 'x', b: null }).rows).toEqual([['x', null, 'x']])
  })

  test('takes parameters by position', () => {
    expect(answer('SELECT ?, ?', ['x', 10n ** 17n]).rows).toEqual([['x', 10n ** 17n]])
  })

  test('takes bytes and gives them back', () => {
    const [row] = answer('SELECT ?', [Buffer.from([0, 255])]).rows
    expect(row).toEqual([Buffer.from([0, 255])])
  })

  test.each([
    ['SELECT ?', [], 'too few'],
    ['SELECT ?', ['a', 'b'], 'too many'],
    ['SELECT :a', { b: 1 }, 'another name'],
  ])('refuses %s with %j: %s', (sql, parameters, _why) => {
    expect(() => answer(sql, parameters)).toThrow(refusal('query-invalid'))
  })

  test('gives integers beyond 2^53 as bigint and all others as number', () => {
    const sql = 'SELECT 9223372036854775807, 9007199254740993, 9007199254740991, -5, 1.5, 1e300'
    expect(answer(sql).rows).toEqual([
      [9223372036854775807n, 9007199254740993n, 9007199254740991, -5, 1.5, 1e300],
    ])
  })

  test('gives texts with any characters', () => {
    expect(answer("SELECT 'a' || char(0) || char(27) || '🍵'").rows).toEqual([['a\0\u001b🍵']])
  })

  everyDay(3)([
    ['', 'no statement'],
    ['  -- only a comment', 'no statement'],
    ['SELECT 1; SELECT 2', 'two statements'],
    ['SELECT 1; DROP TABLE issues', 'two statements'],
    ['SELEC 1', 'a mistake'],
    ['SELECT * FROM nowhere', 'no such table'],
    ['SELECT nothing FROM issues', 'no such column'],
  ])('Q1: refuses %j: %s', (sql) => {
    expect(() => answer(sql)).toThrow(refusal('query-invalid'))
  })

  test('says why a query is refused', () => {
    expect(() => answer('SELECT * FROM nowhere')).toThrow('no such table: nowhere')
  })

  test.each(["SELECT load_extension('x')", "SELECT 'x' ->> '$.a[', json('{')"])(
    'refuses what fails only when it is run: %s',
    (sql) => expect(() => answer(sql)).toThrow(refusal('query-invalid')),
  )

  test('allows a semicolon and comments', () => {
    expect(answer('/* one */ SELECT 1; -- done').rows).toEqual([[1]])
  })

  test('explains a plan', () => {
    expect(answer('EXPLAIN QUERY PLAN SELECT * FROM issues').columns).toContain('detail')
  })
})

describe('Q1: runQuery refuses to change anything', () => {
  everyDay(3)([
    "INSERT INTO issues (url) VALUES ('x')",
    "INSERT INTO issues (url) VALUES ('x') RETURNING url",
    'UPDATE issues SET url = NULL RETURNING url',
    'DELETE FROM issues',
    'DROP TABLE issues',
    'CREATE TEMP TABLE x (y)',
    "ATTACH 'x.db' AS x",
    'DETACH main',
    'BEGIN',
    'SAVEPOINT x',
    'VACUUM',
    "VACUUM INTO 'x.db'",
    'REINDEX',
    'ANALYZE',
    'PRAGMA user_version = 9',
    'PRAGMA journal_mode = WAL',
    'PRAGMA optimize',
    'PRAGMA wal_checkpoint',
  ])('%s', (sql) => {
    expect(() => answer(sql)).toThrow(refusal('query-writes'))
  })

  // SQLite follows these while it prepares the statement, before anybody asks for a row.
  test.each([
    ['query_only', 'PRAGMA query_only = 1'],
    ['busy_timeout', 'pragma main.busy_timeout(7)'],
    ['hard_heap_limit', ' -- hush\n/* hush */PRAGMA hard_heap_limit = 900000000'],
    ['locking_mode', ';PRAGMA locking_mode = exclusive'],
    ['recursive_triggers', 'EXPLAIN PRAGMA recursive_triggers = 1'],
    ['temp_store', '\ufeffPRAGMA temp_store = 2'],
    ['cache_spill', 'EXPLAIN/**/QUERY/*x*/PLAN PRAGMA "cache_spill" = 0'],
  ])('%s, by %j', (name, sql) => {
    const database = tablesWith()
    const before = database.pragma(name)
    expect(() => runQuery(database, sql)).toThrow(refusal('query-writes'))
    expect(database.pragma(name)).toEqual(before)
  })

  test('and does not take long to see that', () => {
    expectLinear((comments) => {
      const statement = '/* a **/ '.repeat(comments)
      return () => expect(() => answer(statement)).toThrow(refusal('query-invalid'))
    }, 20_000)
  })

  everyDay(2)([
    ['PRAGMA table_info(issues)', 'name'],
    ["pragma table_xinfo('issues')", 'hidden'],
    ['PRAGMA main.index_list(issues)', 'unique'],
    ['PRAGMA integrity_check', 'integrity_check'],
    ['PRAGMA table_list', 'schema'],
    ['PRAGMA user_version', 'user_version'],
    ["SELECT * FROM pragma_table_info('issues')", 'name'],
    ["SELECT 'PRAGMA query_only = 1' AS text", 'text'],
  ])('but allows reading about the database: %s', (sql, column) => {
    expect(answer(sql).columns).toContain(column)
  })
})

describe('The rows of a query', () => {
  test('Q2: are limited, with an error', () => {
    const read: unknown[] = []
    const { rows } = runQuery(tablesWith(), TEN_MILLION, [], { maxRows: 2 })
    const reading = () => {
      for (const [i] of rows) read.push(i)
    }
    expect(reading).toThrow(refusal('limit-rows'))
    expect(read).toEqual([1, 2])
  })

  test('Q2: may be just as many as asked for', () => {
    const { rows } = runQuery(tablesWith(), 'SELECT 1 UNION SELECT 2', [], { maxRows: 2 })
    expect([...rows]).toHaveLength(2)
  })

  test('Q2: come one by one, the first of ten million at once', () => {
    const time = cpuTimeOf(() => {
      for (const row of runQuery(tablesWith(), TEN_MILLION).rows) {
        expect(row[0]).toBe(1)
        break
      }
    })
    expect(time).toBeLessThan(500)
  })

  test('release the database when their reader stops', THOROUGH, async () => {
    const { path } = await loaded(recordFile('issues', { url: 'a' }))
    const database = openDatabase(path)
    for (const _ of runQuery(database, TEN_MILLION).rows) break
    expect(() => database.close()).not.toThrow()
    expect(database.open).toBe(false)
  })

  test('hold nothing before they are read', async () => {
    const { path, database } = await loaded(recordFile('issues', { url: 'a' }))
    const reader = openDatabase(path)
    runQuery(reader, 'SELECT * FROM issues')
    database.exec('DELETE FROM issues')
    expect(columnOf(reader, 'SELECT url FROM issues')).toEqual([])
    reader.close()
  })

  test('tell what goes wrong on the way', () => {
    const sql = "SELECT json(value) FROM (SELECT '1' AS value UNION ALL SELECT '{')"
    const rows = runQuery(tablesWith(), sql).rows[Symbol.iterator]()
    expect(rows.next().value).toEqual(['1'])
    expect(() => rows.next()).toThrow(refusal('query-invalid'))
  })
})

everyDay(2)([
  ["SELECT group_concat(title, ',') FROM issues", true],
  ['SELECT json_group_array(url) FROM issues', true],
  ['SELECT title || body FROM issues', false],
  ["WITH RECURSIVE t(s) AS (SELECT 'x' UNION ALL SELECT s || s FROM t) SELECT s FROM t", true],
  ["SELECT printf('%.1f %d', 1, number) FROM issues", false],
  ["SELECT printf('%.*c', number, 'x') FROM issues", true],
  ['SELECT count(*), max(body) FROM issues GROUP BY title ORDER BY body', false],
  ['SELEKT group_concat(1)', false],
])('knows whether %s may fill the memory', (sql, may) => {
  expect(mayFillMemory(tablesWith(), sql)).toBe(may)
})

test('knows it of a view, too', () => {
  const database = tablesWith()
  database.exec('CREATE VIEW v AS SELECT group_concat(url) AS all_urls FROM issues')
  expect(mayFillMemory(database, 'SELECT * FROM v')).toBe(true)
})

test('knows it of a statement with parameters', () => {
  const named = 'SELECT group_concat(url) FROM issues WHERE number < :most'
  expect(mayFillMemory(tablesWith(), named, { most: 3 })).toBe(true)
  expect(mayFillMemory(tablesWith(), named.replace(':most', '?'), [3])).toBe(true)
})
