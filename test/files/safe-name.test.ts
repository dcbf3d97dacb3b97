import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  endingOf,
  foldName,
  numberedName,
  safeName,
  withoutEnding,
} from '../../src/files/safe-name.ts'
import { codePoint } from '../support/code-point.ts'

const RESERVED = /^(con|prn|aux|nul|conin\$|conout\$|com\d|lpt\d)( *\.|$)/i

describe('safeName', () => {
  test.each([
    ['two clocks@quay.png', 'two clocks@quay.png'],
    ['Ü — 日本 🎉.tar.gz', 'Ü — 日本 🎉.tar.gz'],
    ['../../etc/passwd', '___.._etc_passwd'],
    ['a/b\\c.png', 'a_b_c.png'],
    ['C:\\autoexec.bat', 'C__autoexec.bat'],
    ['.', '_'],
    ['..', '__'],
    ['', '_'],
    [' . ', '__'],
    ['a.png. .', 'a.png__'],
    ['.htaccess', '_htaccess'],
    ['CON', '_CON'],
    ['nul.tar.gz', '_nul.tar.gz'],
    ['COM¹.txt', '_COM¹.txt'],
    ['console', 'console'],
    ['a\u0000b\x1b[31m\n', 'a_b_[31m_'],
    ['exe.\u202egnp', 'exe._gnp'],
    ['a\ud800b', 'a_b'],
    ['<a href="x">|?*', '_a href=_x_____'],
    ['e\u0301', '\u00e9'],
  ])('makes of %j %j', (given, safe) => {
    expect(safeName(given)).toBe(safe)
  })

  test('cuts what is longer than 255 bytes, between characters and before the ending', () => {
    expect(safeName(`${'x'.repeat(300)}.png`)).toBe(`${'x'.repeat(251)}.png`)
    const cut = safeName(`${'日'.repeat(100)}.tar.gz`)
    expect(cut).toBe(`${'日'.repeat(82)}.tar.gz`)
    expect(Buffer.byteLength(cut)).toBeLessThanOrEqual(255)
  })

  test('makes of any text a name that every system takes, and changes it no more', () => {
    const text = fc.string({ unit: codePoint, maxLength: 400 })
    const nasty = fc
      .array(
        fc.constantFrom('.', '..', '/', '\\', ' ', 'con', 'nul', ':', '\0', '\u202e', '\ud800'),
      )
      .map((parts) => parts.join(''))
    fc.assert(
      fc.property(fc.oneof(text, nasty), (given) => {
        const name = safeName(given)
        expect(Buffer.byteLength(name)).toBeLessThanOrEqual(255)
        expect(name).toMatch(/^[^./ ][^/\\<>:"|?*\p{Cc}\p{Cs}\p{Bidi_Control}]*$/u)
        expect(name).not.toMatch(/[. ]$/)
        expect(name).not.toMatch(RESERVED)
        expect(safeName(name)).toBe(name)
      }),
    )
  })
})

describe('numberedName', () => {
  test.each([
    ['a.png', 'a-2.png'],
    ['a.tar.gz', 'a-2.tar.gz'],
    ['README', 'README-2'],
  ])('makes of %s %s', (name, numbered) => {
    expect(numberedName(name, 2)).toBe(numbered)
  })

  test('stays within 255 bytes', () => {
    const numbered = numberedName(`${'é'.repeat(125)}.png`, 1_000_000)
    expect(Buffer.byteLength(numbered)).toBeLessThanOrEqual(255)
    expect(numbered).toMatch(/^é+-1000000\.png$/)
  })
})

test.each([
  ['a.png', '.png'],
  ['a.tar.gz', '.tar.gz'],
  ['.png', ''],
  ['a.p/g', ''],
  ['a', ''],
])('the ending of %s is %j', (name, ending) => {
  expect(endingOf(name)).toBe(ending)
})

test.each([
  ['A.png', 'a.PNG'],
  ['\u00e9', 'e\u0301'],
  ['ﬁle', 'file'],
  ['STRASSE', 'straße'],
  ['ς', 'σ'],
])('some system takes %s for %s', (one, other) => {
  expect(foldName(one)).toBe(foldName(other))
})

test.each([
  ['out/hello.tar.gz', 'out/hello'],
  ['hello.tgz', 'hello'],
  ['hello.tar', 'hello'],
  ['issues.zip', 'issues'],
  ['hello.db', 'hello'],
  ['hello.sqlite3', 'hello'],
  ['a.b/', 'a.b'],
  ['hello', 'hello'],
])('%s without its ending is %s', (path, stem) => {
  expect(withoutEnding(path)).toBe(stem)
})
