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
