import { expect, test } from 'vitest'
import { createLruCache } from '../src/lru-cache.ts'

const found = (cache: { get(key: string): unknown }, keys: string) =>
  [...keys].filter((key) => cache.get(key) !== undefined).join('')

test('a cache drops the least recently used value', () => {
  const cache = createLruCache<string, number>(2)
  cache.set('a', 1)
  cache.set('b', 2)
  expect(cache.get('a')).toBe(1)
  cache.set('c', 3)
  expect(found(cache, 'abc')).toBe('ac')
})

test('a cache drops as many values as the weight of a new one takes', () => {
  const cache = createLruCache<string, string>(4, (text) => text.length)
  for (const key of 'abcd') cache.set(key, key)
  cache.set('e', 'eee')
  expect(found(cache, 'abcde')).toBe('de')
})

test('a value that is replaced counts once', () => {
  const cache = createLruCache<string, string>(4, (text) => text.length)
  cache.set('a', 'aaa')
  cache.set('a', 'aa')
  cache.set('b', 'bb')
  expect(found(cache, 'ab')).toBe('ab')
})

test('a value heavier than the capacity is not kept', () => {
  const cache = createLruCache<string, string>(1, (text) => text.length)
  cache.set('a', 'aa')
  expect(cache.get('a')).toBeUndefined()
})
