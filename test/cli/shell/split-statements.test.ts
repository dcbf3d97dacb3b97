import { expect, test } from 'vitest'
import {
  hasStatement,
  joinLines,
  splitStatements,
} from '../../../src/cli/shell/split-statements.ts'

test.each([
  ['select 1;', ['select 1'], ''],
  ['select 1; select 2', ['select 1'], ' select 2'],
  [';;select 1;;', ['select 1'], ''],
  ['select \';\', ";", `;`, [;];', ['select \';\', ";", `;`, [;]'], ''],
  ["select 'it''s;';", ["select 'it''s;'"], ''],
  ['select 1 -- no; end\n;', ['select 1 -- no; end\n'], ''],
  ['select /* no; end */ 1;', ['select /* no; end */ 1'], ''],
  ["select 'open; ", [], "select 'open; "],
  ['select /* open; ', [], 'select /* open; '],
  ['-- only a comment;\n', [], '-- only a comment;\n'],
])('splits %j', (text, statements, rest) => {
  expect(splitStatements(text)).toEqual({ statements, rest })
})

test('accepts a literal of megabytes', () => {
  const long = `select '${"it''s ".repeat(500_000)}'`
  expect(splitStatements(`${long};`)).toEqual({ statements: [long], rest: '' })
})

test('recognizes text without statements', () => {
  expect(hasStatement(' -- no\n/* no */ ; ')).toBe(true)
  expect(hasStatement(' -- no\n/* no */ ')).toBe(false)
})

test.each([
  ['select 1', 'select 1'],
  ['select 1, -- one\n  2/* two\n*/from x', 'select 1, 2 from x'],
  ['select \'a;--b\'\nfrom "c d"', 'select \'a;--b\' from "c d"'],
  ["select 'a\nb'", undefined],
  ['select 1 -- as it is', 'select 1 -- as it is'],
])('makes %j one line: %j', (text, line) => {
  expect(joinLines(text)?.replace(/ +/g, ' ')).toBe(line)
})
