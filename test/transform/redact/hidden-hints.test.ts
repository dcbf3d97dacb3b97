import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { createHiddenHints } from '../../../src/transform/redact/hidden-hints.ts'
import { THOROUGH } from '../../support/thorough.ts'

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

const find = createHiddenHints((bytes) => bytes.includes('@'), 16)
const placesIn = (text: string) => {
  const bytes = Buffer.from(text)
  return find(bytes, bytes.toString('latin1'))
}

test('Finds the first of the escapes that hide a hint', () => {
  expect(placesIn('"a\\u0041b" "jane\\u0040x"')).toEqual([16])
})

test('The quotes of an attribute do not end a text, unlike those of a string', () => {
  expect(placesIn('"a<b class=\\"x\\">&#64;</b>"')).toEqual([2])
  expect(placesIn('a<b class="x">&#64;</b>')).toEqual([1])
  expect(placesIn('"a<b>\\"&commat;x"')).toEqual([7])
})

test('What is remembered of a text does not keep the whole text in memory', THOROUGH, () => {
  const length = 200_000
  collectGarbage()
  const before = process.memoryUsage().heapUsed
  for (let i = 0; i < 100; i++) placesIn(`${'-'.repeat(length)}"label of number ${i} \\u0041"`)
  collectGarbage()
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(10 * length)
})
