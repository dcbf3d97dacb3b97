import {
  chmodSync,
  chownSync,
  existsSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { expect, onTestFinished, test } from 'vitest'
import { openStateDatabase, type StateDatabase } from '../../../src/rest/state/state-database.ts'
import { folderOf } from '../../support/folder.ts'

function opened(...given: Parameters<typeof openStateDatabase>): StateDatabase {
  const state = openStateDatabase(...given)
  onTestFinished(() => state.close())
  return state
}

const newFolder = async () => join(await folderOf(), 'it.serve')

test('A new state is for its user alone, and its key stays the same', async () => {
  const folder = await newFolder()
  const first = opened(folder)
  expect(statSync(folder).mode & 0o777).toBe(0o700)
  for (const name of readdirSync(folder)) {
    expect(statSync(join(folder, name)).mode & 0o777, name).toBe(0o600)
  }
  expect(first.signingKey).toHaveLength(32)
  expect(opened(folder).signingKey).toEqual(first.signingKey)
  expect(opened(await newFolder()).signingKey).not.toEqual(first.signingKey)
})

test('Another database is refused and stays as it is', async () => {
  const folder = await folderOf()
  const path = join(folder, 'state.db')
  const other = new Sqlite(path)
  other.exec('CREATE TABLE t (a)')
  other.close()
  const before = readFileSync(path)
  for (const readOnly of [true, false]) {
    expect(() => openStateDatabase(folder, { readOnly })).toThrow(
      expect.objectContaining({ code: 'state-foreign', place: { archive: path } }),
    )
  }
  expect(readFileSync(path)).toEqual(before)
  writeFileSync(path, 'no database')
  expect(() => openStateDatabase(folder)).toThrow(
    expect.objectContaining({ code: 'database-foreign' }),
  )
})

test('The state of a newer version is refused', async () => {
  const folder = await newFolder()
  openStateDatabase(folder).close()
  const database = new Sqlite(join(folder, 'state.db'))
  database.pragma('user_version = 99')
  database.close()
  expect(() => openStateDatabase(folder)).toThrow(expect.objectContaining({ code: 'state-newer' }))
})

test('A folder that cannot be made is named', async () => {
  const folder = join(await folderOf({ 'it.db': '' }), 'it.db', 'it.serve')
  expect(() => openStateDatabase(folder)).toThrow(
    expect.objectContaining({ code: 'output-refused' }),
  )
})

test('A transaction that throws changes nothing', () => {
  const state = opened(':memory:')
  const count = () => state.database.prepare('SELECT count(*) FROM grants').pluck().get()
  expect(() =>
    state.write(() => {
      state.database.exec("INSERT INTO grants VALUES ('a', 'b')")
      throw new Error('no')
    }),
  ).toThrow('no')
  expect(count()).toBe(0)
  state.write(() => state.database.exec("INSERT INTO grants VALUES ('a', 'b')"))
  expect(count()).toBe(1)
})

test('A state in memory has a folder that goes with it', () => {
  const state = openStateDatabase(':memory:')
  expect(existsSync(state.folder as string)).toBe(true)
  state.close()
  expect(existsSync(state.folder as string)).toBe(false)
})

test('Reading creates no file: without a state, and with one that no server or another server uses', async () => {
  const folder = await newFolder()
  const none = opened(folder, { readOnly: true })
  expect(none.database.prepare('SELECT count(*) FROM migrations').pluck().get()).toBe(0)
  expect(none.archives).toBeUndefined()
  expect(existsSync(folder)).toBe(false)

  const writer = openStateDatabase(folder)
  writer.database.exec("INSERT INTO grants VALUES ('a', 'b')")
  const grants = (state: StateDatabase) =>
    state.database.prepare('SELECT count(*) FROM grants').pluck().get()
  const beside = opened(folder, { readOnly: true })
  writer.database.exec("INSERT INTO grants VALUES ('a', 'c')")
  expect(grants(beside)).toBe(2)
  beside.close()
  writer.close()

  const before = readdirSync(folder)
  const bytes = readFileSync(join(folder, 'state.db'))
  const alone = opened(folder, { readOnly: true })
  expect(alone.signingKey).toEqual(writer.signingKey)
  expect(grants(alone)).toBe(2)
  expect(() =>
    alone.write(() => alone.database.exec("INSERT INTO grants VALUES ('x', 'y')")),
  ).toThrow(expect.objectContaining({ code: 'database-read-only' }))
  expect(readdirSync(folder)).toEqual(before)
  expect(readFileSync(join(folder, 'state.db')).equals(bytes)).toBe(true)
})

test.skipIf(process.getuid?.() === 0)('A folder that others own is refused', async () => {
  const folder = await newFolder()
  openStateDatabase(folder).close()
  chmodSync(folder, 0o500)
  expect(() => openStateDatabase(folder)).toThrow(
    expect.objectContaining({ code: 'output-refused' }),
  )
})

test.each(['state.db', 'archives', 'git', 'index.db'])(
  'M1: A state in which %s is a link is refused, and nothing is written where it leads',
  async (name) => {
    const folder = await folderOf({ 'it.serve/': '', 'elsewhere/': '', 'file.db': '' })
    const state = join(folder, 'it.serve')
    symlinkSync(name.endsWith('.db') ? '../file.db' : '../elsewhere', join(state, name))
    for (const readOnly of [true, false]) {
      expect(() => openStateDatabase(state, { readOnly })).toThrow(
        expect.objectContaining({ code: 'folder-linked', place: { archive: join(state, name) } }),
      )
    }
    expect(readdirSync(join(folder, 'elsewhere'))).toEqual([])
    expect(readFileSync(join(folder, 'file.db'), 'utf8')).toBe('')
  },
)

test('M1: A state that is a link is refused, and nothing is written where it leads', async () => {
  const folder = await folderOf({ 'elsewhere/': '' })
  const state = join(folder, 'it.serve')
  symlinkSync('elsewhere', state)
  for (const readOnly of [true, false]) {
    expect(() => openStateDatabase(state, { readOnly })).toThrow(
      expect.objectContaining({ code: 'folder-linked', place: { archive: state } }),
    )
  }
  expect(readdirSync(join(folder, 'elsewhere'))).toEqual([])
})

test('M1: A state is refused in a folder in which others may put another in its place', async () => {
  const folder = await folderOf({ 'shared/': '' })
  const shared = join(folder, 'shared')
  const open = () => openStateDatabase(join(shared, 'new', 'it.serve')).close()
  chmodSync(shared, 0o777)
  expect(open).toThrow(
    expect.objectContaining({
      code: 'folder-foreign',
      message: 'other users may rename what is in this folder',
      place: { archive: shared },
    }),
  )
  expect(readdirSync(shared)).toEqual([])
  // There everybody may rename only what is his own.
  chmodSync(shared, 0o1777)
  open()
})

test('M1: A state that others may write to is refused, and their token with it', async () => {
  const folder = await newFolder()
  openStateDatabase(folder).close()
  chmodSync(folder, 0o777)
  for (const readOnly of [true, false]) {
    expect(() => openStateDatabase(folder, { readOnly })).toThrow(
      expect.objectContaining({ code: 'folder-foreign', place: { archive: folder } }),
    )
  }
})

test.runIf(process.getuid?.() === 0)('M1: A state of another user is refused', async () => {
  const folder = await newFolder()
  openStateDatabase(folder).close()
  chownSync(join(folder, 'state.db'), 65_534, 65_534)
  const refusal = expect.objectContaining({ code: 'folder-foreign' })
  expect(() => openStateDatabase(folder)).toThrow(refusal)
  chownSync(folder, 65_534, 65_534)
  expect(() => openStateDatabase(folder, { readOnly: true })).toThrow(refusal)
})
