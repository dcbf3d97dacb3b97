import { expect, test } from 'vitest'
import { largestObjects } from '../../../src/git/history/largest-objects.ts'
import { packOfOne } from '../../support/git-pack.ts'
import { loaded } from '../../support/load.ts'

const OID = 'c0ffee'.padEnd(40, '0')
const LEAST = 1_000_000
const BLOB = 3
const OFFSET_DELTA = 6

/** What is found in a repository with one pack of one object. */
async function foundIn(object: Parameters<typeof packOfOne>[1], files = true) {
  const { pack, index } = packOfOne(OID, object)
  const archive = {
    'repositories/a/b.git/objects/pack/pack-aa.pack': pack,
    'repositories/a/b.git/objects/pack/pack-aa.idx': index,
  }
  const { database } = await loaded(archive, { files: files || ((path) => path.endsWith('.idx')) })
  return [...largestObjects(database, LEAST)]
}

const found = (size: number) => ({
  ...{ entry: 'repositories/a/b.git/objects/pack/pack-aa.pack', oid: OID },
  size,
})

test('An object is found that is too large, however well it is packed', async () => {
  const data = Buffer.alloc(2000)
  expect(await foundIn({ type: BLOB, size: LEAST + 1, data })).toEqual([found(LEAST + 1)])
  expect(await foundIn({ type: BLOB, size: LEAST, data })).toEqual([])
})

test('What is too short to be that large is not even looked at', async () => {
  expect(await foundIn({ type: BLOB, size: LEAST + 1, data: Buffer.alloc(900) })).toEqual([])
})

test('A pack that was not stored tells only how much room an object takes', async () => {
  const size = 3 * LEAST
  expect(await foundIn({ type: BLOB, size, data: Buffer.alloc(2000) }, false)).toEqual([])
  const [object] = await foundIn({ type: BLOB, size, data: Buffer.alloc(LEAST) }, false)
  expect(object?.size).toBeGreaterThan(LEAST)
  expect(object?.size).toBeLessThan(LEAST + 20)
})

test('Of differences, and of what is no object, nothing is said', async () => {
  const data = Buffer.alloc(2000, 1)
  expect(await foundIn({ type: OFFSET_DELTA, size: 2 * LEAST, data })).toEqual([])
  expect(await foundIn({ type: 0, size: 2 * LEAST, data })).toEqual([])
})

test('An object in a file of its own is found by the size of that file', async () => {
  const path = `repositories/a/b.git/objects/c0/${OID.slice(2)}`
  const { database } = await loaded({ [path]: Buffer.alloc(LEAST + 1) })
  expect([...largestObjects(database, LEAST)]).toEqual([{ entry: path, oid: OID, size: LEAST + 1 }])
})
