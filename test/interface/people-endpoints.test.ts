import { expect, test } from 'vitest'
import type { Endpoint } from '../../src/interface/endpoint.ts'
import { ENDPOINTS } from '../../src/interface/endpoints.ts'
import { PEOPLE_ENDPOINTS } from '../../src/interface/people-endpoints.ts'

const endpoints: readonly Endpoint[] = PEOPLE_ENDPOINTS

test('Every endpoint of people is a read in the table, and that of the caller is for callers', () => {
  expect(ENDPOINTS).toEqual(expect.arrayContaining([...endpoints]))
  for (const { method, path, who } of endpoints) {
    expect([path, method]).toEqual([path, 'GET'])
    if (/^\/(?:user|gists|notifications)\b/.test(path)) expect([path, who]).toEqual([path, 'user'])
  }
})
