import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createWordFinder } from '../../src/transform/find-words.ts'
import { createNameFinder, type NameFinder } from '../../src/transform/redact/find-names.ts'
import {
  createHintFinder,
  createNameHints,
  type HintFinder,
} from '../../src/transform/redact/hints.ts'
import { wordOf, wordsIn } from '../../src/transform/words.ts'

const placesOf = (texts: readonly string[], given: string): string[] => {
  const found: string[] = []
  const find = createWordFinder(texts.map((text) => [wordsIn(text), text] as const))
  find(Buffer.from(given), (at, text) => {
    found.push(`${at} ${text}`)
    return false
  })
  return found.sort()
}

test('Finds texts by their words, in any case, with anything between the words', () => {
  expect(
    placesOf(['ada lovelace', 'née', 'a@b.example'], 'x ADA, Lovelace née A@b.example'),
  ).toEqual(['16 née', '21 a@b.example', '3 ada lovelace'])
  expect(placesOf(['ada lovelace', 'ada'], 'adam lovelace, lovelace ada-')).toEqual(['24 ada'])
  expect(placesOf(['', '-'], '-')).toEqual([])
})

test.each([
  ['ada\nlovelace', true],
  ['\\nada\\nlovelace', true],
  ['\\\\nada\\nlovelace', true],
  ['ada\\r\\n\\tlovelace', true],
  ['ada\\u000a\\u0020lovelace', true],
  ['\\u003cada lovelace', true],
  ['nada lovelace', false],
  ['ada\\nnlovelace', false],
])('Behind escapes of JSON, too: %s', (given, isThere) => {
  expect(placesOf(['ada lovelace'], given).length > 0).toBe(isThere)
})

test('A visitor ends the search', () => {
  let visits = 0
  createWordFinder([[wordsIn('ada'), 1]])(Buffer.from('ada \\nada ada'), () => {
    visits++
    return true
  })
  expect(visits).toBe(1)
})

test('Runs with bytes beyond ASCII are unfolded', () => {
  const words = ['ada', 'ö'].map((word) => wordOf(Buffer.from(word)))
  const find = createWordFinder([[words, 0]], { unfold: (run) => run.toLowerCase().split('—') })
  const ends: number[] = []
  find(Buffer.from('ada—Ö, ada Ö'), (end) => ends.push(end) < 0)
  expect(ends).toEqual([8, 16])
})

const NAMES = ['Anna Li', "Jo O'Brien", 'José Ñandú', 'Li Anna', 'Anna-Jo Li Ñandú', 'Σας Ös']
const BETWEEN = [
  ' ',
  '. ',
  '.',
  '\n',
  '\r\n',
  ' \n ',
  '\u00a0',
  '\\',
  '\\n',
  "'s ",
  '’',
  '"',
  '—',
  '',
]

/** Texts of words of names, whatever is between them. */
const nameTexts = (others: readonly string[] = []) => {
  const word = fc.constantFrom(...NAMES.flatMap((name) => name.split(' ')), 'n', 'x', 'ΣΑΣ')
  const between = fc.constantFrom(...BETWEEN, ...others)
  const form = fc.constantFrom('NFC', 'NFD')
  const part = fc
    .tuple(word, between, form)
    .map(([one, other, form]) => one.normalize(form) + other)
  return fc.array(part, { maxLength: 12 }).map((parts) => parts.join(''))
}

test('Each name in a text has a hint in it, whatever is around it', () => {
  const detect = createNameFinder(NAMES) as NameFinder
  const findHints = createHintFinder({ what: new Set(['names']), names: NAMES }) as HintFinder
  fc.assert(
    fc.property(nameTexts(), (text) => {
      const hints = findHints(Buffer.from(text))
      for (const { start, end } of detect(text)) {
        // Or further on in a run of letters beyond ASCII.
        const run = Buffer.byteLength(/^[^ -@]*/.exec(text.slice(end))?.[0] ?? '')
        const [from, to] = [start, end].map((at) => Buffer.byteLength(text.slice(0, at)))
        expect(
          hints.some((at) => at >= (from as number) && at <= (to as number) + run),
          text,
        ).toBe(true)
        const alone = JSON.stringify(text.slice(start, end + 1))
        expect(findHints(Buffer.from(`"\\\\n${alone.slice(1)}`)).length, alone).toBeGreaterThan(0)
      }
    }),
  )
})

test('A finder of names finds the same if it looks only at texts with a hint of a name', () => {
  const all = createNameFinder(NAMES) as NameFinder
  const hinted = createNameFinder(NAMES, createNameHints(NAMES)) as NameFinder
  const others = ['+', '_', '~', ', ', ',', ';', '\\;', '**', ' J ', ' J. ', '\n> ', '\\u0020', 'K']
  fc.assert(
    fc.property(nameTexts(others), (text) => {
      expect([...hinted(text)]).toEqual([...all(text)])
    }),
    { numRuns: 1000 },
  )
})

test('A run that unfolds to nothing is no word, and any other is also found as it is', () => {
  const texts = [
    [wordsIn('ada lovelace'), 0],
    [wordsIn('naïve café'), 1],
  ] as const
  const find = createWordFinder(texts, {
    unfold: (run) => run.match(/[a-z]+/g) ?? [],
  })
  const found: number[] = []
  find(Buffer.from('ada — lovelace, naïve café'), (_, tag) => found.push(tag) < 0)
  expect(found).toEqual([0, 1])
})
