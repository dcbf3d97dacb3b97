import fc from 'fast-check'
import { expect, test } from 'vitest'
import { GrowingText } from '../../src/base/growing-text.ts'

const TEXTS = fc.array(fc.string({ unit: 'binary', maxLength: 100 }))

test('has the bytes of all texts, which later ones do not change', () => {
  fc.assert(
    fc.property(TEXTS, TEXTS, (first, second) => {
      const text = new GrowingText()
      for (const each of first) text.add(each)
      expect(text.length).toBe(Buffer.byteLength(first.join('')))
      const taken = text.take()
      for (const each of second) text.add(each)
      expect(String(text.borrow())).toBe(second.join(''))
      expect(String(taken)).toBe(first.join(''))
    }),
  )
})

test('takes texts that are longer than its buffer', () => {
  const text = new GrowingText()
  const long = 'aé'.repeat(400_000)
  for (const each of ['before', long, 'between', long]) text.add(each)
  expect(text.take().equals(Buffer.from(`before${long}between${long}`))).toBe(true)
})
