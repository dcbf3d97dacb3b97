import { describe, expect, test } from 'vitest'
import { parseSearch } from '../../src/search/parse-search.ts'

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

describe('An invalid search is explained', () => {
  test.each([
    ['', 'there are no words to look for'],
    [' ', 'there are no words to look for'],
    ['OR a', 'a word is missing before OR'],
    ['a OR', 'a word is missing after OR'],
    ['a OR OR b', 'a word is missing before OR'],
    ['AND a', 'a word is missing before AND'],
    ['a AND', 'a word is missing after AND'],
    ['a AND OR b', 'a word is missing after AND'],
    ['a NOT', 'a word is missing after NOT'],
    ['NOT a', 'NOT excludes results of other words, and there are none'],
    ['-a', 'NOT excludes results of other words, and there are none'],
    ['(a', 'a parenthesis is not closed'],
    ['a)', 'a parenthesis is closed that was not opened'],
    ['()', 'a word is missing after ('],
    ['"a', 'a quotation mark is not closed'],
    ['a "b', 'a quotation mark is not closed'],
    ['++ a', '"++" has no letters or digits; nothing else is indexed'],
    ['*', '"*" has no letters or digits; nothing else is indexed'],
    ['("(" a', '"\\"(\\"" has no letters or digits; nothing else is indexed'],
    ['('.repeat(60), 'parentheses are nested more than 50 deep'],
  ])('%s', (typed, message) => {
    expect(() => parseSearch(typed)).toThrow(
      expect.objectContaining({ code: 'search-invalid', message }),
    )
  })
})
