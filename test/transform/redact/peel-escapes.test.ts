import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createDetector, WHAT } from '../../../src/transform/redact/detect.ts'
import { createHintFinder } from '../../../src/transform/redact/hints.ts'
import { peelEscapes } from '../../../src/transform/redact/peel-escapes.ts'
import { expectLinear } from '../../support/cpu-time.ts'
import { runs } from '../../support/property-runs.ts'
import { THOROUGH } from '../../support/thorough.ts'
import { TEXT_CLOTHES } from './adversary/clothes.ts'

const NAME = 'Zoë Lovelace'
const detect = createDetector({ what: new Set(WHAT), keep: new Set(), names: [NAME] })
const findHints = createHintFinder({ what: new Set(WHAT), names: [NAME] })
const innermost = (text: string) => [...peelEscapes(text)].at(-1)?.text

test.each([
  ['a%40b', 'a@b'],
  ['a%2540b', 'a@b'],
  ['Z%C3%BCrich', 'Zürich'],
  ['%ff%fe', 'ÿþ'],
  ['a\\u0040b\\n\\"', 'a@b\n"'],
  ['\\\\u0040', '@'],
  ['&lt;a&#64;b&#x1F986;&commat;', '<a@b🦆@'],
  ['a=3D1=\r\n2=C3=BC', 'a=12ü'],
  [`${'a'.repeat(75)}=\nb`, `${'a'.repeat(75)}b`],
  ['\\x61\\u{1F986}\\143\\0', 'a🦆c\0'],
  ['a\\u001b[1;31mb\x1b[0mc', 'abc'],
  ['a\u200b@\u00adb\ufeff', 'a@b'],
  ['a\uff20b+AEA-c', 'a@b@c'],
  ['a\u200fb\u2066c\u034f\ufe0f@\u{e0061}d', 'abc@d'],
  ['\uff41\uff20\uff22\uff0e\uff11', 'a@B.1'],
  ['&#0000064b&#x00041c&#065;', '@b\u041cA'],
  ['a&shy;b&UnderBar;c&ZeroWidthSpace;', 'ab_c'],
  ['\x1b[01;31m\x1b[Ka\x1b[m\x1b[Kb', 'ab'],
  ['[31;1ma[0m', 'a'],
  ['\\e[1ma\\e[0m', 'a'],
  ['\\x{40}\\x{1F986}', '@🦆'],
  ['a<!-- x -->b', 'ab'],
  ['a[.]b[.]c', 'a.b.c'],
  ['("a"\n  "b")', '("ab")'],
  ['a<!-- "b" > c\n-->d', 'ad'],
  ['"a=3D1=\\r\\n2"', '"a=12"'],
  ["a\\'40b\\ c", 'a@b c'],
  ['a\\U00000040b\\\nc', 'a@bc'],
  ['a<b>@</b>b<tspan x="1">c', 'a@bc'],
  ['a&lt;b&gt;@&lt;/b&gt;b', 'a@b'],
  // An escaped sign in an attribute does not end the tag.
  ['x<b c="&gt;A">y', 'xy'],
  ['BEGIN:VCARD\r\nEMAIL:a@b\r\n c', 'BEGIN:VCARD\r\nEMAIL:a@bc'],
])('The escapes in %j are undone: %j', (text, plain) => {
  expect(innermost(text)).toBe(plain)
})

test.each([
  '',
  'a',
  'KEY=\nMORE=',
  '100 %',
  'a & b',
  'a=4',
  'C:\\apps',
  '50%off',
  'rate(x[5m])',
  '❤\ufe0f',
])('%j has none', (text) => {
  expect([...peelEscapes(text)]).toEqual([])
})

