import { expect, test } from 'vitest'
import { openConnection } from '../../src/database/connection.ts'
import { createSchema } from '../../src/database/schema/schema.ts'
import { findInParts, foundByTable, partsOf } from '../../src/transform/find-hinted-rows.ts'
import { readHintedRows } from '../../src/transform/read-hinted-rows.ts'

/** A database with 10,000 users, of whom some have a hint. */
function manyUsers(encoding = 'UTF-8') {
  const database = openConnection(':memory:')
  database.pragma(`encoding = '${encoding}'`)
  createSchema(database)
  database.exec(
    `WITH RECURSIVE numbers(n) AS (VALUES (1) UNION ALL SELECT n + 1 FROM numbers WHERE n < 10000)
     INSERT INTO users (url, login)
       SELECT 'https://forge.example/' || n, iif(n % 97 = 5, 'xx', 'ada') || n FROM numbers;
     INSERT INTO bots (url, login) VALUES ('https://forge.example/b', 'xx')`,
  )
  return database
}

const findX = (bytes: Buffer): number[] =>
  [...bytes.toString('latin1').matchAll(/xx/g)].map(({ index }) => index)

/** How many parts were taken. */
const taken = (count: number) => new Int32Array(new SharedArrayBuffer(4)).fill(count)

/** What two threads find, one of them in so many parts. */
function foundBy(database: ReturnType<typeof manyUsers>, first = 1) {
  const parts = partsOf(database)
  const found = [
    findInParts(database, parts.slice(0, first), taken(0), findX),
    findInParts(database, parts, taken(first), findX),
  ]
  return foundByTable(parts, found)
}

test.each([0, 1, 2, 3])(
  'Two threads, one with %i parts, find what is found by reading',
  (first) => {
    const database = manyUsers()
    const found = foundBy(database, first)
    for (const table of ['users', 'bots']) {
      const rows = [...readHintedRows(database, table, findX)]
      expect(rows.length).toBeGreaterThan(0)
      expect([...readHintedRows(database, table, found.get(table))]).toEqual(rows)
    }
  },
)

test('A table is left out if a part of it was not searched', () => {
  const database = manyUsers()
  const parts = partsOf(database)
  const found = findInParts(database, parts, taken(1), findX)
  expect([...foundByTable(parts, [found]).keys()]).toEqual(['bots'])
})

test.each([9223372036854775807n, -9223372036854775808n, 3_000_000_000n])(
  'A table with rowid %i is left out',
  (rowid) => {
    const database = manyUsers()
    database.prepare("UPDATE users SET rowid = ? WHERE login = 'ada1'").run(rowid)
    expect([...foundBy(database).keys()]).toEqual(['bots'])
  },
)

test('A table whose rowids are far apart is left out', () => {
  const database = manyUsers()
  database.exec("UPDATE users SET rowid = 2000000000 WHERE login = 'ada1'")
  expect([...foundBy(database).keys()]).toEqual(['bots'])
})

test('Tables in another encoding are left out', () => {
  expect(foundBy(manyUsers('UTF-16le')).size).toBe(0)
})
