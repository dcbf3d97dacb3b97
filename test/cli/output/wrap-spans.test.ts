import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ownText, type SafeText, safe } from '../../../src/cli/command/safe-text.ts'
import { wrapSpans } from '../../../src/cli/output/wrap-spans.ts'

const wrap = (text: string, width: number) => wrapSpans([{ text: ownText(text) }], width)

test('fills lines with words', () => {
  expect(wrap('a bb ccc dddd', 6)).toEqual(['a bb', 'ccc', 'dddd'])
  expect(wrap('a bb ccc dddd', 8)).toEqual(['a bb ccc', 'dddd'])
})

test('collapses spaces, and removes them at the ends', () => {
  expect(wrap('  a \t  b  ', 80)).toEqual(['a b'])
})

test('ends a line at each line feed', () => {
  expect(wrap('a\nb\n\nc', 80)).toEqual(['a', 'b', '', 'c'])
})

test('cuts long words', () => {
  expect(wrap('ab cdefghij k', 4)).toEqual(['ab', 'cdef', 'ghij', 'k'])
})

test('measures wide characters, and breaks between them', () => {
  expect(wrap('時計が間違って', 7)).toEqual(['時計が', '間違っ', 'て'])
  expect(wrap('👩‍👩‍👧‍👦👩‍👩‍👧‍👦👩‍👩‍👧‍👦', 4)).toEqual(['👩‍👩‍👧‍👦👩‍👩‍👧‍👦', '👩‍👩‍👧‍👦'])
})

test('keeps words with several styles together', () => {
  const bold = (text: SafeText) => safe`<${text}>`
  expect(
    wrapSpans([{ text: safe`aa b` }, { text: safe`cd`, style: bold }, { text: safe`e` }], 5),
  ).toEqual(['aa', 'b<cd>e'])
})

test('joins adjacent spans of one style, including spaces', () => {
  const bold = (text: SafeText) => safe`<${text}>`
  expect(wrapSpans([{ text: safe`aa bb cc`, style: bold }], 5)).toEqual(['<aa bb>', '<cc>'])
  expect(wrapSpans([{ text: safe`aa ` }, { text: safe`bb`, style: bold }], 80)).toEqual(['aa <bb>'])
})

test('has one line for no text, and at least one column', () => {
  expect(wrap('', 80)).toEqual([''])
  expect(wrap('ab', 0)).toEqual(['a', 'b'])
})

test('keeps all words of any text, in order', () => {
  const pieces = fc.constantFrom(
    'a',
    'bb',
    ' ',
    '\t',
    '\n',
    '\u00a0',
    '\u2003',
    'é',
    '時',
    '😀',
    '://',
  )
  const texts = fc.array(pieces, { maxLength: 20 }).map((parts) => parts.join(''))
  fc.assert(
    fc.property(texts, (text) => {
      const words = (lines: readonly string[]) => lines.flatMap((line) => line.match(/\S+/g) ?? [])
      expect(words(wrap(text, Number.POSITIVE_INFINITY))).toEqual(words(text.split('\n')))
      expect(wrap(text, Number.POSITIVE_INFINITY)).toHaveLength(
        text.trimEnd() === '' && !text.includes('\n')
          ? 1
          : text.replace(/\n[^\S\n]*$/, '').split('\n').length,
      )
    }),
  )
})
