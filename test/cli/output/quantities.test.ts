import { expect, test } from 'vitest'
import {
  describeBlob,
  formatBytes,
  formatCount,
  formatDuration,
  formatRate,
} from '../../../src/cli/output/quantities.ts'

test.each([
  [0, '0 B'],
  [1023, '1023 B'],
  [1024, '1.0 KiB'],
  [1_234_567, '1.2 MiB'],
  [1024 ** 2 - 1, '1.0 MiB'],
  [5 * 1024 ** 3, '5.0 GiB'],
  [2 ** 63, '8192.0 PiB'],
])('%i bytes are %s', (bytes, text) => {
  expect(formatBytes(bytes)).toBe(text)
})

test.each([
  [500.4, '500 B/s'],
  [3.44 * 1024 ** 2, '3.4 MiB/s'],
  [31.4 * 1024 ** 2, '31 MiB/s'],
  [1023.9 * 1024, '1.0 MiB/s'],
])('%d bytes a second are %s', (rate, text) => {
  expect(formatRate(rate)).toBe(text)
})

test.each([
  [0, '0 ms'],
  [850.4, '850 ms'],
  [999.9, '1.0 s'],
  [12_345, '12.3 s'],
  [59_960, '1 min 0 s'],
  [200_000, '3 min 20 s'],
  [3_599_900, '1 h 0 min'],
  [7_500_000, '2 h 5 min'],
])('%d milliseconds are %s', (milliseconds, text) => {
  expect(formatDuration(milliseconds)).toBe(text)
})

test('counts are grouped by thousands', () => {
  expect(formatCount(1_234_567)).toBe('1,234,567')
  expect(formatCount(9223372036854775807n)).toBe('9,223,372,036,854,775,807')
})

test('one byte is singular', () => {
  expect(describeBlob(new Uint8Array(1))).toBe('<1 byte>')
})
