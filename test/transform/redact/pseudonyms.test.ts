import { expect, test } from 'vitest'
import type { ValueType } from '../../../src/transform/redact/finding.ts'
import { createPseudonyms, isPseudonym } from '../../../src/transform/redact/pseudonyms.ts'

const KEY = Buffer.alloc(32, 7)
const { of, collisions } = createPseudonyms(KEY)

test('A value has one pseudonym, whatever its case and normal form', () => {
  expect(of('email', 'Ada@Example.org')).toBe(of('email', 'ada@example.org'))
  expect(of('name', 'Jose\u0301')).toBe(of('name', 'jos\u00e9'))
  expect(of('email', 'a@b.example')).not.toBe(of('email', 'b@b.example'))
  expect(createPseudonyms(KEY).of('login', 'ada')).toBe(of('login', 'ada'))
  expect(createPseudonyms().of('login', 'ada')).not.toBe(of('login', 'ada'))
})

test.each([
  ['email', 'ada@example.org', /^[0-9a-z]{10}@redacted\.invalid$/],
  ['login', 'ada', /^user-[0-9a-z]{10}$/],
  ['name', 'Ada Lovelace', /^person-[0-9a-z]{10}$/],
  ['secret', 'x', /^\[secret token [0-9a-f]{8}\]$/],
  ['own', 'x', /^\[redacted [0-9a-z]{10}\]$/],
  ['ip', '8.8.8.8', /^(192\.0\.2|198\.51\.100|203\.0\.113)\.\d{1,3}$/],
  ['ip', '2606:4700::1111', /^2001:db8:[0-9a-f:]+$/],
] as [ValueType, string, RegExp][])(
  'A pseudonym of the type %s is known as one',
  (type, value, form) => {
    const pseudonym = of(type, value)
    expect(pseudonym).toMatch(form)
    expect(isPseudonym(type, pseudonym)).toBe(true)
    expect(isPseudonym(type, value)).toBe(false)
  },
)

test('A pseudonym of an address is known with text around it', () => {
  const pseudonym = of('email', '"a word"@mail.example')
  for (const text of [`report-${pseudonym}.txt`, `${pseudonym}.dat`, `aaaa${pseudonym}`]) {
    expect(isPseudonym('email', text)).toBe(true)
    expect(isPseudonym('email', text.replace('invalid', 'example'))).toBe(false)
  }
})

test('Domains stay on request', () => {
  const kept = createPseudonyms(KEY, { keepDomain: true }).of('email', 'ada@example.org')
  expect(kept).toMatch(/^user-[0-9a-z]{10}@example\.org$/)
  expect(isPseudonym('email', kept)).toBe(true)
})

test('IPv4 addresses that share a pseudonym are counted', () => {
  for (let i = 0; i < 800; i++) of('ip', `10.0.${i >> 8}.${i & 255}`)
  expect(collisions()).toBeGreaterThan(0)
})
