import { expect, test } from 'vitest'
import { withoutSecrets } from '../../src/http/request-log.ts'

test.each([
  ['/user?access_token=t0p', '/user?access_token=…'],
  ['/user?page=2&access_token=t0p&per_page=9', '/user?page=2&access_token=…&per_page=9'],
  ['/user?access%5Ftoken=t0p', '/user?access%5Ftoken=…'],
  ['/user?ACCESS_TOKEN=t0p', '/user?ACCESS_TOKEN=…'],
  ['/x?client_id=1&client_secret=t0p', '/x?client_id=1&client_secret=…'],
  ['/x?private_token=t0p&password=t0p', '/x?private_token=…&password=…'],
  ['/_archives/x?expires=1&signature=t0p&x=1', '/_archives/x?expires=1&signature=…&x=1'],
  ['/orgs/o/sso?authorization_request=t0p', '/orgs/o/sso?authorization_request=…'],
  ['http://ada:t0p@localhost/user', 'http://…@localhost/user'],
])('%s is logged without its secret', (target, logged) => {
  expect(withoutSecrets(target)).toBe(logged)
})

test.each([
  '/search?q=a+token=b&page=2',
  '/repos/ada/kettle/contents/a@b?ref=%',
  '/users/access_token',
])('%s is logged as it is', (target) => {
  expect(withoutSecrets(target)).toBe(target)
})
