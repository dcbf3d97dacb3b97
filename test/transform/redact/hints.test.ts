import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createDetector, type DetectOptions, WHAT } from '../../../src/transform/redact/detect.ts'
import { createHintFinder, type HintFinder } from '../../../src/transform/redact/hints.ts'
import { parseOwnPatterns } from '../../../src/transform/redact/own-patterns.ts'
import { everyDay, THOROUGH } from '../../support/thorough.ts'
import { FOUND, NAMES } from './corpus.ts'

const SHORT_NAMES = ['Li Bo', 'É Ô', 'A. B', 'İl Öz', 'ALİ VELİ', 'K Lee', '李 明', 'Jo Ax']
const own = parseOwnPatterns(['kelvin project', 'ACME-7'])
const options: DetectOptions = {
  what: new Set(WHAT),
  keep: new Set<string>(),
  names: [...NAMES, ...SHORT_NAMES],
  own,
  logins: ['countess', 'x', 'li', 'grace-h'],
}
const detect = createDetector(options)
const findHints = createHintFinder(options) as HintFinder

/** Whether there is a hint in each part of `text` with a value. */
function expectHints(text: string, written = text): void {
  const bytes = Buffer.from(` ${written} `)
  if (detect(text).length > 0)
    expect(findHints(bytes).length, JSON.stringify(text)).toBeGreaterThan(0)
}

const VALUES = [
  ...FOUND.map(([text]) => text),
  ...SHORT_NAMES.flatMap((name) => [name, name.toUpperCase(), name.toLowerCase()]),
  'li. bo',
  'Li\nBo',
  'Li\u3000Bo',
  'LI\tBO',
  '李\u00a0明',
  '\u212a Lee',
  'v1.2.3.4',
  '\u212aelvin project',
  'KELVIN PROJECT',
  'acme-7',
  '@countess',
  '@X!',
  '(@LI)',
  '@grace-h/kettle',
  '@countess-',
  '`@x`',
  '1:2:3:4:5:6:7:8',
  '{"password":"hunter2345"}',
  JSON.stringify({ log: '{"password":"hunter2345"}' }),
  '1:2:3:4:5:6:9.8.7.6',
  '::9.8.7.6',
]

everyDay(21)(VALUES)('%j is found, and has a hint', (text) => {
  const found = detect(text.normalize('NFD')).length
  expect(detect(text).length + found).toBeGreaterThan(0)
  for (const form of [text, text.normalize('NFC'), text.normalize('NFD')]) {
    expectHints(form)
    expectHints(form, JSON.stringify(form))
    expectHints(form, JSON.stringify(form).replaceAll('/', '\\/'))
  }
})

const asJson = (unit: string) => JSON.stringify(unit).slice(1, -1)
const asEscape = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`

test('A text with a value has a hint, however its JSON escapes it', THOROUGH, () => {
  const part = fc.oneof(fc.constantFrom(...VALUES), fc.string({ unit: 'grapheme' }))
  fc.assert(
    fc.property(fc.array(part, { maxLength: 4 }), fc.nat(), (parts, start) => {
      const text = parts.join(' ')
      expectHints(text)
      for (const every of [1, 2, 3]) {
        const units = text
          .split('')
          .map((unit, i) => ((i + start) % every ? asJson(unit) : asEscape(unit)))
        expectHints(text, units.join(''))
      }
    }),
  )
})

test('A text without a value mostly has no hint', () => {
  const plain = JSON.stringify({
    url: 'https://forge.example/ada/kettle/issues/1',
    created_at: '2024-01-02T03:04:05Z',
    body: 'Thanks, @ada: version 1.2.3 works. See https://forge.example/ada/kettle/pull/2?page=2',
  })
  expect(findHints(Buffer.from(plain))).toEqual([])
})

test.each([
  'ends in `code`.\nThen',
  '{"content":"+1","user":"x"}',
  'says "no".\r\n- and \'so\'.\t',
  '<div class="x"><p>\n<img src="y"/></p></div>',
  'https://forge.example/patricia/kettle by robot14\npathfinder\n',
  'an authorization code and its api_key',
  'Fast::ObjectWrap',
  'Title\n=====\nText',
])('%j has no hint', (text) => {
  expect(findHints(Buffer.from(text))).toEqual([])
})

test('Hints are in rising order', () => {
  const at = findHints(Buffer.from('9.8.7.6 ada@example.org 9.8.7.6'))
  expect(at).toEqual([...at].sort((a, b) => a - b))
  expect(at.length).toBe(3)
})

test('Nothing can be said before a pattern was run', () => {
  expect(createHintFinder({ ...options, own: parseOwnPatterns(['/a+b/']) })).toBeUndefined()
})
