import { Octokit } from '@octokit/rest'
import { expect, test } from 'vitest'
import { RESERVED } from '../../src/interface/reserved-words.ts'

test('Words with which paths of the interface begin are reserved', () => {
  const methods = Object.values(new Octokit().rest).flatMap((group) => Object.values(group))
  const published = methods.map(({ endpoint }) => endpoint.DEFAULTS.url.split('/')[1] ?? '')
  expect(published.length).toBeGreaterThan(800)
  const missing = published.filter((word) => !RESERVED.has(word))
  expect(new Set(missing)).toEqual(new Set(['', 'octocat']))
})

test('Words with which endpoints begin are never owners, and others may be', () => {
  const words = (by: string) => [...RESERVED].flatMap(([word, of]) => (of === by ? [word] : []))
  expect(words('served')).toEqual(expect.arrayContaining(['repos', 'orgs', 'admin', '_ready']))
  expect(words('published')).toEqual(expect.arrayContaining(['emojis', 'meta']))
})
