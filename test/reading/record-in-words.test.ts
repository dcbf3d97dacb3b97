import { expect, test } from 'vitest'
import { recordInWords } from '../../src/reading/record-in-words.ts'
import { losslessNumber } from '../../src/records/json/json.ts'

test('A record has a title, facts and texts, without what is empty', () => {
  const record = {
    type: 'release',
    url: 'https://github.com/o/r/releases/tag/v1',
    name: ' ',
    tag_name: 'v1',
    prerelease: false,
    release_assets: [{}, {}],
    labels: [],
    user: null,
    body: 'Notes',
  }
  expect(recordInWords(record)).toEqual({
    title: 'v1',
    type: 'release',
    facts: [
      ['url', 'https://github.com/o/r/releases/tag/v1'],
      ['name', ' '],
      ['tag_name', 'v1'],
      ['prerelease', 'no'],
      ['release_assets', '2'],
    ],
    texts: ['Notes'],
  })
  expect(recordInWords({ url: 'u' })).toMatchObject({ title: 'u', type: 'record' })
})

test('A number is written as in the record', () => {
  const numbers = {
    count: 7,
    size: losslessNumber('1000.0'),
    id: losslessNumber('12345678901234567890'),
  }
  expect(recordInWords(numbers).facts).toEqual([
    ['count', '7'],
    ['size', '1000.0'],
    ['id', '12345678901234567890'],
  ])
})
