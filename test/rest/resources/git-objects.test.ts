import { expect, test } from 'vitest'
import { pathInUrl } from '../../../src/rest/resources/git-objects.ts'

test.each([
  ['src/boil.c', 'src/boil.c'],
  ['heißes/wasser', 'hei%C3%9Fes/wasser'],
  ['a b?#%', 'a%20b%3F%23%25'],
  ['\ud800', '%EF%BF%BD'],
])('The path %j is %s in an address', (path, expected) => {
  expect(pathInUrl(path)).toBe(expected)
})
