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
