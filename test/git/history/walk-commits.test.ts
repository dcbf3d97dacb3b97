import { expect, test } from 'vitest'
import { keepLinks } from '../../../src/git/history/walk-commits.ts'

test('A second walk through the same history reads no commit again', () => {
  const read: string[] = []
  const reader = keepLinks({
    linksOf(oid) {
      read.push(oid)
      return { oid, tree: '', parents: [], seconds: read.length }
    },
    commitOf: () => expect.unreachable(),
  })
  const walk = () => ['a', 'b', 'c'].map(reader.linksOf)
  expect(walk()).toEqual(walk())
  expect(read).toEqual(['a', 'b', 'c'])
})
