import { describe, expect, test } from 'vitest'
import { FORMATS, type FormatName, isFormatName } from '../../../src/cli/output/formats.ts'
import type { SqlValue } from '../../../src/query/run-query.ts'
import { write } from './write.ts'

const names = Object.keys(FORMATS) as FormatName[]
const HOSTILE = 'a\x1b[31m\x07\x9b\x7f\u202e\u2028\n\r\tb'

describe.each(names)('every format, here %s', (name) => {
  test('has a summary', () => {
    expect(FORMATS[name].summary).toMatch(/^[a-z].*[^.]$/)
  })

  test('writes a result without rows', () => {
    expect(write(name, { columns: ['id', 'title'], rows: [] })).toBe(
      {
        table: 'id  title\n--  -----\n',
        json: '[]\n',
        ndjson: '',
        csv: 'id,title\n',
        tsv: 'id\ttitle\n',
        markdown: '| id | title |\n| --- | --- |\n',
        raw: '',
      }[name],
    )
  })

  test('writes NULL as an empty cell, in JSON as null', () => {
    const text = write(name, { columns: ['a', 'b'], rows: [[null, 1]] }, { headers: false })
    expect(text).toBe(
      {
        table: '   1\n',
        json: '[{"a":null,"b":1}]\n',
        ndjson: '{"a":null,"b":1}\n',
        csv: ',1\n',
        tsv: '\t1\n',
        markdown: '|  | 1 |\n',
        raw: '\t1\n',
      }[name],
    )
  })

  test('writes integers of 64 bits exactly', () => {
    const text = write(name, { columns: ['n'], rows: [[9223372036854775807n]] })
    expect(text).toContain('9223372036854775807')
  })

  test('ends with a line feed', () => {
    expect(write(name, { columns: ['a'], rows: [['x']] })).toMatch(/\n$/)
  })

  test('escapes control characters of cells and names on a terminal, except raw', () => {
    const text = write(
      name,
      { columns: [HOSTILE], rows: [[HOSTILE]] },
      { terminal: true, width: 80 },
    )
    const controls = text.replaceAll('\n', '').match(/[\p{Cc}\p{Bidi_Control}\u2028]/gu) ?? []
    expect(controls.length > 0).toBe(name === 'raw')
  })

  test('writes before ten thousand rows are read', () => {
    let read = 0
    const pieces = FORMATS[name].format({
      columns: ['a'],
      rows: countTo(10_000, () => read++),
    })
    pieces[Symbol.iterator]().next()
    expect(read).toBeLessThanOrEqual(name === 'table' ? 1_000 : 1)
  })

  test('writes all of ten thousand rows', () => {
    const text = write(name, { columns: ['a'], rows: countTo(10_000) }, { headers: false })
    expect(text.trim().split('\n')).toHaveLength(10_000)
  })

  test('releases the rows when the reader stops early', () => {
    let released = false
    const rows = countTo(10_000, undefined, () => {
      released = true
    })
    const pieces: Iterable<unknown> = FORMATS[name].format({ columns: ['a'], rows })
    let taken = 0
    for (const _ of pieces) if (++taken === 5) break
    expect(released).toBe(true)
  })
})

test('isFormatName knows the names, and no inherited ones', () => {
  expect(names.every(isFormatName)).toBe(true)
  expect(isFormatName('toString')).toBe(false)
})

function* countTo(
  count: number,
  onRow: () => void = () => {},
  onEnd: () => void = () => {},
): Generator<readonly SqlValue[]> {
  try {
    for (let number = 1; number <= count; number++) {
      onRow()
      yield [number]
    }
  } finally {
    onEnd()
  }
}
