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
      for (const each of [...texts, ...others]) {
        const index = set.find(each)
        expect(index >= 0).toBe(expected.has(each))
        if (index >= 0) expect([set.at(index), set.add(each)]).toEqual([each, index])
      }
    }),
  )
})

test('It has many texts', () => {
  const set = createTextSet()
  for (let i = 0; i < 20_000; i++) expect(set.add(`text ${i}`)).toBe(i)
  for (let i = 0; i < 20_000; i += 7) expect(set.find(`text ${i}`)).toBe(i)
  expect(set.find('text 20000')).toBe(-1)
})
