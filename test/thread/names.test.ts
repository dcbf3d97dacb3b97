import { expect, test } from 'vitest'
import { placeOf } from '../../src/thread/names.ts'

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
