import { expect, test } from 'vitest'
import { ArchiveError } from '../../src/base/errors.ts'
import { toHttpError } from '../../src/http/http-error.ts'

test('A damaged database is named as such, and only the log says more', () => {
  const place = { archive: '/home/ada/it.db' }
  const error = toHttpError(new ArchiveError('database-damaged', 'title holds no TEXT', place))
  expect(error.status).toBe(500)
  expect(error.message).toBe(
    'The database is damaged: marc doctor says where. Load its archives again.',
  )
  expect(error.fault).toContain('title holds no TEXT')
})

test('Any other error is a fault of the server, of which only the log says more', () => {
  const error = toHttpError(new TypeError('x is undefined'))
  expect([error.status, error.message]).toEqual([500, 'Server Error'])
  expect(error.fault).toContain('x is undefined')
})
