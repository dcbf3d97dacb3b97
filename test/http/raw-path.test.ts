import { describe, expect, test } from 'vitest'
import { NO_PATH, splitTarget } from '../../src/http/raw-path.ts'

test.each([
  ['/', '/', '', ''],
  ['/api/v3', '/', '/api/v3', ''],
  ['/api/v3/', '/', '/api/v3', ''],
  ['/api/v3/events?page=2', '/events', '/api/v3', '?page=2'],
  ['/repos/forge/my%2Fname?a=b?c', '/repos/forge/my%2Fname', '', '?a=b?c'],
  ['http://127.0.0.1:8730/events?page=2', '/events', '', '?page=2'],
  ['http://127.0.0.1:8730', '/', '', ''],
  ['/api/v30/events', '/api/v30/events', '', ''],
  ['/_ready', '/_ready', '', ''],
  ['/repos/forge/kettle/contents/', '/repos/forge/kettle/contents', '', ''],
  ['/repos/forge/kettle/contents//?ref=main', '/repos/forge/kettle/contents', '', '?ref=main'],
  ['/api/v3/repos/a/b/contents//README.md', '/repos/a/b/contents/README.md', '/api/v3', ''],
  ['/repos/a/b/contents/src/', '/repos/a/b/contents/src', '', ''],
])('The target %s has the path %s below %j with the query %j', (target, path, prefix, search) => {
  expect(splitTarget(target)).toEqual({ path, prefix, search })
})

describe('A path is refused, not normalized,', () => {
  test.each([
    '',
    'events',
    '*',
    '//events',
    '/events/',
    '/api/v3/events/',
    '/repos/a/b/contents/src//lib',
    '/repos/a/b/contents///README.md',
    '/repos/a/b/contents/./',
    '/repos/a/b/commits/',
    '/api/v3//',
    '/users/../events',
    '/users/./ada',
    '/users/%2e%2e/events',
    '/users/%2E/ada',
    '/users/a\\b',
    '/users/a%5Cb',
    '/users/a%00',
    '/users/a%0Ab',
    '/users/a%7f',
    '/users/a%C2%85',
    '/users/%',
    '/users/%zz',
    '/users/%ff',
    '/api/v3/_ready',
    '/api/v3/admin/directory/v1/users/1/tokens/2',
  ])('if it is %j', (target) => {
    expect(splitTarget(target).path).toBe(NO_PATH)
  })
})
