import type { GitObject } from '../parse/git-object.ts'
import { isFolder, parseTree, type TreeEntry } from '../parse/parse-tree.ts'
import { textOf } from './rewrite-text.ts'

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
  const { text, write } = textOf(bytes)
  const now = nameOf(text)
  return now === text ? bytes : write(now.replace(/[/\0]+/g, '-')) || '-'
}

/** The bytes of a tree: folders are sorted as if their names ended with a slash. */
export function formatTree(entries: readonly NewEntry[]): Buffer {
  const keyed = entries.map((entry) => ({
    ...entry,
    key: isFolder(entry) ? `${entry.bytes}/` : entry.bytes,
  }))
  keyed.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0))
  const parts = keyed.flatMap(({ mode, bytes, oid }) => [
    Buffer.from(`${mode.replace(/^0+/, '')} ${bytes}\0`, 'latin1'),
    Buffer.from(oid, 'hex'),
  ])
  return Buffer.concat(parts)
}
