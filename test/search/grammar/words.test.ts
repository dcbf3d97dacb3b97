import { expect, test } from 'vitest'
import { joinUnspaced, splitUnspaced, wordsOf } from '../../../src/search/grammar/words.ts'

test.each([
  ['Café ÜBER', ['cafe', 'uber']],
  ['the-bell, v1.0', ['the', 'bell', 'v1', '0']],
  ['茶が沸く', ['茶', 'か', '沸', 'く']],
  ['\ud800x', ['x']],
  ['x'.repeat(60), ['x'.repeat(40)]],
  ['— …', []],
])('The words of %j', (text, words) => {
  expect(wordsOf(text)).toEqual(words)
})

test('Separators between characters without spaces are removed again', () => {
  expect(splitUnspaced('茶が a')).toBe('茶\u200bが\u200b a')
  expect(joinUnspaced(splitUnspaced('茶が a'))).toBe('茶が a')
})
