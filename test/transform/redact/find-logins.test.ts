import { expect, test } from 'vitest'
import { createLoginFinder } from '../../../src/transform/redact/find-logins.ts'
import { cpuTimeOf } from '../../support/cpu-time.ts'

const find = createLoginFinder(['Ada', 'grace-h', 'x', 'first.last'])

test.each([
  ['@ada, @ADA and (@grace-h)', ['ada', 'ADA', 'grace-h']],
  ['`@ada` @ada/kettle @ada.js @ada@x', ['ada', 'ada', 'ada', 'ada']],
  ['/@ada: @ada- @x', ['ada', 'ada', 'x']],
  [
    '@first.last, @First.Last.js @first.lasting @ada.first.last',
    ['first.last', 'First.Last', 'ada'],
  ],
  ['@adam @ada-x @ada_ @grace', ['ada']],
  ['me@ada.example a.@ada +@ada %@ada @', []],
])('In %j are %j', (text, expected) => {
  expect([...find(text)].map(({ value }) => value)).toEqual(expected)
  for (const { start, end, value } of find(text)) expect(text.slice(start, end)).toBe(value)
})

test('Takes time linear in the text', () => {
  const long = `${'@ada@'.repeat(100_000)}${'@'.repeat(100_000)}@${'a.'.repeat(100_000)}`
  expect(cpuTimeOf(() => [...find(long)])).toBeLessThan(2000)
})
