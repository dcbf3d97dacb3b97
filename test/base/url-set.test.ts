import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createUrlSet } from '../../src/base/url-set.ts'
import { THOROUGH } from '../support/thorough.ts'

test('A set of URLs has what was added, as a Set does', () => {
  fc.assert(
    fc.property(fc.array(fc.string()), fc.array(fc.string()), (added, asked) => {
      const urls = createUrlSet()
      const model = new Set<string>()
      for (const url of [...added, ...added.slice(0, 3)]) {
        expect(urls.add(url)).toBe(!model.has(url))
        model.add(url)
      }
      for (const url of [...added, ...asked]) expect(urls.has(url)).toBe(model.has(url))
      expect(urls.size).toBe(model.size)
    }),
  )
})

test('It distinguishes many similar URLs', THOROUGH, () => {
  const urls = createUrlSet()
  const urlOf = (n: number) => `issue_comments https://forge.example/a/b/issues/${n % 999}#c-${n}`
  for (let n = 0; n < 60_000; n++) urls.add(urlOf(n))
  expect(urls.size).toBe(60_000)
  for (let n = 60_000; n < 90_000; n++) if (urls.has(urlOf(n))) throw new Error(urlOf(n))
  for (let n = 0; n < 60_000; n += 7) if (!urls.has(urlOf(n))) throw new Error(urlOf(n))
})

test('A text and the bytes of its UTF-8 are the same URL', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.nat({ max: 3 }), (text, space) => {
      const bytes = Buffer.from(`<${text}>`)
      const urls = createUrlSet()
      expect(urls.add(text, space)).toBe(true)
      expect(urls.addBytes(bytes, 1, bytes.length - 1, space)).toBe(false)
      expect(urls.addBytes(bytes, 1, bytes.length - 1, space + 1)).toBe(true)
    }),
  )
})

test('Its hashes are sorted, and leave it empty', () => {
  const urls = createUrlSet()
  for (let n = 0; n < 5000; n++) urls.add(`https://forge.example/a/b/issues/${n}`)
  const hashes = urls.takeHashes()
  expect(new Set(hashes).size).toBe(5000)
  expect(hashes.every((hash, i) => i === 0 || (hashes[i - 1] as bigint) < hash)).toBe(true)
  expect([urls.size, urls.has('https://forge.example/a/b/issues/7')]).toEqual([0, false])
})
