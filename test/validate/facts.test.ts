import { expect, test } from 'vitest'
import { textsOf } from '../../src/validate/facts.ts'

const NAMES = ['ada/kettle', 'forge/kettle']
const [here, there] = ['https://old.example/Ada/kettle', 'https://new.example/forge/kettle'].map(
  (address) => textsOf(address, NAMES),
)

test.each([
  ['Ada/kettle#3 boils', 'forge/kettle#3 boils'],
  ['since Ada/kettle@c0ffee0', 'since forge/kettle@c0ffee0'],
  ['https://old.example/Ada/kettle/issues/3', 'https://new.example/forge/kettle/issues/3'],
  ['Ada/kettle#3, which the importer left', 'Ada/kettle#3, which the importer left'],
])('A text is the same on both sides: %s', (before, after) => {
  expect(here?.(before)).toBe(there?.(after))
})

test.each([
  ['Ada/kettle#3', 'forge/kettle#4'],
  ['Ada/kettle#3', 'forge/pot#3'],
])('A text with another reference differs: %s, %s', (before, after) => {
  expect(here?.(before)).not.toBe(there?.(after))
})
