import { expect, test } from 'vitest'
import { Store } from '../../../src/web/read/store.ts'
import { BARE, loaded } from '../../support/load.ts'

function titleOf(path: string): string {
  const store = new Store(path)
  try {
    return store.title
  } finally {
    store.close()
  }
}

test('Pages of one archive have its name, because users do not know that of a cached database', async () => {
  const { path, database } = await loaded(BARE)
  database.exec("UPDATE archives SET name = 'acme.tar.gz'")
  expect(titleOf(path)).toBe('acme.tar.gz')
})

test('Pages of several archives, or of a stream, bear the name of the database', async () => {
  expect(titleOf((await loaded([BARE, { ...BARE, 'users_000001.json': [] }])).path)).toBe('it.db')
  const { path, database } = await loaded(BARE)
  database.exec("UPDATE archives SET name = 'standard input'")
  expect(titleOf(path)).toBe('it.db')
})

test('A value that failed to resolve is asked for again, and one that resolved is not', async () => {
  const store = new Store((await loaded(BARE)).path)
  let asked = 0
  const make = async () => {
    if (++asked === 1) throw new Error('the database is locked')
    return asked
  }
  await expect(store.rememberResolved('key', make)).rejects.toThrow('locked')
  expect(await store.rememberResolved('key', make)).toBe(2)
  expect(await store.rememberResolved('key', make)).toBe(2)
  store.close()
})
