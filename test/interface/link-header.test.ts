import fc from 'fast-check'
import { expect, test } from 'vitest'
import { formatLink, type Links, parseLink, RELATIONS } from '../../src/interface/link-header.ts'

// Not fc.webUrl: it takes a second to be made.
const part = fc.stringMatching(/^[\w.~!$&'()*+,;=:@%/?#[\]-]{0,30}$/)
const urls = part.map((rest) => `https://forge.example/${rest}`)

test('A formatted Link header is parsed to the same links', () => {
  const links = fc
    .subarray([...RELATIONS])
    .chain((names) =>
      fc
        .array(urls, { minLength: names.length, maxLength: names.length })
        .map((found): Links => Object.fromEntries(names.map((name, i) => [name, found[i]]))),
    )
  fc.assert(fc.property(links, (given) => void expect(parseLink(formatLink(given))).toEqual(given)))
})

test('A page without neighbours has no Link header', () => {
  expect(formatLink({})).toBeUndefined()
})

test('A Link header of another server is read: other orders, relations and parameters, and no quotes', () => {
  const header =
    '<https://a.example/x?a=1,2>; title="x"; rel=next , <https://a.example/y>;rel="up last", <broken; rel="prev"'
  expect(parseLink(header)).toEqual({
    next: 'https://a.example/x?a=1,2',
    last: 'https://a.example/y',
  })
})
