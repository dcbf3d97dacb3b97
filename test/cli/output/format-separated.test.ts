import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { FormatOptions } from '../../../src/cli/output/format.ts'
import type { SqlValue } from '../../../src/query/run-query.ts'
import { write } from './write.ts'

const bare = { headers: false }

describe('csv', () => {
  const csv = (cell: SqlValue, options: FormatOptions = bare) =>
    write('csv', { columns: ['a', 'b'], rows: [[cell, 1]] }, options)

  test('writes the names first', () => {
    expect(csv('x', {})).toBe('a,b\nx,1\n')
  })

  test.each([
    ['a comma', 'x,y', '"x,y",1\n'],
    ['a quote', 'x"y', '"x""y",1\n'],
    ['a line feed', 'x\ny', '"x\ny",1\n'],
    ['a carriage return', 'x\ry', '"x\ry",1\n'],
  ])('quotes a cell with %s', (_, cell, line) => {
    expect(csv(cell)).toBe(line)
  })

  test('writes a blob as base64', () => {
    expect(csv(new Uint8Array([1, 2, 3]))).toBe('AQID,1\n')
  })

  test('never writes an empty line for a row', () => {
    expect(write('csv', { columns: ['a'], rows: [[null]] }, bare)).toBe('""\n')
  })

  test('keeps control characters in a file', () => {
    expect(csv('\x1b[31m')).toBe('\x1b[31m,1\n')
  })

  test('shows line breaks as escapes on a terminal', () => {
    expect(csv('x\ny', { ...bare, terminal: true })).toBe('x\\ny,1\n')
  })

  test.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1'])('Q3: csvSafe disarms %j', (cell) => {
    expect(csv(cell, { ...bare, csvSafe: true })).toBe(`'${cell},1\n`)
  })

  test('csvSafe leaves numbers alone', () => {
    expect(csv(-1, { ...bare, csvSafe: true })).toBe('-1,1\n')
  })

  test('csvSafe disarms column names', () => {
    expect(write('csv', { columns: ['=1'], rows: [] }, { csvSafe: true })).toBe("'=1\n")
  })

  test('is read back unchanged', () => {
    const cell = fc.string({ unit: fc.constantFrom(',', '"', '\n', '\r', ' ', 'a', 'é', '😀') })
    fc.assert(
      fc.property(fc.array(fc.tuple(cell, cell, cell)), (rows) => {
        expect(parseCsv(write('csv', { columns: ['a', 'b', 'c'], rows }, bare))).toEqual(rows)
      }),
    )
  })
})

describe('tsv', () => {
  test('escapes separators and backslashes', () => {
    const text = write('tsv', { columns: ['a'], rows: [['x\ty\nz\r\\n']] })
    expect(text).toBe('a\nx\\ty\\nz\\r\\\\n\n')
  })

  test('is read back unchanged', () => {
    const cell = fc.string({ unit: fc.constantFrom('\t', '\n', '\r', '\\', 'n', 't', '"') })
    fc.assert(
      fc.property(fc.array(fc.tuple(cell, cell), { minLength: 1 }), (rows) => {
        const lines = write('tsv', { columns: ['a', 'b'], rows }, bare)
          .slice(0, -1)
          .split('\n')
        expect(lines.map((line) => line.split('\t').map(unescapeCell))).toEqual(rows)
      }),
    )
  })
})

/** RFC 4180 with a line feed after each row. */
function parseCsv(text: string): string[][] {
  const rows: string[][] = []
  let row: string[] = []
  for (const [, quoted, plain, end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\n]*))(,|\n)/g)) {
    row.push(quoted?.replaceAll('""', '"') ?? plain ?? '')
    if (end === '\n') {
      rows.push(row)
      row = []
    }
  }
  return rows
}

function unescapeCell(cell: string): string {
  const meaning: Record<string, string> = { t: '\t', n: '\n', r: '\r', '\\': '\\' }
  return cell.replace(/\\(.)/g, (_, character) => meaning[character] ?? '?')
}
