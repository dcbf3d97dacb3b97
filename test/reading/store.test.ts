import { expect, test } from 'vitest'
import { Memo, Remembered } from '../../src/reading/remembered.ts'
import { Store } from '../../src/reading/store.ts'
import { BARE, loaded } from '../support/load.ts'
import { THOROUGH } from '../support/thorough.ts'

const storeOf = (path: string) => Store.open(path, new Remembered())

function titleOf(path: string): string {
  const store = storeOf(path)
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

test(
  'Pages of several archives, or of a stream, bear the name of the database',
  THOROUGH,
  async () => {
    expect(titleOf((await loaded([BARE, { ...BARE, 'users_000001.json': [] }])).path)).toBe('it.db')
    const { path, database } = await loaded(BARE)
    database.exec("UPDATE archives SET name = 'standard input'")
    expect(titleOf(path)).toBe('it.db')
  },
)

test('A value that failed to resolve is asked for again, and one that resolved is not', async () => {
  const store = storeOf((await loaded(BARE)).path)
  const memo = new Memo<number>()
  let asked = 0
  const make = async () => {
    if (++asked === 1) throw new Error('the database is locked')
    return asked
  }
  await expect(store.rememberResolved(memo, 'key', make)).rejects.toThrow('locked')
  expect(await store.rememberResolved(memo, 'key', make)).toBe(2)
  expect(await store.rememberResolved(memo, 'key', make)).toBe(2)
  store.close()
})

test('Two readers that use the same key do not get the values of each other', async () => {
  const store = storeOf((await loaded(BARE)).path)
  const [names, counts] = [new Memo<string>(), new Memo<number>()]
  expect(store.remember(names, 'tables', () => 'issues')).toBe('issues')
  expect(store.recall(counts, 'tables')).toBe(undefined)
  expect(store.remember(counts, 'tables', () => 30)).toBe(30)
  expect(store.recall(names, 'tables')).toBe('issues')
  store.close()
})

test('Values reach a statement as they are, whatever is in its texts', async () => {
  const store = storeOf((await loaded(BARE)).path)
  const values = ['a', '', "it's ?", 'a\0b', 7, -1.5, 2n ** 62n, null, Buffer.from('x')]
  const sql = `SELECT '?' AS text, ${values.map((_, i) => `? AS "v?${i}"`).join(', ')}`
  expect(store.row(sql, ...values)).toEqual([
    '?',
    ...values.map((value) => (typeof value === 'bigint' ? Number(value) : value)),
  ])
  expect(store.count('SELECT count(*) FROM (SELECT 1 UNION ALL SELECT 2 LIMIT ?)', 1)).toBe(1)
  store.close()
})
