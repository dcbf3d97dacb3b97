import { expect, test } from 'vitest'
import { type GitObject, idOf } from '../../../src/git/parse/git-object.ts'
import { isFolder, parseTree } from '../../../src/git/parse/parse-tree.ts'
import { createNotesRewriter } from '../../../src/git/rewrite/rewrite-notes.ts'
import { formatTree, type NewEntry } from '../../../src/git/rewrite/rewrite-tree.ts'

const BLOB = 'e'.repeat(40)
const COMMIT = `ab${'1'.repeat(38)}`
const OTHER = `ab${'2'.repeat(38)}`
const NEW = `cd${'3'.repeat(38)}`

const trees = new Map<string, Buffer>()
const addTree = (oid: string, content: Buffer) => void trees.set(oid, content)
const readTree = (oid: string): GitObject => ({
  oid,
  type: 'tree',
  content: trees.get(oid) as Buffer,
})

function folder(entries: Omit<NewEntry, 'oid'>[] | NewEntry[]): string {
  const content = formatTree(entries.map((entry) => ({ oid: BLOB, ...entry })))
  const oid = idOf('tree', content)
  addTree(oid, content)
  return oid
}

/** The paths of all files, with their ids. */
function pathsIn(content: Buffer, before = ''): string[] {
  return [...parseTree({ oid: BLOB, type: 'tree', content })].flatMap((entry) =>
    isFolder(entry)
      ? pathsIn(trees.get(entry.oid) as Buffer, `${before}${entry.name}/`)
      : [before + entry.name],
  )
}

const kept: string[] = []
const rewriter = (ids: Record<string, string>) =>
  createNotesRewriter({
    idOf: (oid) => ids[oid] ?? oid,
    entryIdOf: ({ oid }) => oid,
    nameOf: (name) => name.replace('ada', 'x'),
    readTree,
    addTree,
    keepTree: (oid) => void kept.push(oid),
  })

const note = (bytes: string) => ({ mode: '100644', bytes })

test('A note moves to the folder of the new id of its commit', () => {
  const inner = folder([note(COMMIT.slice(2)), note(OTHER.slice(2))])
  const root = folder([{ mode: '040000', bytes: 'ab', oid: inner }])
  const now = rewriter({ [COMMIT]: NEW })(readTree(root))
  expect(pathsIn(now)).toEqual([`ab/${OTHER.slice(2)}`, `cd/${NEW.slice(2)}`])
})

test('Notes without folders get none, and other files are files', () => {
  const root = folder([note(COMMIT), note('ada.txt')].map((entry) => ({ ...entry, oid: BLOB })))
  expect(pathsIn(rewriter({ [COMMIT]: NEW })(readTree(root)))).toEqual([NEW, 'x.txt'])
})

test('Notes whose commits keep their ids stay, and so do their folders', () => {
  const inner = folder([note(COMMIT.slice(2))])
  const root = folder([{ mode: '040000', bytes: 'ab', oid: inner }])
  kept.length = 0
  expect(rewriter({})(readTree(root))).toBe(trees.get(root))
  expect(kept).toEqual([inner])
})
