import { expect, test } from 'vitest'
import { readArchive } from '../../src/archive/read-archive.ts'
import { buildArchive } from '../../src/build/build-archive.ts'
import { examineDatabase } from '../../src/conformance/doctor/examine-database.ts'
import { describeDatabase } from '../../src/query/describe-database.ts'
import { type FileContent, tarGzOf } from '../support/build-tar.ts'
import { contentsOf } from '../support/entries.ts'
import { BARE, loaded, rowsOf } from '../support/load.ts'
import { THOROUGH } from '../support/thorough.ts'

const CSV = `@timestamp,action,actor_ip,"a, b"
1700000000,repo.create,192.0.2.1,"x ""y""
z"
1700000001,repo.destroy
`

const withLog = (csv: FileContent) => ({ ...BARE, 'audit_log.csv': csv })

test('The audit log of an account is a table with the columns of its header', async () => {
  const { database, problems } = await loaded(withLog(CSV))
  const sql = 'SELECT _record_number, timestamp, action, actor_ip, a_b FROM audit_log'
  expect(rowsOf(database, sql)).toEqual([
    [1, '1700000000', 'repo.create', '192.0.2.1', 'x "y"\nz'],
    [2, '1700000001', 'repo.destroy', null, null],
  ])
  expect(problems).toEqual([])
  const described = describeDatabase(database).find(({ name }) => name === 'audit_log')
  expect(described?.summary).toContain('audit_log.csv')
})

test('The file is built as it was', THOROUGH, async () => {
  const { database } = await loaded(tarGzOf(withLog(CSV)))
  const built = await contentsOf(readArchive(buildArchive(database)))
  expect(built).toContainEqual(['audit_log.csv', CSV])
})

test('The table is there without the contents of files', async () => {
  const { database } = await loaded(withLog(CSV), { files: false })
  expect(rowsOf(database, 'SELECT count(*) FROM audit_log')).toEqual([[2]])
})

test('A later archive replaces the lines, and adds its columns', THOROUGH, async () => {
  const later = 'action,Country\nteam.create,DE\n'
  const { database } = await loaded([withLog(CSV), withLog(later), BARE])
  const sql = 'SELECT _archive, _record_number, action, country, actor_ip FROM audit_log'
  expect(rowsOf(database, sql)).toEqual([[2, 1, 'team.create', 'DE', null]])
})

test('Where the file is no longer CSV the table ends, and the file is kept', THOROUGH, async () => {
  const csv = 'action\nx\n"y\n'
  const { database, problems } = await loaded(tarGzOf(withLog(csv)))
  expect(rowsOf(database, 'SELECT * FROM audit_log')).toEqual([[1, 1, 'x']])
  const message = 'the table ends where the file is not CSV: a quote is not closed'
  const place = { entry: 'audit_log.csv' }
  expect(problems).toEqual([{ code: 'entry-unknown', place, message }])
  const built = await contentsOf(readArchive(buildArchive(database)))
  expect(built).toContainEqual(['audit_log.csv', csv])
})

test('marc doctor knows the table, also with columns of a second archive', THOROUGH, async () => {
  const { database } = await loaded([withLog(CSV), withLog('action,country\nx,DE\n')])
  expect(examineDatabase(database)).toMatchObject({ faults: [], edits: [] })
})

test('A database without the table is read as before', THOROUGH, async () => {
  const { database } = await loaded(BARE)
  expect(describeDatabase(database).some(({ name }) => name === 'audit_log')).toBe(false)
})
