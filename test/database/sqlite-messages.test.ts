import { expect, onTestFinished, test } from 'vitest'
import { ArchiveError } from '../../src/base/errors.ts'
import { type Database, openConnection } from '../../src/database/connection.ts'
import {
  parseSqliteError,
  parseSqliteMessage,
  type StatementFault,
} from '../../src/database/sqlite-messages.ts'

/** What makes the SQLite and better-sqlite3 of today say each of them, and the name that they give. */
const CASES: Record<
  Exclude<StatementFault, 'index-damaged'>,
  [name: string, work: (database: Database) => unknown][]
> = {
  'table-unknown': [
    ['gone', (database) => database.prepare('SELECT * FROM gone')],
    ['main.gone', (database) => database.prepare('SELECT * FROM main.gone')],
  ],
  'column-unknown': [
    ['gone', (database) => database.prepare('SELECT gone FROM t')],
    ['t.gone', (database) => database.prepare('SELECT t.gone FROM t')],
    ['"gone"', (database) => database.prepare('SELECT "gone" FROM t')],
  ],
  'function-unknown': [['gone', (database) => database.prepare('SELECT gone(1)')]],
  'column-ambiguous': [['a', (database) => database.prepare('SELECT a FROM t, t AS u')]],
  'syntax-error': [['SELEC', (database) => database.prepare('SELEC 1')]],
  'too-complex': [
    ['', (database) => database.prepare(`SELECT 1 ${'UNION ALL SELECT 1 '.repeat(500)}`)],
    ['', (database) => database.prepare(`SELECT 1 FROM t${', t'.repeat(64)}`)],
    ['', (database) => database.prepare(`SELECT 1${' + 1'.repeat(1000)}`)],
    ['', (database) => database.prepare(`SELECT ${'(SELECT '.repeat(500)}1${')'.repeat(500)}`)],
  ],
  'several-statements': [['', (database) => database.prepare('SELECT 1; SELECT 2')]],
  'no-statement': [['', (database) => database.prepare(' -- nothing')]],
  'parameter-missing': [['days', (database) => database.prepare('SELECT :days').all({})]],
  'parameters-are-named': [['', (database) => database.prepare('SELECT :days').all()]],
  'parameters-too-few': [['', (database) => database.prepare('SELECT ?, ?').all(1)]],
  'parameters-too-many': [['', (database) => database.prepare('SELECT ?').all(1, 2)]],
}

function tables(): Database {
  const database = openConnection(':memory:')
  onTestFinished(() => void database.close())
  database.exec('CREATE TABLE t (a, b); CREATE INDEX t_by_a ON t (a)')
  return database
}

const errorOf = (work: () => unknown): unknown => {
  try {
    work()
  } catch (error) {
    return error
  }
  throw new Error('it was accepted')
}

const FLAT = Object.entries(CASES).flatMap(([fault, cases]) =>
  cases.map(([name, work]) => ({ fault, name, work })),
)

test.each(FLAT)('$fault is known by the message of SQLite, with $name', ({ fault, name, work }) => {
  const database = tables()
  const error = errorOf(() => work(database))
  expect(parseSqliteError(error)).toEqual({ fault, name })
  const wrapped = new ArchiveError('query-invalid', 'in other words', {}, error)
  expect(parseSqliteError(wrapped)).toEqual({ fault, name })
})

test('index-damaged is known by each message of the integrity check that is about an index', () => {
  const damages = [
    'UPDATE t SET a = a + 1',
    "INSERT INTO t VALUES (9, 'more')",
    'DELETE FROM t WHERE a = 1',
  ]
  for (const sql of damages) {
    const database = tables()
    database.exec('INSERT INTO t (a) VALUES (1), (2)')
    // The index is hidden from SQLite while a row changes.
    database.unsafeMode(true)
    database.exec(`PRAGMA writable_schema = ON;
      CREATE TEMP TABLE hidden AS SELECT * FROM sqlite_schema WHERE name = 't_by_a';
      DELETE FROM sqlite_schema WHERE name = 't_by_a'; PRAGMA writable_schema = RESET; ${sql};
      PRAGMA writable_schema = ON; INSERT INTO sqlite_schema SELECT * FROM temp.hidden;
      PRAGMA writable_schema = RESET`)
    const found = database.pragma('integrity_check') as { integrity_check: string }[]
    expect(found.length).toBeGreaterThan(0)
    for (const { integrity_check: message } of found) {
      expect([message, parseSqliteMessage(message)]).toEqual([
        message,
        { fault: 'index-damaged', name: 't_by_a' },
      ])
    }
  }
})

test('other messages and errors say nothing', () => {
  const errors = [
    errorOf(() => tables().prepare("SELECT json('{')").get()),
    new Error('x'),
    undefined,
    'no such table: t',
  ]
  for (const error of errors) expect(parseSqliteError(error)).toBeUndefined()
})
