import { expect, test } from 'vitest'
import type { Endpoint } from '../../src/interface/endpoint.ts'
import { ENDPOINTS } from '../../src/interface/endpoints.ts'
import { THOROUGH } from '../support/thorough.ts'

const endpoints: readonly Endpoint[] = ENDPOINTS

test('Every endpoint has a method and path, a handler and a summary of its own', () => {
  const keys = endpoints.map(({ method, path }) => `${method} ${path}`)
  expect(new Set(keys).size).toBe(keys.length)
  const handlers = endpoints.map(({ handler }) => handler)
  expect(new Set(handlers).size).toBe(handlers.length)
  for (const { summary } of endpoints) expect(summary).toMatch(/^\S.*[^.]$/)
})

test('Names in the index are unique, end in _url and belong to reads', () => {
  const named = endpoints.filter(({ index }) => index !== undefined)
  expect(new Set(named.map(({ index }) => index)).size).toBe(named.length)
  for (const { index, method } of named)
    expect([index, method]).toEqual([expect.stringMatching(/^[a-z_]+_url$/), 'GET'])
})

test(
  'Where two paths fit a request, the one with the literal segment comes first',
  THOROUGH,
  () => {
    const segments = (path: string) => path.split('/')
    for (const [i, later] of endpoints.entries()) {
      for (const earlier of endpoints.slice(0, i)) {
        if (earlier.method !== later.method) continue
        const [a, b] = [segments(earlier.path), segments(later.path)]
        // A parameter with an ending, such as `:number.diff`, fits only what ends so.
        const fits = (part: string, other: string | undefined) =>
          part === other || /^:\w+\+?$/.test(part)
        const hides = a.length === b.length && a.every((part, at) => fits(part, b[at]))
        expect(hides, `${earlier.path} hides ${later.path}`).toBe(false)
      }
    }
  },
)

test('Only endpoints for lists have pages, and all of them are reads', () => {
  for (const { method, list } of endpoints) if (list) expect(method).toBe('GET')
  expect(endpoints.filter(({ list }) => list === 'feed')).toHaveLength(9)
})
