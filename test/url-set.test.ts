import fc from 'fast-check'
import { expect, test } from 'vitest'
import { openUrlSet } from '../src/url-set.ts'

test('A set of URLs has what was added, as a Set does', () => {
  fc.assert(
    fc.property(fc.array(fc.string()), fc.array(fc.string()), (added, asked) => {
      const urls = openUrlSet()
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

test('It distinguishes many similar URLs', () => {
  const urls = openUrlSet()
  const urlOf = (n: number) => `issue_comments https://forge.example/a/b/issues/${n % 999}#c-${n}`
  for (let n = 0; n < 60_000; n++) urls.add(urlOf(n))
  expect(urls.size).toBe(60_000)
  for (let n = 60_000; n < 90_000; n++) if (urls.has(urlOf(n))) throw new Error(urlOf(n))
  for (let n = 0; n < 60_000; n += 7) if (!urls.has(urlOf(n))) throw new Error(urlOf(n))
})
