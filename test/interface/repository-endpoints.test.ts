import { expect, test } from 'vitest'
import type { Endpoint } from '../../src/interface/endpoint.ts'
import { ENDPOINTS } from '../../src/interface/endpoints.ts'
import { REPOSITORY_ENDPOINTS } from '../../src/interface/repository-endpoints.ts'

const endpoints: readonly Endpoint[] = REPOSITORY_ENDPOINTS

test('Every endpoint of repositories is a read for everybody, and is in the table', () => {
  expect(ENDPOINTS).toEqual(expect.arrayContaining([...endpoints]))
  for (const { method, path, hasPrivate, who } of endpoints) {
    expect({ path, method, who, hasPrivate }).toEqual({
      path,
      method: 'GET',
      who: 'all',
      hasPrivate: true,
    })
  }
})

test('A path of several segments is the last of its endpoint, or is followed by a word', () => {
  for (const { path } of endpoints) expect(path).not.toMatch(/\+\/:/)
})
