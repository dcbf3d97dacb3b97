import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  escapeControls,
  escapeControlsButNewlines,
  escapeControlsInJson,
} from '../../../src/cli/output/escape-controls.ts'
import { codePoint } from '../../support/code-point.ts'

describe('escapeControls', () => {
  test.each([
    ['a line feed', 'a\nb', 'a\\nb'],
    ['a carriage return', 'a\rb', 'a\\rb'],
    ['a tab', 'a\tb', 'a\\tb'],
    ['NUL', 'a\0b', 'a\\x00b'],
    ['an ANSI sequence', '\x1b[31mred', '\\x1b[31mred'],
    ['DEL', '\x7f', '\\x7f'],
    ['a C1 control', '\x9b31m', '\\x9b31m'],
    ['a right-to-left override', 'cod\u202egpj.exe', 'cod\\u{202e}gpj.exe'],
    ['a bidi isolate', '\u2066', '\\u{2066}'],
    ['an Arabic letter mark', '\u061c', '\\u{61c}'],
    ['a line separator', '\u2028', '\\u{2028}'],
    ['a zero-width space', 'a\u200bb', 'a\\u{200b}b'],
    ['a byte order mark', '\ufeffa', '\\u{feff}a'],
    ['a tag character', '\u{e0041}', '\\u{e0041}'],
    ['a high surrogate alone', 'a\ud83db', 'a\\u{d83d}b'],
    ['a low surrogate alone', '\ude00', '\\u{de00}'],
  ])('shows %s', (_, text, shown) => {
    expect(escapeControls(text)).toBe(shown)
  })

  test.each(['plain', 'Zoë', '日本語', '👩‍💻', '🇨🇭', 'می‌خواهم', 'עברית', 'a\u00a0b'])(
    'does not change %s',
    (text) => {
      expect(escapeControls(text)).toBe(text)
    },
  )

  test('leaves no control, surrogate or bidi character in any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: codePoint }), (text) => {
        expect(escapeControls(text)).not.toMatch(/[\p{Cc}\p{Cs}\p{Bidi_Control}\u2028\u2029]/u)
      }),
    )
  })
})

describe('escapeControlsButNewlines', () => {
  test('keeps line breaks and tabs', () => {
    expect(escapeControlsButNewlines('a\n\tb')).toBe('a\n\tb')
  })

  test('turns CRLF into a line feed', () => {
    expect(escapeControlsButNewlines('a\r\nb')).toBe('a\nb')
  })

  test('shows a carriage return that would overwrite the line', () => {
    expect(escapeControlsButNewlines('evil\rgood\n')).toBe('evil\\rgood\n')
  })

  test('shows all other controls', () => {
    expect(escapeControlsButNewlines('\x1b[2J\n\u202e')).toBe('\\x1b[2J\n\\u{202e}')
  })
})

describe('escapeControlsInJson', () => {
  test('parses to the same value', () => {
    fc.assert(
      fc.property(fc.json(), fc.string({ unit: codePoint }), (json, text) => {
        expect(JSON.parse(escapeControlsInJson(json))).toEqual(JSON.parse(json))
        expect(JSON.parse(escapeControlsInJson(JSON.stringify(text)))).toBe(text)
      }),
    )
  })

  test('writes a character outside the basic plane as two escapes', () => {
    expect(escapeControlsInJson('"\u{e0041}"')).toBe('"\\udb40\\udc41"')
  })
})
