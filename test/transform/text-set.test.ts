import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createTextSet } from '../../src/transform/text-set.ts'

test('It has the texts of a Set, in the same order', () => {
  const text = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('', 'a', 'é', '\ud800', 'A'))
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

test('It has many texts', () => {
  const set = createTextSet()
  const numbers = Array.from({ length: 20_000 }, (_, i) => i)
  expect(numbers.map((i) => set.add(`text ${i}`))).toEqual(numbers)
  expect(numbers.map((i) => set.find(`text ${i}`))).toEqual(numbers)
  expect(set.find('text 20000')).toBe(-1)
})
