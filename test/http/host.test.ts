import { describe, expect, test } from 'vitest'
import { aHostName, checkHost, createHostRules } from '../../src/http/host.ts'

const rules = createHostRules({
  bind: '::1',
  hostNames: ['archive.example'],
  baseUrl: 'https://front.example/api',
})

describe('A request is let in for', () => {
  test.each([
    '127.0.0.1',
    '127.0.0.1:8730',
    'LocalHost:1',
    '[::1]:8730',
    'x.localhost',
    'archive.example:99',
    'Front.Example',
  ])('%s', (host) => {
    expect(checkHost([host], '/events', rules)).toBe(host)
  })
})

test.each([
  [421, 'rebound.example', ['rebound.example']],
  [421, 'a name that only ends like ours', ['notlocalhost']],
  [421, 'a name with a dot at the end', ['localhost.']],
  [400, 'no Host', []],
  [400, 'two Hosts', ['localhost', 'localhost']],
  [400, 'an empty Host', ['']],
  [400, 'a Host with a user', ['ada@localhost']],
  [400, 'a Host with a path', ['localhost/x']],
  [400, 'a port that is none', ['localhost:99999']],
])('%d answers %s', (status, _what, hosts) => {
  expect(() => checkHost(hosts, '/events', rules)).toThrow(expect.objectContaining({ status }))
})

test.each(['archive.example', 'my_box', '192.168.0.7', '::1', '[fe80::1]'])(
  'A server can be called %s',
  (name) => expect(aHostName(name)).toBeUndefined(),
)

test.each(['http://archive.example', 'archive.example:8730', 'a b', '*.example', '', 7])(
  'No request can call a server %j',
  (name) => expect(aHostName(name)?.expected).toContain('without scheme and port'),
)

test('An absolute target must name an allowed host as well', () => {
  expect(() => checkHost(['localhost'], 'http://evil.example/events', rules)).toThrow(
    expect.objectContaining({ status: 421 }),
  )
  expect(checkHost(['localhost'], 'http://127.0.0.1/events', rules)).toBe('localhost')
})
