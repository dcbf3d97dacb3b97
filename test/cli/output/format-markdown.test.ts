import { expect, test } from 'vitest'
import type { SqlValue } from '../../../src/query/run-query.ts'
import { write } from './write.ts'

const cell = (value: SqlValue) =>
  write('markdown', { columns: ['a'], rows: [[value]] }, { headers: false })

test('markdown writes a header and a rule', () => {
  const text = write('markdown', { columns: ['a', 'b'], rows: [[1, 'x']] })
  expect(text).toBe('| a | b |\n| --- | --- |\n| 1 | x |\n')
})

test.each([
  ['a pipe', 'x|y', '| x\\|y |\n'],
  ['a backslash before a pipe', 'x\\|y', '| x\\\\\\|y |\n'],
  ['line breaks', 'x\r\ny\nz', '| x<br>y<br>z |\n'],
  ['HTML', '<!-- x', '| \\<!-- x |\n'],
  ['a control character', '\x1b', '| \\x1b |\n'],
])('markdown encodes %s', (_, value, line) => {
  expect(cell(value)).toBe(line)
})

test('markdown shows the size of a blob', () => {
  expect(cell(new Uint8Array(1))).toBe('| \\<1 byte> |\n')
})
