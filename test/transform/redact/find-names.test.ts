import { expect, test } from 'vitest'
import { createNameFinder } from '../../../src/transform/redact/find-names.ts'
import { expectLinear } from '../../support/cpu-time.ts'
import { THOROUGH } from '../../support/thorough.ts'

const found = (text: string, ...names: string[]) =>
  [...(createNameFinder(names)?.(text) ?? [])].map(({ value }) => value)

test('The longest of several names is found', () => {
  const names = ['Ada King', 'Ada King Noel', 'Ada King-Noel', 'Ada Byron']
  expect(found('ADA KING noel, Ada+King-Noel, ada  king; Ada, King', ...names)).toEqual([
    'ADA KING noel',
    'Ada+King-Noel',
    'ada  king',
  ])
})

test('A name that continues differently ends where another one ends', () => {
  expect(found('Ada King Byron', 'Ada King', 'Ada King Noel')).toEqual(['Ada King'])
  expect(found('Ada King Byron', 'Ada King Noel')).toEqual([])
})

test('Time is linear in the number of names that begin with the same two words', THOROUGH, () => {
  expectLinear((count) => {
    const names = Array.from({ length: count }, (_, i) => `Person of Number ${i}`)
    const text = `Person of Number ${count - 1}, `.repeat(count / 20)
    return () => expect(found(text, ...names)).toHaveLength(count / 20)
  }, 20_000)
})

test('The last word may come first, before a comma, or in the cell before', () => {
  const names = ['Ada Lovelace', 'Vera de la Cruz']
  const text =
    'Lovelace, Ada; LOVELACE,ADA and N:Lovelace;Ada;;; Cruz, Vera de la; de la Cruz, Vera'
  expect(found(text, ...names)).toEqual([
    'Ada Lovelace',
    'ADA LOVELACE',
    'Ada Lovelace',
    'Vera de la Cruz',
    'Vera de la Cruz',
  ])
  expect(found('1,Ada,Lovelace,x', ...names)).toEqual(['Ada Lovelace'])
  expect(found('Ada, Lovelace and Lovelace Ada', ...names)).toEqual([])
})

test.each([
  '"Ada","Lovelace"',
  '"Lovelace";"Ada"',
  "'Lovelace', 'Ada'",
  '| Ada | Lovelace |',
  'Lovelace\tAda\tx',
])('The words of a name may be two cells: %j', (text) => {
  expect(found(text, 'Ada Lovelace')).toEqual(['Ada Lovelace'])
})

test('A name with a comma is found as it is, and with its end first', () => {
  const names = ['van der Berg, Piet', 'Dr. Anna Schmidt, PhD']
  const text = 'van der Berg, Piet; Piet van der Berg; Dr. Anna Schmidt, PhD'
  expect(found(text, ...names)).toEqual([
    'Piet van der Berg',
    'Piet van der Berg',
    'PhD Dr Anna Schmidt',
  ])
})

test.each(['J.+R.+Hartley', 'J._R._Hartley', 'J. R. =\nHartley', 'J. R.++Hartley'])(
  'A name with initials is found as %j',
  (text) => {
    expect(found(text, 'J. R. Hartley')).toHaveLength(1)
  },
)

test('An initial may be between two words of a name', () => {
  expect(found('Ada K. Lovelace and Ada É Lovelace', 'Ada Lovelace')).toEqual([
    'Ada Lovelace',
    'Ada Lovelace',
  ])
  expect(found('Ada K. L. Lovelace', 'Ada Lovelace')).toEqual([])
  expect(found('Ada K. Lovelace', 'Ada Lovelace', 'Ada K. Lovelace')).toEqual(['Ada K. Lovelace'])
})

test('Each of many names is found with a letter between and in cells, whatever other names there are', () => {
  const words = Array.from({ length: 300 }, (_, i) => `W${i}x`)
  const names = words.map((word) => `Vera ${word}`)
  for (const between of [' M. ', ',', ' ']) {
    const text = words.map((word) => `Vera${between}${word}`).join(' / ')
    expect(found(text, ...names)).toEqual(names)
  }
})

test('Words that are names of somebody stay where a sentence has them', () => {
  const text = 'Before long, will a long run. Will a long list do? Long, will'
  expect(found(text, 'Will Long', 'Run Long')).toEqual([])
})
