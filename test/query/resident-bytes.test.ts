import { expect, test } from 'vitest'
import { residentBytes } from '../../src/query/resident-bytes.ts'

test('The memory of a process is known as long as it is there', () => {
  expect(residentBytes(process.pid)).toBeGreaterThan(process.platform === 'linux' ? 10_000_000 : -1)
  expect(residentBytes(undefined)).toBe(0)
})
