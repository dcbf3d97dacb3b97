import { expect, test } from 'vitest'
import { diffTexts } from '../../../src/transform/diff/diff-texts.ts'

const options = { context: 1, byWord: false }

test('Texts are compared by lines, with some around', async () => {
  expect(await diffTexts('a\nb\nc\nd\n', 'a\nB\nc\nd\n', options)).toEqual({
    hunks: [
      { oldStart: 1, oldLines: 3, newStart: 1, newLines: 3, lines: [' a', '-b', '+B', ' c'] },
    ],
  })
})

test('or by words', async () => {
  const diff = await diffTexts('one two three', 'one 2 three', { ...options, byWord: true })
  expect(
    'words' in diff && diff.words.map(({ value, added, removed }) => [value, added, removed]),
  ).toEqual([
    ['one ', false, false],
    ['two', false, true],
    ['2', true, false],
    [' three', false, false],
  ])
})

test.each([
  ['long', 'a'.repeat(2 ** 20 + 1), 'b'],
  ['different', 'a\n'.repeat(30_000), 'b\n'.repeat(30_000)],
])('Texts that are too %s are compared by size and sum', async (_, before, after) => {
  expect(await diffTexts(before, after, options)).toEqual({
    sizes: [before.length, after.length],
    sums: [expect.stringMatching(/^[0-9a-f]{64}$/), expect.stringMatching(/^[0-9a-f]{64}$/)],
  })
})
