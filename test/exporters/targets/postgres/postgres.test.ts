import { describe, expect, test } from 'vitest'
import { GrowingText } from '../../../../src/base/growing-text.ts'
import type { ExportColumn, ExportType } from '../../../../src/exporters/column-types.ts'
import { withoutPassword } from '../../../../src/exporters/targets/postgres/connection.ts'
import { addCopyRow } from '../../../../src/exporters/targets/postgres/copy-text.ts'
import { openPostgresTarget } from '../../../../src/exporters/targets/postgres/postgres.ts'
import { describeSchema } from '../../../../src/exporters/targets/postgres/schema.ts'
import type { TypedValue } from '../../../../src/exporters/to-typed.ts'

/** What a server does is tested with one: npm run engines:test. */

const text: ExportType = { is: 'text' }
const list = (element: ExportType): ExportType => ({ is: 'list', element })
const struct: ExportType = {
  is: 'struct',
  members: [
    { name: 'a', type: { is: 'integer' }, optional: false },
    { name: 'b', type: { is: 'json' }, optional: true },
  ],
}

describe('A line of COPY', () => {
  test.each<[string, ExportType, TypedValue, string]>([
    ['NULL', text, null, '\\N'],
    ['an empty text', text, '', ''],
    ['the text \\N', text, '\\N', '\\\\N'],
    ['what ends lines and fields', text, 'a\tb\nc\rd\\.', 'a\\tb\\nc\\rd\\\\.'],
    ['no U+0000', text, 'a\0b', 'ab'],
    ['a time', { is: 'time' }, 0, '1970-01-01T00:00:00.000Z'],
    ['an integer of 64 bits', { is: 'integer' }, 2n ** 63n - 1n, '9223372036854775807'],
    [
      'an array',
      list(text),
      ['a', null, 'NULL', '"\\', ''],
      '{"a",NULL,"NULL","\\\\"\\\\\\\\",""}',
    ],
    [
      'JSON in a struct',
      struct,
      { a: 2n ** 60n, b: '{"c":1}' },
      '{"a":1152921504606846976,"b":{"c":1}}',
    ],
    ['a list of structs', list(struct), [{ a: 1, b: null }, null], '[{"a":1,"b":null},null]'],
  ])('has %s', (_what, type, value, field) => {
    const columns: ExportColumn[] = [{ name: 'x', type, description: '' }]
    const line = new GrowingText()
    addCopyRow(line, columns, [value])
    expect(String(line.take())).toBe(field)
  })
})

test.each([
  ['postgres://a:b@h/d', 'postgres://a:***@h/d'],
  ['postgres://h/d?password=b&x=1', 'postgres://h/d?password=***&x=1'],
  ['postgres://h/d', 'postgres://h/d'],
  ['a:b@h', 'postgres'],
])('The password of %s is not shown', (url, shown) => {
  expect(withoutPassword(url)).toBe(shown)
})

test('A schema has tables, views of lists and joined kinds, and indexes', () => {
  const sql = describeSchema('a"b')
  expect(sql).toContain('CREATE SCHEMA IF NOT EXISTS "a""b"')
  for (const table of ['"issues"', '"files"', '_exports']) {
    expect(sql).toContain(`CREATE TABLE IF NOT EXISTS ${table} (`)
  }
  for (const view of ['issues_labels', 'threads', 'latest_users', 'archives']) {
    expect(sql).toContain(`CREATE OR REPLACE VIEW "${view}"`)
  }
  expect(sql).toContain('"issues_by_labels" ON "issues" USING gin ("labels")')
})

test.each([
  ['option-invalid', 'http://127.0.0.1/x'],
  ['package-missing', 'postgres://127.0.0.1:1/x'],
])('%s: %s is refused', async (code, url) => {
  await expect(openPostgresTarget(url, {})).rejects.toMatchObject({ code })
})
