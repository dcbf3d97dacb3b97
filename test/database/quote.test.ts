import fc from 'fast-check'
import { expect, test } from 'vitest'
import { openConnection } from '../../src/database/connection.ts'
import { quoteName, quoteText } from '../../src/database/quote.ts'
import { codePoint } from '../support/code-point.ts'

test('Q1: any text is one name and one value of a statement', () => {
  const database = openConnection('')
  const anyText = fc
    .oneof(fc.string({ unit: codePoint }), fc.stringMatching(/^["'`;\-\]\\)]{1,8}$/))
    // SQLite ends a statement at NUL, and refuses it.
    .map((text) => text.toWellFormed().replaceAll('\0', '?'))
  fc.assert(
    fc.property(anyText, (text) => {
      // As lists: an object takes a column named __proto__ for its prototype.
      const statement = database.prepare(`SELECT ${quoteText(text)} AS ${quoteName(text || 'x')}`)
      expect(statement.columns().map(({ name }) => name)).toEqual([text || 'x'])
      expect(statement.raw().all()).toEqual([[text]])
    }),
  )
  database.close()
})
