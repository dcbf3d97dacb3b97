import { expect, test } from 'vitest'
import { openDatabase } from '../../../src/database/open-database.ts'
import { giveBackSnapshot, takeSnapshot } from '../../../src/reading/threads/snapshots.ts'
import { BARE, loaded } from '../../support/load.ts'

const opened = async () => openDatabase((await loaded(BARE)).path)

test('A snapshot that was given back is taken again, and sees what was written since', async () => {
  const { path, database: writer } = await loaded(BARE)
  const database = openDatabase(path)
  const snapshot = takeSnapshot(database)
  const before = snapshot.count('SELECT count(*) FROM users')
  giveBackSnapshot(database, snapshot)
  writer.exec("INSERT INTO users (url, login) VALUES ('https://h/new', 'new')")
  expect(takeSnapshot(database)).toBe(snapshot)
  expect(snapshot.count('SELECT count(*) FROM users')).toBe(before + 1)
  giveBackSnapshot(database, snapshot)
  database.close()
})

test('Two readers at once have a snapshot each, of which one is kept', async () => {
  const database = await opened()
  const snapshots = [takeSnapshot(database), takeSnapshot(database)]
  for (const snapshot of snapshots) giveBackSnapshot(database, snapshot)
  expect(snapshots.map((snapshot) => snapshot.database.open)).toEqual([true, false])
  database.close()
})

test('A snapshot is closed with its connection, also one that is given back later', async () => {
  const database = await opened()
  const [kept, late] = [takeSnapshot(database), takeSnapshot(database)]
  giveBackSnapshot(database, kept)
  database.close()
  expect(kept.database.open).toBe(false)
  giveBackSnapshot(database, late)
  expect(late.database.open).toBe(false)
})
