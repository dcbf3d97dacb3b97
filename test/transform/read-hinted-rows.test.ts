import { expect, test } from 'vitest'
import { openConnection } from '../../src/database/connection.ts'
import { recordColumns } from '../../src/database/rows/read-record.ts'
import { createSchema } from '../../src/database/schema/schema.ts'
import { readHintedRows } from '../../src/transform/read-hinted-rows.ts'

/** A database of users with these logins, from rowid 1. */
function usersNamed(logins: readonly (string | Buffer)[], encoding = 'UTF-8') {
  const database = openConnection(':memory:')
  database.pragma(`encoding = '${encoding}'`)
  createSchema(database)
  const insert = database.prepare('INSERT INTO users (url, login) VALUES (?, CAST(? AS TEXT))')
  logins.forEach((login, i) => void insert.run(`https://forge.example/${i}`, login))
  return database
}

const findX = (bytes: Buffer): number[] =>
  [...bytes.toString('latin1').matchAll(/xx/g)].map(({ index }) => index)

const rowidsOf = (database: ReturnType<typeof usersNamed>): number[] =>
  [...readHintedRows(database, 'users', findX)]
    .flatMap(({ rows }) => rows)
    .map(([rowid]) => Number(rowid))

const many = Array.from({ length: 450 }, (_, i) => (i % 100 === 7 ? `xx${i}` : `ada${i}`))

test('Reads the rows with a hint alone, over all pages', () => {
  expect(rowidsOf(usersNamed(many))).toEqual([8, 108, 208, 308, 408])
})

test('Reads a whole page if most of it has hints', () => {
  expect(rowidsOf(usersNamed(many.map(() => 'xx')))).toEqual(many.map((_, i) => i + 1))
})

test('Reads rows with long texts, whatever they hold', () => {
  const logins = many.map((login, i) => (i === 300 ? 'a'.repeat(70_000) : login))
  expect(rowidsOf(usersNamed(logins))).toEqual([8, 108, 208, 301, 308, 408])
})

test('Reads all rows of a page with bytes that are no UTF-8', () => {
  const logins = ['ada', Buffer.from([0x61, 0xff, 0x62]), 'grace', 'xx']
  expect(rowidsOf(usersNamed(logins))).toEqual([1, 2, 3, 4])
})

test('Reads all rows of a database in another encoding', () => {
  expect(rowidsOf(usersNamed(['ada', 'grace'], 'UTF-16le'))).toEqual([1, 2])
})

test('The last rowid of all may end a page', () => {
  const database = usersNamed(many.slice(0, 200))
  database.exec('UPDATE users SET rowid = 9223372036854775807 WHERE rowid = 200')
  expect(rowidsOf(database)).toEqual([8, 108])
})

test('Rowids may be any number', () => {
  const database = usersNamed(['ada', 'xx', 'grace', 'xxx'])
  database.exec("UPDATE users SET rowid = -9223372036854775808 WHERE login = 'xx'")
  database.exec("UPDATE users SET rowid = 9223372036854775807 WHERE login = 'xxx'")
  const rows = [...readHintedRows(database, 'users', findX)].flatMap(({ rows }) => rows)
  expect(rows.map(([rowid]) => rowid)).toEqual([-(2n ** 63n), 2n ** 63n - 1n])
})

test('Long rows come a few at a time, with hints or without', () => {
  const database = usersNamed(Array.from({ length: 12 }, () => `xx${'a'.repeat(2 ** 20)}`))
  for (const findHints of [findX, undefined]) {
    const pages = [...readHintedRows(database, 'users', findHints)].map(({ rows }) => rows.length)
    expect(Math.max(...pages)).toBeLessThanOrEqual(5)
    expect(pages.reduce((sum, length) => sum + length)).toBe(12)
  }
})

test('Tells in which columns of a row there is a hint', () => {
  const database = usersNamed(['ada', 'xx', 'grace'])
  database.exec(
    `UPDATE users SET name = 'xx', bio = 'xx xx' WHERE rowid = 2; UPDATE users SET _extra = '"xx"' WHERE rowid = 3`,
  )
  const names = [...Object.keys(recordColumns('users').kind.columns), '_extra', '_member_order']
  const found = [...readHintedRows(database, 'users', findX)].map(({ columns }) =>
    columns?.map((i) => names[i]),
  )
  expect(found).toEqual([['login', 'name', 'bio'], ['_extra']])
})

test('Any column may have a hint where one has bytes that are no UTF-8', () => {
  const database = usersNamed([Buffer.from([0x78, 0x78, 0xfe, 0x62])])
  expect([...readHintedRows(database, 'users', findX)].map(({ columns }) => columns)).toEqual([
    undefined,
  ])
})
