import fc from 'fast-check'
import { expect, test } from 'vitest'
import { diffTexts, fewestEdits } from '../../../src/transform/diff/diff-texts.ts'
import { THOROUGH } from '../../support/thorough.ts'

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

const compareAsWholes = async (_: string, before: string, after: string) => {
  expect(await diffTexts(before, after, options)).toEqual({
    sizes: [before.length, after.length],
    sums: [expect.stringMatching(/^[0-9a-f]{64}$/), expect.stringMatching(/^[0-9a-f]{64}$/)],
  })
}

test.each([
  ['long', 'a'.repeat(2 ** 20 + 1), 'b'],
  ['different', 'a\n'.repeat(30_000), 'b\n'.repeat(30_000)],
])('Texts that are too %s are compared by size and sum', compareAsWholes)

const lines = Array.from({ length: 5_000 }, (_, i) => `${i}\n`)
test.each([['mixed', lines.join(''), lines.toReversed().join('')]])(
  'Texts that are too %s are compared by size and sum',
  THOROUGH,
  compareAsWholes,
)

test('Two texts have at least as many edits as lines that only one has', async () => {
  const text = fc.array(fc.constantFrom('a', 'b\n', '\n', 'c\r\n')).map((parts) => parts.join(''))
  await fc.assert(
    fc.asyncProperty(text, text, async (before, after) => {
      const diff = await diffTexts(before, after, options)
      const edits =
        'hunks' in diff
          ? diff.hunks.flatMap((hunk) => hunk.lines.filter((line) => /^[-+]/.test(line)))
          : []
      expect(edits.length).toBeGreaterThanOrEqual(fewestEdits(before, after))
    }),
  )
})
