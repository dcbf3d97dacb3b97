import { ArchiveError } from '../../base/errors.ts'
import { type GitObject, idOf } from '../parse/git-object.ts'
import { isFolder, parseTree, type TreeEntry } from '../parse/parse-tree.ts'
import { formatTree, type NewEntry, rewriteEntryName } from './rewrite-tree.ts'

/** The replacements in the folders of notes, and where these are read and written. */
export interface NotesEdits {
  /** The new id of a commit, tag or folder to which a note belongs; the same if it keeps its id. */
  idOf(oid: string): string
  /** The new id of a file or folder that is in the folders of notes. */
  entryIdOf(entry: TreeEntry): string
  nameOf(name: string): string
  readTree(oid: string): GitObject
  /** Adds a folder that has no old one. */
  addTree(oid: string, content: Buffer): void
  /** Says that a folder stays, since nothing around it changes. */
  keepTree(oid: string): void
}

/** Notes that are read in one repository, at most: those of one commit come again with the next. */
const MOST_NOTES = 20_000_000

const FANOUT = /^[0-9a-f]{2}$/
const WHOLE = 40

interface Note extends NewEntry {
  /** The folders that it is in: two digits each. */
  depth: number
}

/** Creates what rewrites the folders of notes, whose names are ids. It counts what it reads, and throws `git-too-large` above 20 million. */
export function createNotesRewriter(edits: NotesEdits): (root: GitObject) => Buffer {
  const { idOf: newIdOf, entryIdOf, nameOf, readTree, addTree, keepTree } = edits
  let read = 0
  let folders: string[] = []
  const count = (tree: GitObject) => {
    if (++read <= MOST_NOTES) return
    throw new ArchiveError(
      'git-too-large',
      `there are more than ${MOST_NOTES} versions of notes`,
    ).about(tree.oid)
  }
  /** Each entry with its new name: notes with all digits, whichever folder they are in. */
  function* entriesOf(tree: GitObject, digits = ''): Generator<{ old: string; entry: Note }> {
    for (const entry of parseTree(tree)) {
      count(tree)
      const { bytes, mode } = entry
      const depth = digits.length / 2
      const whole = digits + bytes
      if (isFolder(entry) && FANOUT.test(bytes) && whole.length < WHOLE) {
        folders.push(entry.oid)
        yield* entriesOf(readTree(entry.oid), whole)
      } else if (/^[0-9a-f]{40}$/.test(whole)) {
        const oid = entryIdOf(entry)
        yield { old: `${whole} ${entry.oid}`, entry: { mode, bytes: newIdOf(whole), oid, depth } }
      } else {
        const name = rewriteEntryName(bytes, nameOf)
        const oid = entryIdOf(entry)
        const path = digits.replace(/../g, '$&/')
        yield {
          old: `${path}${bytes} ${entry.oid}`,
          entry: { mode, bytes: path + name, oid, depth: 0 },
        }
      }
    }
  }
  return (root) => {
    let isChanged = false
    folders = []
    const entries = new Map<string, NewEntry>()
    for (const { old, entry } of entriesOf(root)) {
      isChanged ||= old !== `${entry.bytes} ${entry.oid}`
      const above = entry.bytes.slice(0, 2 * entry.depth).replace(/../g, '$&/')
      const path = above + entry.bytes.slice(2 * entry.depth)
      if (!entries.has(path)) entries.set(path, { ...entry, bytes: path })
    }
    if (isChanged) return formatFolders([...entries.values()], addTree)
    folders.forEach(keepTree)
    return root.content
  }
}

/** Makes folders of entries with paths. Returns the outermost. */
function formatFolders(entries: readonly NewEntry[], addTree: NotesEdits['addTree']): Buffer {
  const here: NewEntry[] = []
  const inside = new Map<string, NewEntry[]>()
  for (const entry of entries) {
    const slash = entry.bytes.indexOf('/')
    if (slash < 0) {
      here.push(entry)
      continue
    }
    const folder = entry.bytes.slice(0, slash)
    const rest = { ...entry, bytes: entry.bytes.slice(slash + 1) }
    const others = inside.get(folder)
    if (others) others.push(rest)
    else inside.set(folder, [rest])
  }
  for (const [folder, inner] of inside) {
    const content = formatFolders(inner, addTree)
    const oid = idOf('tree', content)
    addTree(oid, content)
    here.push({ mode: '040000', bytes: folder, oid })
  }
  return formatTree(here)
}
