import { expect, test } from 'vitest'
import { addressOf, isLoopback } from '../../src/interface/addresses.ts'

test('The address of an endpoint has its parameters, percent-encoded', () => {
  const parameters = { migration_id: 7, repo_name: 'ada/ke ttle', org: 'x' }
  expect(addressOf('unlockUserRepository', parameters)).toEqual({
    method: 'DELETE',
    path: '/user/migrations/7/repos/ada%2Fke%20ttle/lock',
  })
  expect(addressOf('index')).toEqual({ method: 'GET', path: '/' })
})

test.each([
  ['127.0.0.1', true],
  ['127.9.9.9', true],
  ['localhost', true],
  ['[::1]', true],
  ['10.0.0.1', false],
  ['localhost.example', false],
  ['127.0.0.1.example', false],
])('%s is loopback: %s', (host, expected) => {
  expect(isLoopback(host)).toBe(expected)
})
