import { expect, test } from 'vitest'
import { readHintedRows } from '../../../src/transform/read-hinted-rows.ts'
import { type HintSearch, searchHints } from '../../../src/transform/redact/hint-search.ts'
import {
  createContextFinder,
  createHintFinder,
  type HintOptions,
} from '../../../src/transform/redact/hints.ts'
import { BARE, loaded } from '../../support/load.ts'

const HOST = 'https://forge.example'

/** A database with so many users, of whom some have an address, a name or a password in what they say of themselves. */
async function usersOf(count: number) {
  const copy = await loaded(BARE)
  copy.database.exec(
    `WITH RECURSIVE numbers(n) AS (VALUES (1) UNION ALL SELECT n + 1 FROM numbers WHERE n < ${count})
     INSERT INTO users (url, login, bio) SELECT '${HOST}/' || n, 'u' || n, CASE n % 211
       WHEN 7 THEN 'to ada@forge.example' WHEN 9 THEN 'by Ada Lovelace'
       WHEN 11 THEN 'password=hunter2hunter2' ELSE 'nothing' END FROM numbers`,
  )
  return copy
}

const OPTIONS: HintOptions = {
  what: new Set(['emails', 'names', 'secrets']),
  names: ['Ada Lovelace'],
}

test.each<[string, HintSearch]>([
  ['all values', OPTIONS],
  ['secrets that the text around them tells', 'context'],
])('Two threads find the rows with %s that one finds', async (_, search) => {
  const copy = await usersOf(25_000)
  const hints = (await searchHints(copy, search, {}))('users')
  const find = search === 'context' ? createContextFinder() : createHintFinder(search)
  expect(hints).toBeTypeOf('object')
  const rows = [...readHintedRows(copy.database, 'users', find)]
  expect(rows.length).toBeGreaterThan(100)
  expect([...readHintedRows(copy.database, 'users', hints)]).toEqual(rows)
})

test('Rows of a small database are searched when they are read', async () => {
  const copy = await usersOf(100)
  expect((await searchHints(copy, OPTIONS, {}))('users')).toBeTypeOf('function')
})

test('So are those of a database with very many names', async () => {
  const copy = await usersOf(25_000)
  const names = Array.from({ length: 60_000 }, (_, i) => `Ada L${i}`)
  expect((await searchHints(copy, { ...OPTIONS, names }, {}))('users')).toBeTypeOf('function')
})

test('Without a search for hints, any row may have one', async () => {
  const copy = await usersOf(1)
  const hints = await searchHints(copy, { what: new Set(), own: { hints: undefined } }, {})
  expect(hints('users')).toBeUndefined()
})

test('An error of the search ends the other thread', async () => {
  const copy = await usersOf(25_000)
  const find = () => {
    throw new Error('torn')
  }
  await expect(searchHints(copy, OPTIONS, { find })).rejects.toThrow('torn')
})
