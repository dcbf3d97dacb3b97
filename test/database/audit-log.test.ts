import { expect, test } from 'vitest'
import { type AuditLogStore, openAuditLogStore } from '../../src/database/audit-log.ts'
import { BARE, columnOf, loaded, recordFile, rowsOf } from '../support/load.ts'
import { THOROUGH } from '../support/thorough.ts'

/** A database without an audit log, and a store for its archive. */
async function opened(): Promise<Awaited<ReturnType<typeof loaded>> & { store: AuditLogStore }> {
  const made = await loaded({ ...BARE, 'audit_log.csv': '' })
  return { ...made, store: openAuditLogStore(made.database, 1) }
}

test('Names of columns are plain, bounded and each there once', async () => {
  const { database, store } = await opened()
  store.begin(['id', 'ID', 'id"; --', '', '1st', '_archive', 'é', 'x'.repeat(100), 'id_2', 'a.b'])
  expect(columnOf(database, "SELECT name FROM pragma_table_info('audit_log')")).toEqual([
    '_archive',
    '_record_number',
    'id',
    'ID_2',
    'id_3',
    'column',
    'column_1st',
    'archive',
    'column_2',
    'x'.repeat(60),
    'id_2_2',
    'a_b',
  ])
})

test('A header of thousands of names makes two hundred columns', async () => {
  const { database, store } = await opened()
  const names = Array.from({ length: 3000 }, (_, i) => `c${i}`)
  store.begin(names)
  store.add(names)
  expect(rowsOf(database, 'SELECT c199 FROM audit_log')).toEqual([['c199']])
  expect(columnOf(database, "SELECT count(*) FROM pragma_table_info('audit_log')")).toEqual([202])
})

test('Files with ever other columns do not make a table that SQLite cannot have', {
  ...THOROUGH,
  timeout: 120_000,
}, async () => {
  const { database } = await opened()
  for (let archive = 1; archive <= 12; archive++) {
    const store = openAuditLogStore(database, archive)
    store.begin(['action', ...Array.from({ length: 199 }, (_, i) => `c${archive}_${i}`)])
    store.add([`action ${archive}`, 'x'])
  }
  expect(columnOf(database, "SELECT count(*) FROM pragma_table_info('audit_log')")).toEqual([1000])
  const sql = 'SELECT action FROM audit_log ORDER BY _archive'
  expect(columnOf(database, sql).at(-1)).toBe('action 12')
})

test('Lines of a file that the database does not have go when the archive is complete', async () => {
  const { database, store } = await opened()
  store.begin(['action'])
  store.add(['kept'])
  const other = openAuditLogStore(database, 2)
  other.begin(['action'])
  other.add(['of an archive without the file'])
  other.finish()
  expect(columnOf(database, 'SELECT action FROM audit_log')).toEqual(['kept'])
})

test('A table of that name stays as it is', async () => {
  const { database, store } = await opened()
  database.exec("CREATE TABLE Audit_Log (mine TEXT); INSERT INTO Audit_Log VALUES ('kept')")
  store.begin(['action'])
  store.add(['x'])
  store.finish()
  expect(rowsOf(database, 'SELECT * FROM audit_log')).toEqual([['kept']])
})

test('Records of a kind of that name get another table', THOROUGH, async () => {
  const log = { 'audit_log.csv': 'action\nx\n' }
  const { database } = await loaded({ ...BARE, ...log, ...recordFile('audit_log', { url: 'a' }) })
  expect(columnOf(database, 'SELECT url FROM audit_log_records')).toEqual(['a'])
  expect(columnOf(database, 'SELECT action FROM audit_log')).toEqual(['x'])
})
