import { expect, test } from 'vitest'
import { createLoginFinder } from '../../../src/transform/redact/find-logins.ts'
import { expectLinear } from '../../support/cpu-time.ts'
import { THOROUGH } from '../../support/thorough.ts'

const find = createLoginFinder(['Ada', 'grace-h', 'x', 'first.last'], new Set(['forge.example']))

test.each([
  ['@ada, @ADA and (@grace-h)', ['ada', 'ADA', 'grace-h']],
  ['`@ada` @ada/kettle @ada.js @ada@x', ['ada', 'ada', 'ada', 'ada']],
  ['/@ada: @ada- @x', ['ada', 'ada', 'x']],
  [
    '@first.last, @First.Last.js @first.lasting @ada.first.last',
    ['first.last', 'First.Last', 'ada'],
  ],
  ['@adam @ada-x @ada_ @grace', ['ada']],
  ['me@ada.example git@ada 7@ada @', []],
  ['report-@ada report_@ada.txt .@ada', ['ada', 'ada', 'ada']],
  ['https://forge.example/ada, http://www.forge.example/Ada/x', ['ada', 'Ada']],
  ['forge.example/ada#x https://forge.example/ada.git', ['ada', 'ada']],
  ['api.forge.example/users/ada forge.example/api/v3/repos/ada/x', ['ada', 'ada']],
  ['https://forge.example/orgs/ada?tab=x', ['ada']],
  ['https://other.example/ada myforge.example/ada forge.example/adam /ada', []],
  ['git@forge.example:ada/kettle.git ssh://git@forge.example:ada/x', ['ada', 'ada']],
  ['url = https://other.example/ada/kettle.git git@other.example:ada/x.git', ['ada', 'ada']],
  ['Merge pull request #5 from ada/sleepy', ['ada']],
  ['https://Ada.github.io/, grace-h.gitlab.io/x', ['Ada', 'grace-h']],
  ['git@other.example:ada/kettle from ada/x x.ada.github.io ada.github.io-x', []],
  ['ada/kettle#12 and ada/kettle@c0ffee1', ['ada', 'ada']],
  ['x/ada/kettle#12 ada/kettle ada/kettle@next', []],
])('In %j are %j', (text, expected) => {
  expect([...find(text)].map(({ value }) => value)).toEqual(expected)
  for (const { start, end, value } of find(text)) expect(text.slice(start, end)).toBe(value)
})

test('Takes time linear in the text', THOROUGH, () => {
  expectLinear((runs) => {
    const slashes = `${'a/'.repeat(runs)}${'a.'.repeat(runs / 2)}/${'/a.b'.repeat(runs / 2)}`
    return () => [...find(slashes)]
  }, 100_000)
  expectLinear((runs) => {
    const long = `${'@ada@'.repeat(runs)}${'@'.repeat(runs)}@${'a.'.repeat(runs)}`
    return () => [...find(long)]
  }, 100_000)
})
