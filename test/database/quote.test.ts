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
      const row = database.prepare(`SELECT ${quoteText(text)} AS ${quoteName(text || 'x')}`).get()
      expect(Object.entries(row as object)).toEqual([[text || 'x', text]])
    }),
  )
  database.close()
})
