import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  findInTree,
  isFolder,
  isLink,
  isSubmodule,
  modeAt,
  pairEntries,
  parseTree,
  parseTreeLinks,
  typeOfEntry,
  visitOtherIds,
} from '../../../src/git/parse/parse-tree.ts'
import { treeOf } from '../../support/build-pack.ts'

const [A, B] = ['a'.repeat(40), 'b'.repeat(40)]
const OID = 'f'.repeat(40)

const tree = (content: Buffer) => ({ oid: OID, type: 'tree' as const, content })
const of = (...entries: [mode: string, name: string, oid: string][]) => tree(treeOf(...entries))

/** Every way to read a tree, each to its end. */
const READERS = {
  parseTree: (content: Buffer) => [...parseTree(tree(content))],
  parseTreeLinks: (content: Buffer) => [...parseTreeLinks(tree(content))],
  findInTree: (content: Buffer) => findInTree(tree(content), Buffer.from('no such name')),
  pairEntries: (content: Buffer) => [...pairEntries(tree(content), undefined)],
}

describe('The entries of a tree', () => {
  test('have six digits of mode, a name as text and as bytes, and an id', () => {
    const content = Buffer.concat([
      Buffer.from('40000 src\0'),
      Buffer.from(A, 'hex'),
      Buffer.from('100644 '),
      Buffer.from([0x61, 0xff]),
      Buffer.from('\0'),
      Buffer.from(B, 'hex'),
    ])
    expect([...parseTree(tree(content))]).toEqual([
      { mode: '040000', name: 'src', bytes: 'src', oid: A },
      { mode: '100644', name: 'a\ufffd', bytes: 'a\xff', oid: B },
    ])
    expect([...parseTreeLinks(tree(content))]).toEqual([
      { mode: '040000', oid: A },
      { mode: '100644', oid: B },
    ])
  })

  test.each([
    ['040000', 'tree', [true, false, false]],
    ['100644', 'blob', [false, false, false]],
    ['100755', 'blob', [false, false, false]],
    ['120000', 'blob', [false, false, true]],
    ['160000', 'commit', [false, true, false]],
  ] as const)('of mode %s name a %s', (mode, type, facts) => {
    expect(typeOfEntry({ mode })).toBe(type)
    expect([isFolder({ mode }), isSubmodule({ mode }), isLink({ mode })]).toEqual(facts)
  })

  test('are found by whole names alone', () => {
    const it = of(['100644', 'ab', A], ['100644', 'abc', B])
    expect(findInTree(it, Buffer.from('ab'))).toEqual({ mode: '100644', oid: A })
    expect(findInTree(it, Buffer.from('abc'))).toEqual({ mode: '100644', oid: B })
    for (const name of ['a', 'abcd', '', 'b']) {
      expect(findInTree(it, Buffer.from(name))).toBeUndefined()
    }
  })
})

const damaged = expect.objectContaining({ code: 'git-object-damaged' })

describe('G1: a damaged tree is refused,', () => {
  const whole = treeOf(['100644', 'a', A])

  test.each<[string, Buffer]>([
    ['an id that is cut', whole.subarray(0, -1)],
    ['no id', Buffer.from('100644 a\0')],
    ['no end of a name', Buffer.from('100644 a')],
    ['no name', Buffer.from('100644')],
    ['a mode of seven digits', treeOf(['0100644', 'a', A])],
    ['a mode of four digits', treeOf(['1006', 'a', A])],
    ['bytes after the last entry', Buffer.concat([whole, Buffer.from('x')])],
  ])('however it is read: %s', (_, content) => {
    for (const [name, read] of Object.entries(READERS)) {
      expect(() => read(content), name).toThrow(damaged)
    }
  })

  test.each(['10064x', '-10064'])('the mode %j, by a search only where it is found', (mode) => {
    const content = treeOf([mode, 'a', A])
    const { findInTree: search, ...others } = READERS
    for (const [name, read] of Object.entries(others)) {
      expect(() => read(content), name).toThrow(damaged)
    }
    expect(search(content)).toBeUndefined()
    expect(() => findInTree(tree(content), Buffer.from('a'))).toThrow(damaged)
  })

  test('after the entries before the damage', () => {
    const read = parseTree(tree(Buffer.concat([whole, Buffer.from('x')])))
    expect(read.next().value).toMatchObject({ name: 'a' })
    expect(() => read.next()).toThrow(`there is no valid entry at byte ${whole.length} of the tree`)
  })
})

