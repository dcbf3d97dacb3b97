import { expect, test } from 'vitest'
import { parseFilters, parseSearch } from '../../src/search/parse-search.ts'

test.each([
  ['tide', '"tide"'],
  ['tide table', '("tide" AND "table")'],
  ['tide AND table', '("tide" AND "table")'],
  ['tide OR table', '("tide" OR "table")'],
  ['a b OR c', '(("a" AND "b") OR "c")'],
  ['a (b OR c)', '("a" AND ("b" OR "c"))'],
  ['a NOT b', '("a" NOT "b")'],
  ['a NOT b NOT c', '("a" NOT ("b" OR "c"))'],
  ['a AND NOT b', '("a" NOT "b")'],
  ['NOT b a', '("a" NOT "b")'],
  ['a -b', '("a" NOT "b")'],
  ['-"b c" a -title:d', '("a" NOT ("b c" OR title: "d"))'],
  ['a --b a-b', '("a" AND "--b" AND "a-b")'],
  ['a NOT (b OR c)', '("a" NOT ("b" OR "c"))'],
  ['"wrong tide"', '"wrong tide"'],
  ['clo*', '"clo" *'],
  ['"wrong ti"*', '"wrong ti" *'],
  ['title:tide', 'title: "tide"'],
  ['body:"wrong tide"', 'body: "wrong tide"'],
  ['other:tide', '"other:tide"'],
  ['or and not near', '("or" AND "and" AND "not" AND "near")'],
  ['NEAR(a)', '("NEAR" AND "a")'],
  ['#12 c++ user@host.example it’s', '("#12" AND "c++" AND "user@host.example" AND "it’s")'],
])('%s means %s', (typed, expression) => {
  expect(parseSearch(typed)).toBe(expression)
})

test('Filters of a search are those of searchDatabase', () => {
  const { words, filter } = parseFilters('tide repo:acme/tools is:pr is:open label:bug author:ada')
  expect(words).toBe('tide')
  expect(filter).toStrictEqual({
    repository: 'acme/tools',
    kinds: ['pull_request'],
    state: 'open',
    label: 'bug',
    author: 'ada',
  })
  expect(() => parseFilters('tide is:broken')).toThrow(
    expect.objectContaining({ code: 'search-invalid' }),
  )
})

test('An invalid search is an error with a code', () => {
  expect(() => parseSearch('a OR')).toThrow(
    expect.objectContaining({ code: 'search-invalid', message: 'a word is missing after OR' }),
  )
})
