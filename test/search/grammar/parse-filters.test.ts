import { describe, expect, test } from 'vitest'
import { TEXT_SOURCES } from '../../../src/database/schema/search-tables.ts'
import { InvalidSearch } from '../../../src/search/grammar/invalid-search.ts'
import { parseFilters, SEARCH_KINDS } from '../../../src/search/grammar/parse-filters.ts'

test.each([
  ['tide', 'tide', {}],
  ['author:jun tide', 'tide', { author: 'jun' }],
  ['tide repo:acme/tools table', 'tide  table', { repo: 'acme/tools' }],
  ['label:"good first issue" tide', 'tide', { label: 'good first issue' }],
  ['tide kind:issue state:open', 'tide', { kind: 'issue', state: 'open' }],
  ['tide is:pr is:merged', 'tide', { kind: 'pull_request', state: 'merged' }],
  ['type:pr tide', 'tide', { kind: 'pull_request' }],
  ['"no:label" tide', '"no:label" tide', {}],
  ['is:"commit_comment"', '', { kind: 'commit_comment' }],
  ['"author:jun tide"', '"author:jun tide"', {}],
  ['title:"author:jun"', 'title:"author:jun"', {}],
  ['co-author:jun', 'co-author:jun', {}],
  ['author: jun', 'author: jun', {}],
  ['(tide OR table) author:jun', '(tide OR table)', { author: 'jun' }],
])('%s is searched as %s', (text, words, filters) => {
  const parsed = parseFilters(text)
  expect([parsed.words, Object.fromEntries(parsed.filters)]).toEqual([words, filters])
})

describe('A filter is refused', () => {
  test.each([
    ['tide OR author:jun', 'author:jun narrows the whole search'],
    ['author:jun OR tide', 'author:jun narrows the whole search'],
    ['tide NOT author:jun', 'author:jun narrows the whole search'],
    ['tide (author:jun)', 'author:jun narrows the whole search'],
    ['tide author:jun author:ada', 'author: is given twice'],
    ['tide is:open is:closed', 'state: is given twice'],
    ['tide is:isue', 'is: takes open, closed, merged, published, draft, issue'],
    ['tide -label:bug', '-label:bug cannot be excluded: only words and phrases can'],
    ['tide assignee:jun', 'assignee: is no filter here; in quotes it is searched for as a text'],
    ['tide created:>2022-01-01', 'created: is no filter here'],
    ['tide kind:isue', 'kind: takes issue, pull_request'],
    ['tide state:broken', 'state: takes open, closed, merged, published, draft, not "broken"'],
  ])('%s', (text, message) => {
    expect(() => parseFilters(text)).toThrow(InvalidSearch)
    expect(() => parseFilters(text)).toThrow(message)
  })
})

test('Every kind of text that is searched can be asked for', () => {
  expect(SEARCH_KINDS).toEqual([...new Set(TEXT_SOURCES.map(({ kind }) => kind))])
})
