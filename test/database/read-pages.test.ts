import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { openConnection } from '../../src/database/connection.ts'
import { insertedId, readPages, takeRows } from '../../src/database/read-pages.ts'

const [FIRST, LAST] = [-(2n ** 63n), 2n ** 63n - 1n]

/** A table `t` with a row for each rowid, whose name is the rowid as text. */
function tableWith(rowids: readonly bigint[]) {
  const database = openConnection(':memory:')
  onTestFinished(() => void database.close())
  database.exec('CREATE TABLE t (name TEXT, size INTEGER)')
  const insert = database.prepare('INSERT OR IGNORE INTO t (rowid, name, size) VALUES (?, ?, 3)')
  for (const rowid of rowids) insert.run(rowid, String(rowid))
  return database
}

const anyRowid = fc.oneof(
  fc.bigInt(FIRST, LAST),
  fc.constantFrom(FIRST, FIRST + 1n, LAST - 1n, LAST, 0n, -1n),
  fc.bigInt(-3n, 12n).map((n) => 2n ** 53n + n),
  fc.bigInt(-12n, 3n).map((n) => -(2n ** 53n) + n),
)

test('every row is read once, in the order of the rowids, whatever these and the page size are', () => {
  fc.assert(
    fc.property(fc.uniqueArray(anyRowid), fc.integer({ min: 1, max: 5 }), (rowids, size) => {
      const pages = [...readPages<{ name: string }>(tableWith(rowids), { from: 't', size })]
      const sorted = rowids.toSorted((a, b) => (a < b ? -1 : 1))
      expect(pages.flat().map(({ position }) => position)).toEqual(sorted)
      expect(pages.flat().map(({ name }) => name)).toEqual(sorted.map(String))
    }),
  )
})

test('the condition, the key and the columns are those that were given; other integers are numbers', () => {
  const database = tableWith([1n, 2n, 2n ** 60n])
  const pages = readPages(database, {
    columns: 'rowid AS other, size',
    from: 't',
    where: 'rowid = 1 OR rowid > 2',
    size: 1,
    key: '-rowid',
    bigints: ['other'],
  })
  expect([...pages].flat()).toEqual([
    { position: -(2n ** 60n), other: 2n ** 60n, size: 3 },
    { position: -1n, other: 1n, size: 3 },
  ])
})

test('rows of a page may be deleted before the next one is read', () => {
  const database = tableWith([FIRST, 5n, 2n ** 53n + 1n, LAST])
  const remove = database.prepare('DELETE FROM t WHERE rowid = ?')
  let removed = 0
  for (const rows of readPages(database, { from: 't', size: 1 })) {
    for (const { position } of rows) removed += remove.run(position).changes
  }
  expect(removed).toBe(4)
})

test('the id of a new row is a number, or refused if a number cannot hold it', () => {
  expect(insertedId({ lastInsertRowid: 7 })).toBe(7)
  const insert = tableWith([LAST]).prepare("INSERT INTO t (name) VALUES ('x')")
  expect(() => insertedId(insert.run())).toThrow(
    expect.objectContaining({ code: 'database-damaged' }),
  )
})

test('a rowid that a number cannot hold is never read as one', () => {
  const select = tableWith([2n ** 53n + 1n]).prepare('SELECT rowid, size FROM t')
  expect(() => select.get()).toThrow(
    expect.objectContaining({
      code: 'database-damaged',
      message: expect.stringContaining('t.rowid'),
    }),
  )
  expect(select.safeIntegers().get()).toEqual({ rowid: 2n ** 53n + 1n, size: 3n })
})

test('A page of rows ends early if they are long', () => {
  const rows = (length: number) => Array.from({ length: 10 }, (_, i) => [i, 'x'.repeat(length)])
  expect(takeRows(rows(1000))).toHaveLength(10)
  expect(takeRows(rows(2 ** 21))).toHaveLength(3)
  expect(takeRows(rows(2 ** 23))).toHaveLength(1)
})
