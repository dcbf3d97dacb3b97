import { expect, test } from 'vitest'
import type { Endpoint } from '../../src/interface/endpoint.ts'
import { ENDPOINTS } from '../../src/interface/endpoints.ts'
import { THREAD_ENDPOINTS } from '../../src/interface/thread-endpoints.ts'

const endpoints: readonly Endpoint[] = THREAD_ENDPOINTS

test('Every endpoint of threads reads a repository, which may be private, and is in the table', () => {
  expect(ENDPOINTS).toEqual(expect.arrayContaining([...endpoints]))
  for (const { method, path, hasPrivate, who } of endpoints) {
    expect({ path, method, who, hasPrivate, home: path.split('/', 4).join('/') }).toEqual({
      path,
      method: 'GET',
      who: 'all',
      hasPrivate: true,
      home: '/repos/:owner/:repo',
    })
  }
})
