import { expect, test } from 'vitest'
import { translateStatement } from '../../src/datasets/translate-statement.ts'
import { expectLinear } from '../support/cpu-time.ts'
import { THOROUGH } from '../support/thorough.ts'

test.each([
  ['SELECT url FROM issues', 'SELECT url FROM issues'],
  ['WHERE :repo IS NULL OR full_name = :repo', 'WHERE $repo IS NULL OR full_name = $repo'],
  ["event IS NOT 'pending'", "event IS DISTINCT FROM 'pending'"],
  ['private IS 1', 'private IS NOT DISTINCT FROM 1'],
  ['a IS NOT NULL AND b IS TRUE', 'a IS NOT NULL AND b IS TRUE'],
  ["login LIKE '%[bot]'", "login ILIKE '%[bot]'"],
  ["path NOT GLOB 'a/*.p?[^0-9]'", "path NOT SIMILAR TO '(?s)a/.*\\.p.[^0-9]'"],
  ["date(a, '+1 month')", "sqlite_date(a, '+1 month')"],
  ['max(a), max(a, b)', 'max(a), sqlite_max(a, b)'],
  ['max(f(a, b))', 'max(f(a, b))'],
  ['CAST(a.b AS INTEGER)', 'sqlite_integer(a.b  )'],
  ['CAST(a AS TEXT)', 'CAST(a AS TEXT)'],
  ["e.value ->> 'a' = 'b'", "(e.value ->> 'a') = 'b'"],
  ["a -> 'b' ->> 'c'", "((a -> 'b') ->> 'c')"],
  ["CASE WHEN a THEN b END ->> 'c'", "(CASE WHEN a THEN b END ->> 'c')"],
  ['LIMIT +:limit', 'LIMIT $limit'],
  ["x'00FF' = X''", "from_hex('00FF') = from_hex('')"],
  ['a + b', 'a + b'],
  ['ORDER BY rowid', 'ORDER BY _record_number'],
  ['SELECT at, [a b], `c` FROM t', 'SELECT "at", "a b", "c" FROM t'],
  ["SELECT ':a IS 1' -- :a IS 1", "SELECT ':a IS 1' -- :a IS 1"],
])('%s becomes %s', (sqlite, duckdb) => {
  expect(translateStatement(sqlite).replace(/ +$/, '')).toBe(duckdb)
})

test('json_each becomes a query with the words of SQLite for types', () => {
  const translated = translateStatement('SELECT e.value FROM issues AS o, json_each(o.labels) AS e')
  expect(translated).toMatch(/FROM issues AS o, \(SELECT .+ FROM json_each\(o\.labels\)\) AS e$/s)
  expect(translated).toContain("WHEN 'OBJECT' THEN 'object'")
})

test(
  'A statement without sense is translated in time that grows with its length alone',
  THOROUGH,
  () => {
    for (const part of ['(', "'", 'case ', 'a ->> ', 'is not ', '[', 'a.', '/*']) {
      expectLinear((count) => () => translateStatement(part.repeat(count)), 50_000, part)
    }
  },
)
