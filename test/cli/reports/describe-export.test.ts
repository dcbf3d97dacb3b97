import { expect, test } from 'vitest'
import type { Io } from '../../../src/cli/command/io.ts'
import { describeVerification } from '../../../src/cli/reports/describe-export.ts'

const io = { stdout: { isTTY: false }, env: {} } as unknown as Pick<Io, 'stdout' | 'env'>

test('Differences are listed by partition, twenty of each at most, and never control a terminal', () => {
  const many = Array.from({ length: 23 }, (_, i) => ({
    table: 'a\u001b[2J',
    fact: `${i} values`,
    expected: 1,
    found: null,
  }))
  const found = [
    { name: 'good', differences: [], notCompared: [] },
    { name: 'bad', differences: many, notCompared: ['rights'] },
    { name: null, differences: [], notCompared: ['bytes', 'the order of columns'] },
  ]
  const lines = describeVerification(found, io).split('\n').map(String)
  expect(lines).toHaveLength(1 + 1 + 20 + 1 + 1 + 1)
  expect(lines.join('\n')).not.toContain('\u001b')
  expect(lines.slice(0, 2)).toEqual(['good is as it should be.', 'bad differs:'])
  expect(lines[2]).toMatch(/^ {2}a.+, 0 values: expected 1, found nothing$/)
  expect(lines.slice(-3)).toEqual([
    '  and 3 more',
    '  Not compared: rights.',
    'The rest of the target is as it should be. Not compared: bytes, the order of columns.',
  ])
  expect(describeVerification([], io)).toBe('There are no partitions.')
})

test('Values of records are quoted, so that NULL and an empty text differ', () => {
  const where = { table: 'issues', record: 'https://H/o/r/issues/1' }
  const differences = [
    { ...where, fact: 'body', expected: '', found: null },
    { ...where, fact: 'rows', expected: 1, found: 2 },
  ]
  expect(
    describeVerification([{ name: 'it', differences, notCompared: [] }], io)
      .split('\n')
      .map(String),
  ).toEqual([
    'it differs:',
    '  issues, https://H/o/r/issues/1, body: expected "", found NULL',
    '  issues, https://H/o/r/issues/1, rows: expected 1, found 2',
  ])
})
