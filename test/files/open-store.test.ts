import fc from 'fast-check'
import { expect, test } from 'vitest'
import { openStore } from '../../src/files/open-store.ts'

test('Every part is read as it was added, in any order, from memory and from the file', () => {
  const part = fc
    .tuple(fc.constantFrom(0, 1, 1000, 400_000, 2_000_000), fc.integer({ min: 0, max: 255 }))
    .map(([size, byte]) => Buffer.alloc(size, byte))
  fc.assert(
    fc.property(fc.array(part, { maxLength: 12 }), (parts) => {
      const store = openStore()
      try {
        const numbers = parts.map((each) => store.add(each))
        for (const number of numbers.toReversed()) {
          expect(store.read(number).equals(parts[number] as Buffer)).toBe(true)
        }
      } finally {
        store.close()
      }
    }),
  )
})
