import { expect, test } from 'vitest'
import { meantInStatement } from '../../src/query/meant-in-statement.ts'
import { runQuery } from '../../src/query/run-query.ts'
import { tablesWith } from '../support/tables.ts'

/** What was probably meant in a statement that SQLite refuses. */
function meantIn(sql: string): string | undefined {
  const database = tablesWith()
  try {
    runQuery(database, sql)
  } catch (error) {
    return meantInStatement(error, sql, database)
  }
  throw new Error('the statement is right')
}

test.each([
  ['SELECT * FROM isues', 'issues'],
  ['SELECT titel FROM issues', 'title'],
  ['SELECT i.titel FROM issues i', 'i.title'],
  ['SELECT i.login FROM issues i JOIN users u ON u.url = i.user', 'u.login'],
  ['SELECT lenght(title) FROM issues', 'length'],
  ['SELECT title FROM issues WHERE title LIEK 1', 'LIKE'],
  ['SELECT zzzzzzzz FROM issues', undefined],
])('%s means %s', (sql, meant) => {
  expect(meantIn(sql)).toBe(meant)
})