describe('Two trees', () => {
  const names = (pairs: Iterable<readonly [{ name: string } | undefined, unknown]>) =>
    [...pairs].map(([one, other]) => [one?.name, (other as { name: string } | undefined)?.name])

  test('are paired by name, but for equal entries', () => {
    const one = of(['100644', 'a', A], ['100644', 'b', A], ['100644', 'd', A])
    const other = of(['100644', 'a', A], ['100644', 'b', B], ['100644', 'c', A])
    expect(names(pairEntries(one, other))).toEqual([
      ['b', 'b'],
      [undefined, 'c'],
      ['d', undefined],
    ])
  })

  test('that have a folder in place of a file have two entries in the order of Git', () => {
    const one = of(['100644', 'a', A], ['100644', 'a.c', A])
    const other = of(['100644', 'a.c', A], ['40000', 'a', B])
    expect(names(pairEntries(one, other))).toEqual([
      ['a', undefined],
      [undefined, 'a'],
    ])
  })

  test('that are the same have no pairs; one that is missing has all', () => {
    const it = of(['100644', 'a', A], ['40000', 'b', B])
    expect(names(pairEntries(it, it))).toEqual([])
    expect(names(pairEntries(undefined, it))).toEqual([
      [undefined, 'a'],
      [undefined, 'b'],
    ])
    expect(names(pairEntries(undefined, undefined))).toEqual([])
  })

  test('differ where a comparison of maps says, whatever they hold', () => {
    const anyTree = fc.dictionary(fc.stringMatching(/^[a-c.]{1,3}$/), fc.constantFrom(A, B), {
      noNullPrototype: true,
    })
    const build = (entries: Record<string, string>) =>
      of(
        ...Object.entries(entries)
          .sort(([a], [b]) => (a < b ? -1 : 1))
          .map(([name, oid]): [string, string, string] => ['100644', name, oid]),
      )
    fc.assert(
      fc.property(anyTree, anyTree, (a, b) => {
        const different = [...new Set([...Object.keys(a), ...Object.keys(b)])]
          .filter((name) => a[name] !== b[name])
          .sort()
        const found = names(pairEntries(build(a), build(b))).map(([one, other]) => one ?? other)
        expect(found).toEqual(different)
      }),
    )
  })
})

describe('Of two trees with the same names', () => {
  const otherIds = (one: Buffer, like: Buffer) => {
    const found: string[] = []
    const isLike = visitOtherIds(one, like, (at, id) => {
      found.push(`${modeAt(one, at).toString(8)} ${one.toString('hex', id, id + 20)}`)
    })
    return { isLike, found }
  }
  const like = treeOf(['100644', 'a', A], ['40000', 'b', A], ['120000', 'c', B])

  test('only the entries with other ids are visited', () => {
    const one = treeOf(['100644', 'a', A], ['40000', 'b', B], ['120000', 'c', A])
    expect(otherIds(one, like)).toEqual({ isLike: true, found: [`40000 ${B}`, `120000 ${A}`] })
    expect(otherIds(like, like)).toEqual({ isLike: true, found: [] })
  })

  test('none is like one with another name, mode or number of entries', () => {
    for (const one of [
      treeOf(['100644', 'a', A], ['40000', 'd', A], ['120000', 'c', B]),
      treeOf(['100644', 'a', A], ['40000', 'b', A], ['100755', 'c', B]),
      treeOf(['100644', 'a', A], ['40000', 'b', A]),
    ]) {
      expect(otherIds(one, like).isLike).toBe(false)
    }
  })
})
