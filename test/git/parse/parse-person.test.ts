import { describe, expect, test } from 'vitest'
import {
  localTimeOf,
  parseNoreply,
  parsePerson,
  timeOf,
  trimSpaceAtEnd,
} from '../../../src/git/parse/parse-person.ts'
import { expectLinear } from '../../support/cpu-time.ts'

const person = (name: string, email: string, seconds: number | undefined, zone: string) => ({
  name,
  email,
  seconds,
  zone,
})

describe('A person', () => {
  test.each([
    ['Ada <ada@x> 1714564800 +0200', person('Ada', 'ada@x', 1_714_564_800, '+0200')],
    ['Ada Lovelace <ada@x> -1 -0330', person('Ada Lovelace', 'ada@x', -1, '-0330')],
    ['<ada@x> 1 +0000', person('', 'ada@x', 1, '+0000')],
    ['Ada <> 1 +0000', person('Ada', '', 1, '+0000')],
    ['Ada < ada@x > 1 +0000', person('Ada', 'ada@x', 1, '+0000')],
    // Lines as hostile and broken programs write them.
    ['Ada', person('Ada', '', undefined, '+0000')],
    ['', person('', '', undefined, '+0000')],
    ['Ada <ada@x>', person('Ada', 'ada@x', undefined, '+0000')],
    ['Ada <ada@x> yesterday', person('Ada', 'ada@x', undefined, '+0000')],
    ['Ada <ada@x> 1 CEST', person('Ada', 'ada@x', 1, '+0000')],
    ['Ada <ada@x> 1 +02', person('Ada', 'ada@x', 1, '+0000')],
    ['Ada <ada@x> 1 +020000', person('Ada', 'ada@x', 1, '+0000')],
    ['Ada <ada@x', person('Ada', 'ada@x', undefined, '+0000')],
    ['Ada <a<b>c> 7 +0000', person('Ada', 'a<b', 7, '+0000')],
  ])('is read from %j', (line, expected) => {
    expect(parsePerson(line)).toEqual(expected)
  })

  test.each([' ', '<', '>', '1', '<>', ' 1'])(
    'is read in time linear in its length: %s',
    (unit) => {
      expectLinear((length) => {
        const line = `A${unit.repeat(length / unit.length)}`
        return () => parsePerson(line)
      }, 400_000)
    },
  )
})

describe('The time', () => {
  test.each([
    [0, '+0000', '1970-01-01T00:00:00Z', '1970-01-01T00:00:00+00:00'],
    [1_714_564_800, '+0200', '2024-05-01T12:00:00Z', '2024-05-01T14:00:00+02:00'],
    [1_714_564_800, '-0330', '2024-05-01T12:00:00Z', '2024-05-01T08:30:00-03:30'],
    [-62_167_219_200, '+0000', '0000-01-01T00:00:00Z', '0000-01-01T00:00:00+00:00'],
    [253_402_300_799, '+0000', '9999-12-31T23:59:59Z', '9999-12-31T23:59:59+00:00'],
    // The local time would be in the year 10000.
    [253_402_300_799, '+0100', '9999-12-31T23:59:59Z', null],
    [253_402_300_800, '+0000', null, null],
    [-62_167_219_201, '+0000', null, null],
    [1e300, '+0000', null, null],
    [undefined, '+0000', null, null],
  ] as const)('of %j at %s is %j, and there %j', (seconds, zone, utc, local) => {
    const it = { name: '', email: '', seconds, zone }
    expect(timeOf(it)).toBe(utc)
    expect(localTimeOf(it)).toBe(local)
  })
})

test('ASCII space is removed from the end of a text, and no other', () => {
  expect(trimSpaceAtEnd('a \t\r\n\v\f')).toBe('a')
  expect(trimSpaceAtEnd(' a\u00a0')).toBe(' a\u00a0')
  expect(trimSpaceAtEnd('  ')).toBe('')
})

test.each([
  ['7+ada@users.noreply.forge.example', { login: 'ada', host: 'forge.example' }],
  ['Ada@Users.Noreply.Forge.Example', { login: 'Ada', host: 'Forge.Example' }],
  ['ci[bot]@users.noreply.forge.example', { login: 'ci[bot]', host: 'forge.example' }],
  ['ada@forge.example', undefined],
  ['@users.noreply.forge.example', undefined],
])('The login in the noreply address %s', (email, login) => {
  expect(parseNoreply(email)).toEqual(login)
})
