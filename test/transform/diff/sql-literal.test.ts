import fc from 'fast-check'
import { expect, it } from 'vitest'
import { openConnection } from '../../../src/database/connection.ts'
import { literal } from '../../../src/transform/diff/sql-literal.ts'

it('A text is written on one line, as .dump of SQLite does', () => {
  expect(literal("it's\r\none")).toBe(
    "replace(replace('it''s\\r\\none','\\r',char(13)),'\\n',char(10))",
  )
})

it('SQLite reads any value as it was', () => {
  const database = openConnection(':memory:')
  const texts = fc
    .array(
      fc.oneof(
        fc.constantFrom('\r', '\n', '\0', '\\r', '\\n', '\\0', "'", '\\', 'r', 'n'),
        fc.string(),
      ),
    )
    .map((parts) => parts.join(''))
  const values = fc.oneof(
    texts,
    fc.constantFrom(null, 1e300, -1.5, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY),
    fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n),
    fc.uint8Array().map((bytes) => Buffer.from(bytes)),
  )
  try {
    fc.assert(
      fc.property(values, (value) => {
        const sql = literal(value)
        expect(sql).not.toMatch(/[\r\n\0]/)
        expect(database.prepare(`SELECT ${sql}`).pluck().safeIntegers().get()).toEqual(value)
      }),
    )
  } finally {
    database.close()
  }
})
