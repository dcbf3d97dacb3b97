import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createTextSet } from '../../src/transform/text-set.ts'
import { THOROUGH } from '../support/thorough.ts'

test('It has the texts of a Set, in the same order', () => {
  // To shrink strings of the unit 'binary', a map of all characters would be made, in half a second.
  const units = fc.array(fc.nat({ max: 0xffff }), { maxLength: 10 })
  const text = fc.oneof(
    units.map((codes) => String.fromCharCode(...codes)),
    fc.constantFrom('', 'a', 'é', '\ud800', 'A'),
  )
  fc.assert(
    fc.property(fc.array(text), fc.array(text), (texts, others) => {
      const set = createTextSet()
      const expected = new Set(texts)
      for (const each of texts) set.add(each)
      expect([...set]).toEqual([...expected])
      expect(set.size).toBe(expected.size)
      const all = [...texts, ...others]
      const known = all.filter((each) => set.find(each) >= 0)
      expect(known).toEqual(all.filter((each) => expected.has(each)))
      expect(known.map((each) => set.at(set.find(each)))).toEqual(known)
      expect(known.map((each) => set.add(each))).toEqual(known.map((each) => set.find(each)))
    }),
  )
})

test('It has many texts', THOROUGH, () => {
  const set = createTextSet()
  const numbers = Array.from({ length: 20_000 }, (_, i) => i)
  expect(numbers.map((i) => set.add(`text ${i}`))).toEqual(numbers)
  expect(numbers.map((i) => set.find(`text ${i}`))).toEqual(numbers)
  expect(set.find('text 20000')).toBe(-1)
})
