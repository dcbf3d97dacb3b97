import { parse as parseCsv } from 'csv-parse/sync'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createDetector, WHAT } from '../../../src/transform/redact/detect.ts'
import { parseOwnPatterns } from '../../../src/transform/redact/own-patterns.ts'
import { createPseudonyms, MODES, type Mode } from '../../../src/transform/redact/pseudonyms.ts'
import { type Redaction, redactText } from '../../../src/transform/redact/redact-records.ts'
import { createRemovedValues } from '../../../src/transform/redact/removed-values.ts'
import { runs } from '../../support/property-runs.ts'
import { THOROUGH } from '../../support/thorough.ts'

const own = parseOwnPatterns(['bluebird'])
const detect = createDetector({
  what: new Set(WHAT),
  keep: new Set<string>(),
  own,
  names: ['Ada Lovelace'],
  logins: ['grace'],
})
const pseudonyms = createPseudonyms(Buffer.alloc(32, 7))

const redact = (text: string, mode: Mode = 'pseudonym'): string => {
  const redaction = { detect, pseudonyms, mode, removed: createRemovedValues() }
  return redactText(text, redaction as unknown as Redaction, () => {})
}

const VALUES = ['jane@mail.example', 'Ada Lovelace', '@grace', '93.184.216.34', 'bluebird']
const IPV6 = '2606:2800:220:1:248:1893:25c8:1946'
const ESCAPES = [
  '\\n',
  '\\t',
  '\\r\\n',
  '\\u000a',
  '\\u003c',
  '\\\\n',
  '%0A',
  '%3D',
  '&#10;',
  '&lt;',
]

describe('A value behind an escape is taken out, and the escape stays', () => {
  test.each([...VALUES, IPV6])('%s', (value) => {
    for (const before of [...ESCAPES, '=3D']) {
      expect(redact(`a${before}${value} b`)).toBe(`a${before}${redact(value)} b`)
    }
  })
})

describe('One value has one pseudonym, however it is written', () => {
  test.each([
    ['jane@mail.example', 'JANE@Mail.example', 'jane%40mail.example', 'jane%2540mail.example'],
    [
      'jane@mail.example',
      'jane\\u0040mail.example',
      'jane&#64;mail.example',
      '%6Aane@mail.example',
    ],
    ['Ada Lovelace', 'ADA LOVELACE', 'Ada%20Lovelace', 'Ada\\u0020Lovelace', 'Ada&nbsp;Lovelace'],
    ['Ada Lovelace', 'Ada  Lovelace', 'Ada\\nLovelace'],
    ['93.184.216.34', '93%2E184.216.34'],
    [IPV6, '2606:2800:0220:0001:248:1893:25C8:1946', IPV6.replaceAll(':', '%3A')],
    ['2a02:908::1a2b', '2a02:0908:0:0:0:0:0:1a2b'],
    ['bluebird', 'BlueBird', 'blue%62ird'],
  ])('%s', (value, ...others) => {
    const pseudonym = redact(value)
    expect(pseudonym).not.toBe(value)
    for (const other of others) expect(redact(other), other).toBe(pseudonym)
  })

  test.each([
    '\n',
    '\r\n',
    '  \n',
    '  \r\n',
    '\\\r\n',
    '\n  ',
    '\n> ',
    '\r\n> ',
    ' \r\n> > ',
    '\n>>> ',
    '\n\t// ',
    '\n * ',
    '\n# ',
  ])('and a name that goes on in the next line leaves the line break: %j', (between) => {
    const name = redact('Ada Lovelace')
    expect(redact(`by Ada${between}Lovelace, x`)).toBe(`by ${name}${between}, x`)
    const quoted = JSON.stringify(`by Ada${between}Lovelace, x`)
    expect(JSON.parse(redact(quoted))).toBe(`by ${name}, x`)
  })

  test.each(['Ada\tLovelace', '"Lovelace","Ada"', "'Ada'; 'Lovelace'", 'Ada | Lovelace'])(
    'and a name in two cells leaves as many of them: %j',
    (cells) => {
      const now = redact(`1\t${cells}\tx`)
      expect(now).toContain(redact('Ada Lovelace'))
      expect(now.replace(/[^\t,;|"']/g, '')).toBe(`\t${cells}\t`.replace(/[^\t,;|"']/g, ''))
      const quoted = JSON.stringify({ log: JSON.stringify({ cells }) })
      expect(Object.keys(JSON.parse(JSON.parse(redact(quoted)).log))).toEqual(['cells'])
    },
  )

  test.each(['\n\n\n\n', '\n- ', ',\n', '\n>\n>\n'])(
    'and what parts two names stays: %j',
    (between) => {
      const text = `by Ada${between}Lovelace, x`
      expect(redact(text)).toBe(text)
    },
  )
})

const values = fc.constantFrom(...VALUES, IPV6, 'plain', '"', ',', '\n', '\\', '&', '<', '%0A', 'é')
const strings = fc.array(values, { maxLength: 6 }).map((parts) => parts.join(''))

describe('What was valid is valid, in each mode:', () => {
  const holds = (check: (text: string, mode: Mode) => void) =>
    fc.assert(
      fc.property(strings, fc.constantFrom(...MODES), (text, mode) => check(text, mode)),
      { numRuns: runs(300) },
    )

  test('JSON, also within JSON', () => {
    holds((text, mode) => {
      const inner = JSON.stringify({ [text]: [text, 1, null] })
      const json = JSON.stringify({ log: inner, text })
      const now = JSON.parse(redact(json, mode))
      expect(Object.keys(now)).toEqual(['log', 'text'])
      expect(Object.values(JSON.parse(now.log))).toHaveLength(1)
      // The same value is the same, whether it was written with escapes or not.
      if (!text.includes('%')) expect(now.text).toBe(redact(text, mode))
    })
  })

  test('CSV', () => {
    const quote = (cell: string) => (/[",\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)
    holds((text, mode) => {
      const row = ['x', quote(text), 'Ada'].join()
      const csv = `${row}\n${['Lovelace', 'y', quote(text)].join()}\n`
      const shape = (document: string) => parseCsv(document).map((cells) => cells.length)
      expect(shape(redact(csv, mode))).toEqual(shape(csv))
    })
  })

  test('XML', () => {
    const escapeXml = (text: string) =>
      text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
    holds((text, mode) => {
      const [before, behind] = ['<a b="', '"/>']
      const now = redact(`<x>${escapeXml(text)}${before}${escapeXml(text)}${behind}</x>`, mode)
      expect(now).toMatch(/^<x>[^<"]*<a b="[^<"]*"\/><\/x>$/)
      expect(now).not.toMatch(/&(?!(?:amp|lt|quot);)/)
    })
  })

  test('strings of source code', THOROUGH, () => {
    holds((text, mode) => {
      const literal = redact(`const log = ${JSON.stringify(text)}`, mode)
      expect(() => new Function(literal)).not.toThrow()
    })
  })
})

test('Of a tag within a value its name stays, but not what an attribute or comment has', () => {
  const jane = redact('jane@mail.example')
  expect(
    redact('<b>jane<a href="mailto:joe@mail.example">@<!-- jim@mail.example --></a>mail.example'),
  ).toBe(`<b>${jane}<a></a>`)
})

test.each(['glpat', 'password='])('A comment of HTML ends behind %s…', (before) => {
  const value = `${before}${before === 'glpat' ? '-' : ''}a1B2c3D4e5F6g7H8i9J0k`
  expect(redact(`<!--${value}-->`)).toMatch(/^<!--(?:password=)?\[secret [\w-]+ \w{8}\]-->$/)
})