test('A value is the same in any clothes, and found from its first escape to its last', () => {
  for (const [clothes, dress] of Object.entries(TEXT_CLOTHES)) {
    for (const value of ['ada@mail.example', NAME, '2a02:908::1a2b:3c4d']) {
      const text = dress(`x ${value} y`)
      const [finding, ...others] = detect(text)
      expect([finding?.value, others], `${clothes}: ${text}`).toEqual([value, []])
      // Words of mail are replaced as a whole.
      if (finding?.within) continue
      const written = text.slice(finding?.start, finding?.end)
      // Only what looks like mail is read as mail.
      const mail = clothes.startsWith('quoted') ? '=3D' : ''
      expect(innermost(mail + written) ?? written, clothes).toBe(mail.slice(0, 1) + value)
    }
  }
})

test('A parameter that could be an escape of mail is found, also behind other escapes', () => {
  for (const value of ['62VgDHsmXg51JiHX', 'F2X7Poqs55Nyu4Ha', '1BTXee3Z45g4qDL6']) {
    for (const sign of ['&', '&amp;', '&amp;amp;']) {
      const text = `as ada=40mail.example\nsee https://store.example/x?a=1${sign}sig=${value} there`
      expect(detect(text).map((found) => found.value)).toEqual(['ada@mail.example', value])
    }
  }
})

test.each([
  'email=40pxay7ke6@redacted.invalid',
  'a=3D1 email=40pxay7ke6@redacted.invalid',
  'q=3Dada=3D1 ip=2001:db8:965c:06db:04ef:60b9:8608:92a4',
  'a=3D1 REMOTE_ADDR=203.0.113.254',
])('A pseudonym that begins with digits is no escape of mail: %s', (text) => {
  expect(detect(text)).toEqual([])
})

test.each(['utf-16le', 'utf-16be'])('The zeros of %s are undone, also as escapes', (coding) => {
  const bytes = Buffer.from('see ada@mail.example there', 'utf16le')
  const text = (coding === 'utf-16le' ? bytes : bytes.swap16()).toString('latin1')
  for (const each of [text, JSON.stringify(text)]) {
    expect(detect(each).map((found) => found.value)).toEqual(['ada@mail.example'])
    expect(findHints?.(Buffer.from(JSON.stringify(each)))).not.toEqual([])
  }
})

test.each(['15', '20', '3f', '84'])(
  'Digits behind an equals sign belong to an address, not to an escape of mail: %s',
  (digits) => {
    const text = `q=3D${digits}8293746205@mail.example and q=3Dada=3D40mail.example`
    expect(detect(text).map((found) => found.value)).toEqual([
      `${digits}8293746205@mail.example`,
      'ada@mail.example',
    ])
  },
)

test('Each place of a text without escapes leads to the escape that it came from', () => {
  const clothes = fc.constantFrom(...Object.values(TEXT_CLOTHES))
  const texts = fc.string({ unit: 'grapheme' }).filter((text) => text.isWellFormed())
  fc.assert(
    fc.property(texts, clothes, (text, dress) => {
      const dressed = dress(`<${text}>`)
      for (const { text: plain, startOf, endOf } of peelEscapes(dressed)) {
        if (plain === '') continue
        let before = { start: 0, end: 0 }
        for (let at = 0; at < plain.length; at++) {
          const now = { start: startOf(at), end: endOf(at + 1) }
          expect(now.start).toBeGreaterThanOrEqual(before.start)
          expect(now.end).toBeGreaterThanOrEqual(before.end)
          expect(now.end).toBeGreaterThan(now.start)
          before = now
        }
        expect(before.end).toBeLessThanOrEqual(dressed.length)
      }
    }),
    { numRuns: runs(200) },
  )
})

test('Takes time linear in hostile texts', THOROUGH, () => {
  for (const text of ['%', '%4', '%40', '\\', '\\u', '&', '&#6', '&#64;', '=', '=3D', '=\r\n']) {
    expectLinear(
      (length) => {
        const long = text.repeat(length / text.length)
        return () => [...peelEscapes(long)]
      },
      200_000,
      text,
    )
  }
})
