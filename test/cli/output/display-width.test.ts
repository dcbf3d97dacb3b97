import fc from 'fast-check'
import stringWidth from 'string-width'
import { expect, test } from 'vitest'
import { cutToWidth, displayWidth, padToWidth } from '../../../src/cli/output/display-width.ts'
import { everyDay } from '../../support/thorough.ts'

test.each([
  ['abc', 3],
  ['日本語', 6],
  ['👩‍💻', 2],
  ['e\u0301', 1],
])('%s is %i columns wide', (text, width) => {
  expect(displayWidth(text)).toBe(width)
})

everyDay(1)([47, 3])(
  'text of any script is as wide as string-width measures it, of %i characters one',
  (step) => {
    for (let code = 0xa1; code < 0xd800; code += step) {
      const text = `a${String.fromCharCode(code)}b`
      if (displayWidth(text) !== stringWidth(text)) expect.fail(code.toString(16))
    }
  },
)

test('the width of a text is the sum of its graphemes', () => {
  const unit = fc.oneof(
    fc.constantFrom('👩‍💻', 'e\u0301', '한', '日', 'ｶﾞ', '🇫🇷', '1️⃣'),
    fc.string({ unit: 'grapheme', maxLength: 1 }),
  )
  fc.assert(
    fc.property(fc.array(unit), (parts) => {
      const text = parts.join('')
      expect(displayWidth(text)).toBe(stringWidth(text))
    }),
  )
})

test('a wide character that fits only by half is left out', () => {
  expect(cutToWidth('日本語', 4)).toBe('日…')
})

test('an emoji is never cut in two', () => {
  expect(cutToWidth('👩‍💻👩‍💻', 3)).toBe('👩‍💻…')
})

test('no cut text is wider than asked', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.integer({ min: 1, max: 20 }), (text, width) => {
      expect(displayWidth(cutToWidth(text, width))).toBeLessThanOrEqual(width)
    }),
  )
})

test('padding fills either side up to the width', () => {
  expect(padToWidth('日', 4, 'left')).toBe('  日')
  expect(padToWidth('日', 4, 'right')).toBe('日  ')
})
