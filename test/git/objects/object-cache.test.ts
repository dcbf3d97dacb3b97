import { expect, test } from 'vitest'
import { createObjectCache } from '../../../src/git/objects/object-cache.ts'
import { THOROUGH } from '../../support/thorough.ts'

const MIB = 2 ** 20
const object = (size: number) => ({ content: Buffer.alloc(size) })

test('Objects are kept up to 32 MiB, and those not needed for longest go first', () => {
  const cache = createObjectCache<number, { content: Buffer }>()
  for (let key = 0; key < 8; key++) cache.set(key, object(4 * MIB - 256))
  expect(cache.get(0)?.content.length).toBe(4 * MIB - 256)
  cache.set(8, object(MIB))
  expect([0, 1, 2, 8].map((key) => cache.get(key) !== undefined)).toEqual([true, false, true, true])
})

test('An object that would take more than a quarter of the room is not kept', () => {
  const cache = createObjectCache<string, { content: Buffer }>()
  cache.set('large', object(8 * MIB + 1))
  expect(cache.get('large')).toBeUndefined()
})

test('a small object keeps no memory around it', () => {
  const cache = createObjectCache<number, { content: Buffer }>()
  const piece = Buffer.alloc(64 * 1024, 'x')
  cache.set(1, { content: piece.subarray(100, 400) })
  const content = cache.get(1)?.content
  expect(content).toEqual(piece.subarray(100, 400))
  expect(content?.buffer).not.toBe(piece.buffer)
})

test('A few small objects that are used again and again keep no others in memory', THOROUGH, () => {
  const cache = createObjectCache<number, { content: Buffer }>(4 * MIB)
  const count = 100_000
  const isHot = (key: number) => key % 100 === 0
  for (let key = 0; key < count; key++) {
    cache.set(key, { content: Buffer.from(`${key}`.padEnd(600)) })
    if (key % 1_000 === 0) for (let hot = 0; hot < key; hot += 100) cache.get(hot)
  }
  const kept = Array.from({ length: count }, (_, key) => cache.get(key)?.content)
  const buffers = new Set(kept.flatMap((content) => content?.buffer ?? []))
  expect([...buffers].reduce((sum, { byteLength }) => sum + byteLength, 0)).toBeLessThan(4.2 * MIB)
  const hot = kept.filter((content, key) => content && isHot(key))
  expect(hot.length).toBe(count / 100)
  for (const [key, content] of kept.entries()) {
    if (content && content.toString().trimEnd() !== `${key}`) throw new Error(`${key} is another`)
  }
})
