import { expect, test } from 'vitest'
import { createOidSet } from '../../../src/git/objects/oid-set.ts'
import { THOROUGH } from '../../support/thorough.ts'

test('Each id of many is new once, packed or not', THOROUGH, () => {
  const count = 120_000
  const oidAt = (i: number) => i.toString(16).padStart(40, '0')
  // Every third object is not in a pack.
  const placeOf = (oid: string) => {
    const number = Number.parseInt(oid, 16)
    return number % 3 === 0 ? undefined : number
  }
  const set = createOidSet({ placeOf })
  const wrong: string[] = []
  for (let i = 0; i < count; i++) {
    const oid = oidAt(i)
    if (set.has(oid) || !set.add(oid) || set.add(oid) || !set.has(oid)) wrong.push(oid)
    const earlier = oidAt(Math.floor(i / 2))
    if (!set.has(earlier) || set.add(earlier)) wrong.push(earlier)
  }
  for (let i = 0; i < 2 * count; i++) if (set.has(oidAt(i)) !== i < count) wrong.push(oidAt(i))
  expect(wrong).toEqual([])
})
