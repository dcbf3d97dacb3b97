import fc from 'fast-check'
import { expect, test } from 'vitest'
import { openStore } from '../../src/files/open-store.ts'

test('Every part is read as it was added, in any order, from memory and from the file', () => {
  const part = fc
    .tuple(
      fc.constantFrom(0, 1, 1000, 30_000, 400_000, 2_000_000),
      fc.integer({ min: 0, max: 255 }),
    )
    .map(([size, byte]) => Buffer.alloc(size, byte))
  fc.assert(
    fc.property(fc.array(part, { maxLength: 12 }), (parts) => {
      const store = openStore()
      try {
        const numbers = parts.map((each) => store.add(each))
        const ahead = store.reader()
        for (const number of [...numbers, ...numbers.toReversed()]) {
          const part = parts[number] as Buffer
          expect(store.read(number).equals(part)).toBe(true)
          expect(ahead(number).equals(part)).toBe(true)
        }
      } finally {
        store.close()
      }
    }),
  )
})
