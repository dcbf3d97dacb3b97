import { describe, expect, test } from 'vitest'
import { InvalidSearch } from '../../../src/search/grammar/invalid-search.ts'
import { parseWords } from '../../../src/search/grammar/parse-words.ts'

const word = (text: string) => ({ type: 'phrase', column: undefined, text, isPrefix: false })

test.each([
  ['tide', word('tide')],
  ['"the tide"*', { ...word('the tide'), isPrefix: true }],
  ['title:tide', { ...word('tide'), column: 'title' }],
  ['a -b', { type: 'all', all: [word('a')], but: [word('b')] }],
  [
    'a OR b c',
    { type: 'any', any: [word('a'), { type: 'all', all: [word('b'), word('c')], but: [] }] },
  ],
])('%s is parsed', (text, tree) => {
  expect(parseWords(text)).toEqual(tree)
})

describe('An invalid search is explained', () => {
  test.each([
    ['', 'there are no words to look for'],
    ['a '.repeat(101), 'a search takes at most 100 words, and this has 101'],
    ['a* OR '.repeat(11), 'a search takes at most 10 words that end in *, and this has 11'],
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
  ])('%s', (text, message) => {
    expect(() => parseWords(text)).toThrow(new InvalidSearch(message))
  })
})
