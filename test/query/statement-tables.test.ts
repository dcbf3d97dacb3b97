import { expect, test } from 'vitest'
import { statementTables } from '../../src/query/statement-tables.ts'
import { expectLinear } from '../support/cpu-time.ts'
import { THOROUGH } from '../support/thorough.ts'

test.each<[string, Record<string, string>]>([
  ['SELECT 1', {}],
  ['SELECT * FROM issues', { issues: 'issues' }],
  ['select * from issues as i', { i: 'issues' }],
  ['SELECT * FROM issues i WHERE x', { i: 'issues' }],
  ['SELECT * FROM main.issues', { issues: 'issues' }],
  ['SELECT * FROM "my ""issues" AS [the one]', { 'the one': 'my "issues' }],
  ['SELECT * FROM issues JOIN users u ON u.url = user', { issues: 'issues', u: 'users' }],
  ['SELECT * FROM issues LEFT JOIN users USING (url)', { issues: 'issues', users: 'users' }],
  ['SELECT * FROM issues i, users u, labels', { i: 'issues', u: 'users', labels: 'labels' }],
  [
    'SELECT * FROM issues i JOIN users ON a(b, c), labels',
    { i: 'issues', users: 'users', labels: 'labels' },
  ],
  ['SELECT state, labels FROM threads', { threads: 'threads' }],
  ['SELECT a FROM threads ORDER BY b, labels', { threads: 'threads' }],
  ['SELECT e.x FROM issues i, json_each(i.labels) AS e', { i: 'issues', e: 'json_each' }],
  ["SELECT 'FROM users' FROM issues -- FROM labels", { issues: 'issues' }],
  ['SELECT * FROM (SELECT a, b FROM users) AS s', { users: 'users' }],
  ['SELECT (SELECT 1 FROM users), labels FROM issues', { users: 'users', issues: 'issues' }],
  ['SELECT * FROM issues UNION SELECT * FROM users', { issues: 'issues', users: 'users' }],
  ['WITH x AS (SELECT * FROM issues) SELECT * FROM x', { issues: 'issues' }],
  ['WITH x (a, b) AS NOT MATERIALIZED (SELECT 1, 2), y AS (SELECT 1) SELECT * FROM x, y', {}],
  ['SELECT * FROM issues AS', { issues: 'issues' }],
  ['SELECT * FROM', {}],
  ['SELECT ))) FROM issues', { issues: 'issues' }],
])('%s', (sql, tables) => {
  expect(Object.fromEntries(statementTables(sql))).toEqual(tables)
})

test('A statement of 25 kB takes as long as it is long', THOROUGH, () => {
  const parts = [
    'x AS (',
    'FROM (',
    ')',
    '"',
    "'",
    '/*',
    'a (b) AS (',
    'FROM a (',
    'FROM a, ',
    ') AS (',
  ]
  for (const part of parts) {
    expectLinear(
      (length) => {
        const statement = `SELECT ${part.repeat(length / part.length)}`
        return () => statementTables(statement)
      },
      25_000,
      part,
    )
  }
})
