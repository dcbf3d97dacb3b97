import { expect, test } from 'vitest'
import type { ValueType } from '../../../../src/transform/redact/finding.ts'
import {
  isInReplacement,
  withoutReplacements,
} from '../../../../src/transform/redact/proof/replacements.ts'
import { createPseudonyms, MASKS } from '../../../../src/transform/redact/pseudonyms.ts'

const VALUES: readonly (readonly [ValueType, string])[] = [
  ['email', 'ada@forge.example'],
  ['name', 'Ada Lovelace'],
  ['login', 'ada'],
  ['ip', '93.184.216.34'],
  ['ip', '2a02:8071::17'],
  ['secret', 'x'],
  ['own', 'bluebird'],
]
const KEY = Buffer.alloc(32, 7)
const pseudonyms = createPseudonyms(KEY)
const withDomains = createPseudonyms(KEY, { keepDomain: true })

test.each(
  VALUES.flatMap(([type, value]) => [
    [type, pseudonyms.of(type, value)] as const,
    [type, withDomains.of(type, value)] as const,
    [type, MASKS[type]] as const,
  ]),
)('What is written for %s is known: %s', (_, written) => {
  expect(isInReplacement(`see ${written} there`, 4, 4 + written.length)).toBe(true)
  expect(withoutReplacements(`see ${written} there`)).toBe('see  there')
})

test('Of a value beside a replacement it says nothing', () => {
  const text = 'see [email] of Ada'
  expect(isInReplacement(text, 15, 18)).toBe(false)
})
