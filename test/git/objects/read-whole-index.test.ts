import { expect, test } from 'vitest'
import type { RandomAccessFile } from '../../../src/git/objects/random-access-file.ts'
import { readIds, readPackEntries } from '../../../src/git/objects/read-whole-index.ts'
import { oidOf, packOf } from '../../support/build-pack.ts'

const contents = ['one', 'two', 'three', 'four']
const oids = contents.map((content) => oidOf('blob', content))

const bytes = packOf(contents.map((content) => ({ type: 'blob', content })))[
  'objects/pack/pack-it.idx'
] as Buffer

const asFile = (content: Buffer): RandomAccessFile => ({
  path: 'it.idx',
  size: content.length,
  read: (at, length) => content.subarray(at, at + length),
})

test('The ids of an index are sorted, and its order is that of the pack', () => {
  const ids = readIds(asFile(bytes)) as Buffer
  const sorted = contents.map((_, i) => ids.toString('hex', 20 * i, 20 * i + 20))
  expect(sorted).toEqual(oids.toSorted())
  const entries = readPackEntries(asFile(bytes))
  if (typeof entries === 'string') throw new Error(entries)
  expect(entries.faults).toEqual([])
  expect(Array.from(entries.order, (place) => sorted[place])).toEqual(oids)
})

test('What is no index is said to be none', () => {
  const page = asFile(Buffer.from('<html>'.repeat(500)))
  expect(readIds(page)).toMatch(/no index|expected the index/)
  expect(readPackEntries(page)).toMatch(/no index|expected the index/)
})

test('Objects are in the order of their offsets, also beyond 4 GiB', () => {
  const offsets = [2 ** 33, 70_000, 12, 2 ** 32 + 5, 2 ** 17, 65_536]
  const sorted = offsets.toSorted((a, b) => a - b)
  const index = indexOf(offsets)
  const entries = readPackEntries(asFile(index))
  if (typeof entries === 'string') throw new Error(entries)
  expect(Array.from(entries.order, (place) => entries.offsets[place])).toEqual(sorted)
})

/** An index of version 2 with these offsets, in the order of ids. */
function indexOf(offsets: readonly number[]): Buffer {
  const LARGE = 2 ** 31
  const large = offsets.filter((offset) => offset >= LARGE)
  const fanOut = Array.from({ length: 256 }, () => offsets.length)
  const small = offsets.map((offset) => (offset >= LARGE ? LARGE + large.indexOf(offset) : offset))
  const numbers = (values: readonly number[]) => {
    const bytes = Buffer.alloc(4 * values.length)
    for (const [i, value] of values.entries()) bytes.writeUInt32BE(value, 4 * i)
    return bytes
  }
  const ids = Buffer.alloc(20 * offsets.length)
  for (const i of offsets.keys()) ids[20 * i + 19] = i
  const far = large.map((offset) => numbers([Math.floor(offset / 2 ** 32), offset % 2 ** 32]))
  return Buffer.concat([
    Buffer.from('ff744f6300000002', 'hex'),
    numbers(fanOut),
    ids,
    numbers(offsets.map(() => 0)),
    numbers(small),
    ...far,
    Buffer.alloc(40),
  ])
}
