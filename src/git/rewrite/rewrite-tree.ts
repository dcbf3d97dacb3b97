import { compareTexts } from '../../base/text.ts'
import type { GitObject } from '../parse/git-object.ts'
import { isFolder, parseTree, type TreeEntry } from '../parse/parse-tree.ts'
import { editBytes } from './rewrite-text.ts'

/** The replacements for names and ids in a tree. */
export interface TreeEdits {
  /** The new id of a file, folder or submodule; the same if it keeps its id. */
  entryIdOf(entry: TreeEntry): string
  /** The name of a file or folder; the same if it stays. */
  nameOf(name: string): string
}

/** An entry with its name as one character per byte. */
export interface NewEntry {
  mode: string
  bytes: string
  oid: string
}

/**
 * Rewrites the names and ids in a tree. Two names that would become the same are numbered. Returns the same bytes if nothing
 * changes. Throws as `parseTree` does.
 */
export function rewriteTree(tree: GitObject, { entryIdOf, nameOf }: TreeEdits): Buffer {
  let isChanged = false
  const entries = [...parseTree(tree)].map((entry): NewEntry & { isRenamed: boolean } => {
    const { bytes, mode } = entry
    const name = rewriteEntryName(bytes, nameOf)
    const oid = entryIdOf(entry)
    isChanged ||= name !== bytes || oid !== entry.oid
    return { mode, bytes: name, oid, isRenamed: name !== bytes }
  })
  if (!isChanged) return tree.content
  const taken = new Set(entries.filter(({ isRenamed }) => !isRenamed).map(({ bytes }) => bytes))
  const numbered = entries.map(({ isRenamed, ...entry }) => {
    if (!isRenamed) return entry
    let { bytes } = entry
    for (let i = 2; taken.has(bytes); i++) bytes = `${entry.bytes}-${i}`
    taken.add(bytes)
    return { ...entry, bytes }
  })
  return formatTree(numbered)
}

/** A new name, if it is one that Git allows. */
export function rewriteEntryName(bytes: string, nameOf: (name: string) => string): string {
  const now = editBytes(bytes, nameOf)
  return now === bytes ? bytes : now.replace(/[/\0]+/g, '-') || '-'
}

/** The bytes of a tree: folders are sorted as if their names ended with a slash. */
export function formatTree(entries: readonly NewEntry[]): Buffer {
  const sorted = entries.toSorted((a, b) => compareTexts(keyOf(a), keyOf(b)))
  const heads = sorted.map(({ mode, bytes }) => `${mode.replace(/^0+/, '')} ${bytes}\0`)
  const content = Buffer.allocUnsafe(heads.reduce((sum, { length }) => sum + length + OID, 0))
  let at = 0
  for (const [i, { oid }] of sorted.entries()) {
    at += content.write(heads[i] as string, at, 'latin1')
    at += content.write(oid, at, 'hex')
  }
  return content
}

const OID = 20
const keyOf = (entry: NewEntry): string => (isFolder(entry) ? `${entry.bytes}/` : entry.bytes)
