import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createRemovedSearch } from '../../../../src/transform/redact/proof/find-removed.ts'
import type { RemovedValue } from '../../../../src/transform/redact/removed-values.ts'
import { everyDay, THOROUGH } from '../../../support/thorough.ts'

const VALUES: readonly RemovedValue[] = [
  { type: 'email', value: 'Grace.H@navy.example' },
  { type: 'name', value: 'Grace Hopper' },
  { type: 'name', value: 'Zoë Käthe' },
  { type: 'name', value: 'Вера Павлова' },
  { type: 'login', value: '@gracehopper' },
  { type: 'ip', value: '93.184.216.34' },
  { type: 'ip', value: '2a02:8071::17' },
  { type: 'secret', value: 'ghx_4Kq9/x+B7pZ"w2' },
  { type: 'own', value: 'bluebird' },
]
const { search } = createRemovedSearch(VALUES)

function foundIn(bytes: Buffer | string): string[] {
  const found = new Set<string>()
  search(Buffer.from(bytes as string), ({ value }) => {
    found.add(value)
    return false
  })
  return [...found]
}

const wide = (text: string) => Buffer.from(text, 'utf16le')
const everyCharacter = (text: string, write: (code: number) => string) =>
  Array.from(text, (character) => write(character.codePointAt(0) as number)).join('')
const json = (text: string) => JSON.stringify(text)
const escaped = (text: string) =>
  everyCharacter(text, (code) => `\\u${code.toString(16).padStart(4, '0')}`)

/** How a value may be dressed. */
const CLOTHINGS: Record<string, (text: string) => Buffer | string> = {
  'as it is': (text) => `a ${text} b`,
  'in capitals': (text) => `a ${/[^a-z@ .]/i.test(text) ? text : text.toUpperCase()} b`,
  'in JSON': (text) => json({ log: `x\n${text}` } as never),
  'in JSON within JSON': (text) => json(json(`x\n${text}\n`)),
  'with escapes of JSON': (text) => `"${escaped(text)}"`,
  'with escapes of JSON within JSON': (text) => json(`"${escaped(text)}"`),
  'percent-encoded': (text) => `?q=${encodeURIComponent(text)}&x`,
  'percent-encoded twice': (text) => `?q=${encodeURIComponent(encodeURIComponent(text))}&x`,
  'with every byte percent-encoded': (text) =>
    [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join(''),
  'in HTML': (text) => text.replace(/[@&"'<>]/g, (character) => `&#${character.charCodeAt(0)};`),
  'with every character as a reference': (text) =>
    everyCharacter(text, (code) => `&#x${code.toString(16)};`),
  'in HTML within JSON within a URL': (text) =>
    encodeURIComponent(json(text.replaceAll('@', '&commat;').replaceAll('"', '&quot;'))),
  'in UTF-16LE': (text) => wide(`a ${text} b`),
  'in UTF-16BE': (text) => wide(`a ${text} b`).swap16(),
  'in UTF-16LE at an odd place': (text) => Buffer.concat([Buffer.from('abc '), wide(` ${text}.`)]),
  'in base64': (text) => Buffer.from(text).toString('base64'),
  'in base64 behind one byte': (text) =>
    `data:${Buffer.from(` ${text} and more`).toString('base64')}`,
  'in base64 behind two bytes': (text) => Buffer.from(`: ${text}\n`).toString('base64url'),
}

describe.each(Object.entries(CLOTHINGS))('%s', (_, dress) => {
  everyDay(100)(VALUES)('$type $value is found', ({ value }) => {
    expect(foundIn(dress(value))).toContain(value)
  })
})

test('in Latin-1, a name is found', () => {
  expect(foundIn(Buffer.from('by Zoë Käthe.', 'latin1'))).toEqual(['Zoë Käthe'])
  expect(foundIn('?by=Zo%EB%20K%E4the')).toEqual(['Zoë Käthe'])
})

test('A doubtful value is not looked for', () => {
  const values: RemovedValue[] = [{ type: 'ip', value: '1.0.0.0' }]
  const quiet = createRemovedSearch(values, { doubtful: new Set(['1.0.0.0']) })
  expect(quiet.search(Buffer.from('ping 1.0.0.0'), () => true)).toBe(false)
})

test('Each of many values is found, wherever it is and however its bytes are cut', THOROUGH, () => {
  const values = fc.uniqueArray(fc.stringMatching(/^[a-z]{6,12}$/), { minLength: 1, maxLength: 50 })
  const cuts = fc.array(fc.nat(400_000), { maxLength: 5 })
  fc.assert(
    fc.property(values, fc.nat(), fc.nat(380_000), cuts, (all, i, before, at) => {
      const value = all[i % all.length] as string
      const many = createRemovedSearch(all.map((each) => ({ type: 'secret', value: each })))
      const bytes = Buffer.alloc(400_000, '- 0 -')
      bytes.write(value, before)
      let found: string | undefined
      const stream = many.stream((each) => {
        found = each.value
        return each.value === value
      })
      let from = 0
      for (const cut of [...at.sort((a, b) => a - b), bytes.length]) {
        if (stream.see(bytes.subarray(from, cut))) return
        from = cut
      }
      stream.end()
      expect(found).toBe(value)
    }),
    { numRuns: 20 },
  )
})

test('Values that begin alike, are short, or end where the bytes end are told apart', () => {
  const texts = ['Ada Kettle', 'Ada Kettles', 'Ada Kettle Brown', 'Ada Kit', 'Ada Kay Kettle']
  const alike = createRemovedSearch(texts.map((value): RemovedValue => ({ type: 'name', value })))
  for (const text of texts) {
    for (const around of [text, `by ${text}.`, `${text}, ${text}`]) {
      const found = new Set<string>()
      alike.search(Buffer.from(around), ({ value }) => {
        found.add(value)
        return false
      })
      expect([...found]).toContain(text)
    }
  }
})
