import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
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

test('a key that is asked for does not keep the text in memory that it was cut out of', () => {
  setFlagsFromString('--expose-gc')
  const collectGarbage = runInNewContext('gc') as () => void
  const MIB = 2 ** 20
  const keys = Array.from({ length: 8 }, (_, i) => `the key of value ${i}`)
  const cache = createLruCache<string, true>(keys.length)
  for (const key of keys) cache.set(key, true)
  collectGarbage()
  const before = process.memoryUsage().heapUsed
  for (const key of keys) {
    expect(cache.get(key.padEnd(4 * MIB).slice(0, key.length))).toBe(true)
  }
  collectGarbage()
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(16 * MIB)
})
