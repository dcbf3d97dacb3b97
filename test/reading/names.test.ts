import { expect, test } from 'vitest'
import { foldCase, labelName, placeOf } from '../../src/reading/names.ts'

test('Logins differ in other letters than those of ASCII', () => {
  expect([foldCase('Ada'), foldCase('Ä')]).toEqual(['ada', 'Ä'])
})

test('The name of a label without a record is the end of its url, decoded if it can be', () => {
  expect(labelName('https://forge.example/o/r/labels/good%20first')).toBe('good first')
  expect(labelName('https://forge.example/o/r/labels/100%')).toBe('100%')
})

test.each([
  ['https://forge.example/ada', 'ada'],
  ['https://forge.example/forge/kettle', 'forge/kettle'],
  ['https://forge.example/forge/kettle/issues/3', 'forge/kettle#3'],
  ['https://forge.example/forge/kettle/pull/4', 'forge/kettle#4'],
  ['https://forge.example/orgs/forge/teams/cooks', 'forge/cooks'],
  [null, null],
])('%s is called %s', (url, name) => {
  expect(placeOf(url)).toBe(name)
})
