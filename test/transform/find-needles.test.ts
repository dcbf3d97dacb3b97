import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createNeedleFinder } from '../../src/transform/find-needles.ts'

const placesOf = (needles: readonly string[], text: string): string[] => {
  const found: string[] = []
  const find = createNeedleFinder(needles.map((needle) => [needle, needle] as const))
  find(Buffer.from(text), (at, needle) => {
    found.push(`${at} ${needle}`)
    return false
  })
  return found.sort()
}

test('Finds needles in any case, also those of three bytes at the end', () => {
  expect(placesOf(['lovelace', 'ada', 'née'], 'ADA Lovelace née ada')).toEqual([
    '0 ada',
    '13 née',
    '18 ada',
    '4 lovelace',
  ])
  expect(placesOf(['ada'], 'ad')).toEqual([])
  expect(placesOf([], 'ada')).toEqual([])
})

test('Finds what indexOf finds, wherever needles overlap', () => {
  const letters = fc.string({
    unit: fc.constantFrom('a', 'b', 'é', 'B'),
    minLength: 3,
    maxLength: 8,
  })
  const text = fc.string({ unit: fc.constantFrom('a', 'b', 'é', 'A'), maxLength: 60 })
  const fold = (given: string) => given.replace(/[A-Z]/g, (letter) => letter.toLowerCase())
  fc.assert(
    fc.property(fc.uniqueArray(letters, { maxLength: 20 }), text, (needles, given) => {
      const bytes = Buffer.from(fold(given))
      const expected = needles.flatMap((needle) => {
        const places: string[] = []
        const wanted = Buffer.from(fold(needle))
        for (let at = bytes.indexOf(wanted); at >= 0; at = bytes.indexOf(wanted, at + 1)) {
          places.push(`${at} ${needle}`)
        }
        return places
      })
      expect(placesOf(needles, given)).toEqual(expected.sort())
    }),
  )
})

test('A visitor ends the search', () => {
  let visits = 0
  createNeedleFinder([['ada', 1]])(Buffer.from('ada ada ada'), () => {
    visits++
    return true
  })
  expect(visits).toBe(1)
})
