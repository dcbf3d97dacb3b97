import { Script } from 'node:vm'
import { expect, test } from 'vitest'
import { bundleAssets } from '../../src/pages/bundle-assets.ts'

const files = bundleAssets()

test('Pages load one style sheet, an icon and two scripts', () => {
  expect([...files.keys()].sort()).toEqual(['icon.svg', 'page.js', 'search.js', 'style.css'])
})

test.each(['page.js', 'search.js'])(
  '%s is a classic script, which a page from a disk loads',
  (file) => {
    const text = String(files.get(file))
    expect(() => new Script(text)).not.toThrow()
    expect(text).not.toMatch(/\bimport\b|\brequire\b/)
  },
)

test('The style sheet loads no other file', () => {
  expect(String(files.get('style.css'))).not.toMatch(/@import|url\(/)
})
