import { expect, test } from 'vitest'
import { idOf } from '../../../src/git/parse/git-object.ts'
import { parseTree } from '../../../src/git/parse/parse-tree.ts'
import { formatTree, type NewEntry, rewriteTree } from '../../../src/git/rewrite/rewrite-tree.ts'

const OLD = 'a'.repeat(40)
const NEW = 'b'.repeat(40)

const file = (name: string, mode = '100644'): NewEntry => ({
  mode,
  bytes: Buffer.from(name).toString('latin1'),
  oid: OLD,
})
const treeOf = (entries: NewEntry[]) => {
  const content = formatTree(entries)
  return { oid: idOf('tree', content), type: 'tree' as const, content }
}
const namesIn = (content: Buffer) =>
  [...parseTree({ oid: OLD, type: 'tree', content })].map(({ name }) => name)

const same = { nameOf: (name: string) => name, entryIdOf: ({ oid }: { oid: string }) => oid }

test('A tree in which nothing changes is the same', () => {
  const tree = treeOf([file('a'), file('dir', '040000')])
  expect(rewriteTree(tree, same)).toBe(tree.content)
})

test('New names are sorted as Git sorts them: folders as if they ended with a slash', () => {
  const tree = treeOf([file('1', '040000'), file('2'), file('a-b')])
  const names: Record<string, string> = { 1: 'a', 2: 'a.c' }
  const now = rewriteTree(tree, { ...same, nameOf: (name) => names[name] ?? name })
  expect(namesIn(now)).toEqual(['a-b', 'a.c', 'a'])
})

test('Names that would become the same are numbered, and one that was there stays', () => {
  const tree = treeOf([file('X@a.example'), file('p'), file('x@a.example')])
  const nameOf = (name: string) => (name.includes('@') ? 'p' : name)
  expect(namesIn(rewriteTree(tree, { ...same, nameOf }))).toEqual(['p', 'p-2', 'p-3'])
})

test('A name is never more than one, and never empty', () => {
  const tree = treeOf([file('a'), file('b')])
  const nameOf = (name: string) => (name === 'a' ? '' : 'x/y\0z')
  expect(namesIn(rewriteTree(tree, { ...same, nameOf }))).toEqual(['-', 'x-y-z'])
})

test('Names that are no UTF-8 keep their bytes, and entries get new ids', () => {
  const latin = { mode: '120000', bytes: 'Gr\xfc\xdfe', oid: OLD }
  const now = rewriteTree(treeOf([latin]), { ...same, entryIdOf: () => NEW })
  expect([...parseTree({ oid: OLD, type: 'tree', content: now })]).toMatchObject([
    { mode: '120000', bytes: 'Gr\xfc\xdfe', oid: NEW },
  ])
})
