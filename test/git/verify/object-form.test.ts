import { expect, test } from 'vitest'
import { createNameCheck, formOfText } from '../../../src/git/verify/object-form.ts'
import { commitOf, treeOf } from '../../support/build-pack.ts'

const OID = 'c0ffee'.padEnd(40, '0')

const formOf = (type: 'commit' | 'tag', text: string) =>
  formOfText({ oid: OID, type, content: Buffer.from(text) })

/** What is wrong with the names of a tree; those of folders end with a slash. */
function wrongNames(...names: string[]): (string | undefined)[] {
  const isFolder = (name: string) => name.endsWith('/')
  const bare = (name: string) => name.replace(/\/$/, '')
  const content = treeOf(
    ...names.map((name) => [isFolder(name) ? '40000' : '100644', bare(name), OID] as const),
  )
  const check = createNameCheck(content)
  let at = 0
  return names.map((name) => {
    const from = content.indexOf(' ', at) + 1
    const to = from + bare(name).length
    at = to + 21
    return check(isFolder(name), from, to)
  })
}

test('Commits and tags are as Git writes them', () => {
  expect(formOf('commit', commitOf(OID, 'x', OID, OID))).toBeUndefined()
  expect(formOf('commit', commitOf(OID).replaceAll('Ada <', ' <'))).toBeUndefined()
  expect(formOf('tag', `object ${OID}\ntype commit\ntag v1\n\nx`)).toBeUndefined()
})

test('What is wrong with a person is said with their role', () => {
  expect(formOf('commit', commitOf(OID).replace('+0200', 'CET'))).toBe(
    'its author has no valid name or date',
  )
  expect(formOf('commit', commitOf(OID).replace(/(committer Ada) <.*>/, '$1'))).toBe(
    'its committer has no valid e-mail address',
  )
})

test('Names of a tree are sorted as if those of folders ended with a slash', () => {
  expect(wrongNames('a', 'a.b', 'a0', 'b/', 'b0')).toEqual(Array(5).fill(undefined))
  expect(wrongNames('a/', 'a.b')).toEqual([undefined, 'its entries are not sorted'])
  expect(wrongNames('a', 'a-b', 'a.b/', 'a/').at(-1)).toBe('a name is in the folder twice')
})
