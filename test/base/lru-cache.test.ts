import { Worker } from 'node:worker_threads'
import { expect, test } from 'vitest'
import { createLruCache } from '../../src/base/lru-cache.ts'
import { THOROUGH } from '../support/thorough.ts'

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

test('a cache that was cleared is empty and has all its room', () => {
  const cache = createLruCache<string, number>(2)
  for (const key of 'abc') cache.set(key, 1)
  cache.clear()
  expect(found(cache, 'abc')).toBe('')
  for (const key of 'de') cache.set(key, 1)
  expect(found(cache, 'de')).toBe('de')
})

/** Asks for 40 keys, each cut out of a text of 1 MiB. */
const ASK_WITH_LONG_TEXTS = `
const { parentPort } = require('node:worker_threads')
const createLruCache = ${createLruCache}
const keys = Array.from({ length: 40 }, (_, i) => 'the key of value ' + i)
const cache = createLruCache(keys.length)
for (const key of keys) cache.set(key, true)
const found = keys.filter((key) => cache.get(key.padEnd(2 ** 20).slice(0, key.length)))
parentPort.postMessage(found.length)`

test(
  'a key that is asked for does not keep the text in memory that it was cut out of',
  THOROUGH,
  async () => {
    // The heap of a thread is small, and ends the thread when it is full.
    const worker = new Worker(ASK_WITH_LONG_TEXTS, {
      eval: true,
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: 20, maxYoungGenerationSizeMb: 1 },
    })
    const found = new Promise((resolve, reject) => {
      worker.once('message', resolve).once('error', reject)
    })
    expect(await found).toBe(40)
  },
)
