import fc from 'fast-check'
import { expect, test } from 'vitest'
import { CsvReader } from '../../src/load/csv-reader.ts'
import { runs } from '../support/property-runs.ts'
import { everyDay, THOROUGH } from '../support/thorough.ts'

/** The lines of a text that comes in pieces of so many bytes, and the fault. */
function read(text: string, piece = Number.POSITIVE_INFINITY, mostCells = 10) {
  const lines: (readonly string[])[] = []
  const reader = new CsvReader(mostCells, (cells) => lines.push(cells))
  const bytes = Buffer.from(text)
  for (let at = 0; at < bytes.length; at += piece) reader.write(bytes.subarray(at, at + piece))
  return { lines, fault: reader.end() }
}

const quoted = (cell: string) => `"${cell.replaceAll('"', '""')}"`

test('Whatever is quoted is read as it was, in pieces of any size', () => {
  const lines = fc.array(fc.array(fc.string({ unit: 'grapheme' }), { minLength: 1, maxLength: 5 }))
  fc.assert(
    fc.property(
      lines,
      fc.constantFrom('\n', '\r\n', '\r'),
      fc.integer({ min: 1, max: 9 }),
      (rows, end, piece) => {
        const text = rows.map((cells) => cells.map(quoted).join() + end).join('')
        expect(read(text, piece)).toEqual({ lines: rows, fault: undefined })
      },
    ),
    { numRuns: runs(300) },
  )
})

test.each([
  ['an order mark', '\ufeffa\nb', [['a'], ['b']]],
  ['empty lines', '\n\na\r\n\r\nb\n', [['a'], ['b']]],
  [
    'empty cells',
    ',\n"",\n',
    [
      ['', ''],
      ['', ''],
    ],
  ],
  ['an empty cell in quotes', '""\n', [['']]],
  ['quotes within a cell and text after one', 'a"b"\n"a"b,c\n', [['a"b"'], ['ab', 'c']]],
])('%s', (_, text, lines) => {
  for (const piece of [1, 2, 100]) expect(read(text, piece)).toEqual({ lines, fault: undefined })
})

test('A line of commas has no more cells than were asked for', THOROUGH, () => {
  expect(read(`${','.repeat(100_000)}x\ny`, 7000, 2).lines).toEqual([['', ''], ['y']])
})

everyDay(1)([
  ['a quote is not closed', 'a\n"b\n'],
  ['a line is longer than 1 MiB', `a\n${'b'.repeat(2 ** 20)}c\nd\n`],
  ['a line is longer than 1 MiB', `a\n"${'b\n'.repeat(2 ** 19)}c\n`],
])('Nothing is read from where %s', (fault, text) => {
  expect(read(text, 100_000)).toEqual({ lines: [['a']], fault })
})
