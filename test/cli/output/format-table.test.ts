import { describe, expect, test } from 'vitest'
import { displayWidth } from '../../../src/cli/output/display-width.ts'
import { stylesFor } from '../../../src/cli/output/styles.ts'
import type { SqlValue } from '../../../src/query/run-query.ts'
import { write } from './write.ts'

const table = (rows: Iterable<SqlValue[]>, width?: number, columns = ['id', 'title']) =>
  write('table', { columns, rows }, { width })

describe('table', () => {
  test('aligns numbers to the right and text to the left', () => {
    expect(
      table([
        [1, 'x'],
        [20, 'yyyyyy'],
      ]),
    ).toBe('id  title\n--  ------\n 1  x\n20  yyyyyy\n')
  })

  test('aligns a column of numbers and text as text', () => {
    expect(
      table([
        [100, 'x'],
        ['a', 'y'],
      ]),
    ).toContain('\na    y\n')
  })

  test('measures emoji and CJK as terminals show them', () => {
    const lines = table([
      ['日本', 1],
      ['👩‍💻', 2],
      ['é', 3],
    ])
      .split('\n')
      .slice(0, -1)
    expect(lines.map(displayWidth)).toEqual([11, 11, 11, 11, 11])
  })

  test('writes no header without headers', () => {
    expect(write('table', { columns: ['long name'], rows: [['x']] }, { headers: false })).toBe(
      'x\n',
    )
  })

  test('makes the header bold and the rule dim', () => {
    const styles = stylesFor({ isTTY: true }, {})
    expect(write('table', { columns: ['a'], rows: [] }, { styles })).toBe(
      '\x1b[1ma\x1b[22m\n\x1b[2m-\x1b[22m\n',
    )
  })

  test('shows the size of a blob', () => {
    expect(table([[1, new Uint8Array(1234)]])).toContain('<1,234 bytes>')
  })

  test('cuts nothing without a width', () => {
    expect(table([[1, 'x'.repeat(500)]])).toContain('x'.repeat(500))
  })

  test('cuts nothing if the width of the terminal is unknown', () => {
    expect(table([[1, 'x'.repeat(500)]], 0)).toContain('x'.repeat(500))
  })

  test.each(['x', '日', '👩‍💻', 'é', '\n'])('cuts long text of %j to the width', (character) => {
    const lines = table([[1, character.repeat(300)]], 40).split('\n')
    expect(displayWidth(lines[2] as string)).toBeGreaterThanOrEqual(39)
    expect(displayWidth(lines[2] as string)).toBeLessThanOrEqual(40)
    expect(lines[2]).toMatch(/…$/)
  })

  test('cuts megabytes of text without measuring all of it', () => {
    const lines = table([[1, '日'.repeat(3_000_000)]], 40).split('\n')
    expect(displayWidth(lines[2] as string)).toBeLessThanOrEqual(40)
  })

  test('marks text of invisible length as cut', () => {
    expect(table([[1, `e${'\u0301'.repeat(10_000)}`]], 40)).toMatch(/…\n$/)
  })

  test('shrinks the widest columns and leaves small ones whole', () => {
    const row = ['octocat', 'x'.repeat(90), 'y'.repeat(50)]
    const line = table([row], 40, ['login', 'body', 'note']).split('\n')[2] as string
    expect(line.split('  ')).toEqual(['octocat', `${'x'.repeat(14)}…`, `${'y'.repeat(13)}…`])
  })

  test('never cuts a number', () => {
    const line = table([[1234567890123, 'x'.repeat(50)]], 12).split('\n')[2]
    expect(line).toBe('1234567890123  xxxx…')
  })

  test('keeps four columns of text in the narrowest terminal', () => {
    const line = table([['aaaaaaaa', 'bbbbbbbb']], 3, ['a', 'b']).split('\n')[2]
    expect(line).toBe('aaa…  bbb…')
  })

  test('keeps twelve columns of a header', () => {
    const head = table([['a', 'b']], 20, ['a_name_of_a_column', 'another_long_name']).split('\n')[0]
    expect(head).toBe('a_name_of_a…  another_lon…')
  })

  test('leaves room for longer text after the sample', () => {
    const rows = (function* (): Generator<SqlValue[]> {
      for (let id = 1; id <= 1_000; id++) yield [id, null]
      yield [1_001, '2024-01-01T00:00:00Z']
      yield [123_456, 'x']
    })()
    const lines = table(rows, 80).trimEnd().split('\n').slice(-2)
    expect(lines).toEqual(['1001  2024-01-01T00:00:00Z', '123456  x'])
  })

  test('takes that room from no existing cell', () => {
    const rows = Array.from({ length: 1_001 }, () => ['x'.repeat(30), '2024-01-01'])
    expect(table(rows, 40).split('\n').at(-2)).toBe(`${'x'.repeat(27)}…  2024-01-01`)
  })

  test('writes nothing for a result without columns', () => {
    expect(table([], 80, [])).toBe('')
  })
})
