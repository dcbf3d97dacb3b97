import { throwIfInterrupted } from '../../base/errors.ts'
import { fileOpener, MOST_ENTRIES, MOST_EXTRACTED, tooMuch } from '../clone/check-out.ts'
import { createNoteList } from '../clone/note-list.ts'
import { isSafeEntry } from '../clone/safe-entry.ts'
import { joinChunks } from '../objects/inflate.ts'
import type { ObjectStore } from '../objects/object-store.ts'
import { type PathEntry, walkTree } from '../objects/walk-tree.ts'
import type { StreamedObject } from '../parse/git-object.ts'
import { isFolder, isLink, isSubmodule } from '../parse/parse-tree.ts'

/** An entry of an archive of a commit. */
export interface RevisionEntry {
  /** The path with its prefix; that of a folder ends with a slash. */
  path: Buffer
  /** Permissions of Git: 0o755 for programs, 0o644 for other files; meaningless for folders and links. */
  mode: number
  type: 'folder' | 'file' | 'link'
  oid: string
  /** The content of a file, or the target of a link; empty for a folder. */
  object: Pick<StreamedObject, 'size' | 'content'>
}

interface ListOptions {
  prefix: string
  maxExtracted?: number | undefined
  signal?: AbortSignal | undefined
}

// Attributes with which `git archive` leaves out or changes files.
const ATTRIBUTES =
  /\s(export-ignore|export-subst|ident|eol=crlf|working-tree-encoding=\S+)(?=\s|$)/g
// For links and attributes. Real ones have a few KiB.
const LARGEST_TEXT = 2 ** 20
/** Bytes in the path of a zip. */
const LONGEST_PATH = 0xffff
const NOTHING = { size: 0, content: [Buffer.alloc(0)] as const }

/**
 * Lists the entries of an archive as `git archive` does: in the order of the tree, folders before their contents, without
 * empty ones. Leaves out names that are not safe, and names that a link of the same folder has already.
 */
export function listEntries(
  objects: ObjectStore,
  tree: string,
  { prefix, maxExtracted = MOST_EXTRACTED, signal }: ListOptions,
) {
  const notes = createNoteList()
  const start = Buffer.from(prefix)
  let files = 0

  const open = fileOpener(objects, maxExtracted)
  const entryOf = async (entry: PathEntry): Promise<RevisionEntry> => {
    const isPlace = isFolder(entry) || isSubmodule(entry)
    const path = Buffer.from(isPlace ? `${entry.pathBytes}/` : entry.pathBytes, 'latin1')
    const type = isPlace ? 'folder' : isLink(entry) ? 'link' : 'file'
    const object = isPlace ? NOTHING : open(entry)
    return {
      path: Buffer.concat([start, path]),
      type,
      oid: entry.oid,
      mode: Number.parseInt(entry.mode, 8) & 0o100 ? 0o755 : 0o644,
      object: type === 'link' ? { ...object, content: [await joinChunks(object)] } : object,
    }
  }

  async function* entries(): AsyncGenerator<RevisionEntry> {
    if (prefix.endsWith('/')) {
      const path = Buffer.from(prefix.replace(/(?<!\/)\/+$/, '/'))
      yield { path, mode: 0o755, type: 'folder', oid: tree, object: NOTHING }
    }
    const isFree = createNameCheck()
    const faultOf = (entry: PathEntry): string | undefined => {
      if (!isSafeEntry(entry.name) || !isSafeEntry(entry.bytes)) return 'its name is not allowed'
      if (entry.pathBytes.length + start.length >= LONGEST_PATH) return 'its path is too long'
      if (!isFree(entry)) return 'another entry has this name'
      const isLong = isLink(entry) && objects.sizeOf(entry.oid) > LARGEST_TEXT
      return isLong ? 'the link is too long' : undefined
    }
    // Folders whose first file has not come yet.
    let waiting: PathEntry[] = []
    let skipped: string | undefined
    let seen = 0
    for (const entry of walkTree(objects, tree)) {
      throwIfInterrupted(signal)
      if (++seen > MOST_ENTRIES) throw tooMuch('files', MOST_ENTRIES, seen)
      if (skipped !== undefined && entry.pathBytes.startsWith(skipped)) continue
      skipped = undefined
      waiting = waiting.filter(({ pathBytes }) => entry.pathBytes.startsWith(`${pathBytes}/`))
      const fault = faultOf(entry)
      if (fault !== undefined) {
        notes.add(`${shortened(entry.path)} was left out: ${fault}`)
        if (isFolder(entry)) skipped = `${entry.pathBytes}/`
        continue
      }
      if (isFolder(entry)) {
        waiting.push(entry)
        continue
      }
      for (const folder of waiting) yield await entryOf(folder)
      waiting = []
      if (entry.name === '.gitattributes' && !isLink(entry) && !isSubmodule(entry)) {
        notes.addAll(await attributeNotes(entry, objects.stream(entry.oid)))
      }
      yield await entryOf(entry)
      if (!isSubmodule(entry)) files++
    }
  }
  return { entries: entries(), summary: () => ({ files, notes: notes.list() }) }
}

/**
 * Creates a check for the entries of a walk: whether a name differs from those before it in its folder. Names that differ
 * only in case are equal if one of them is a link, because some systems would write the other file through it.
 */
function createNameCheck() {
  // The folders that are open, with their names, and names without case: true for a link.
  const folders: { path: string; names: Set<string>; folded: Map<string, boolean> }[] = []
  return (entry: PathEntry): boolean => {
    const { name, bytes, pathBytes } = entry
    const path = pathBytes.slice(0, pathBytes.length - bytes.length)
    while (!path.startsWith(folders.at(-1)?.path ?? '')) folders.pop()
    if (folders.at(-1)?.path !== path) folders.push({ path, names: new Set(), folded: new Map() })
    const { names, folded } = folders.at(-1) as (typeof folders)[number]
    const plain = (name.includes('\ufffd') ? bytes : name).normalize('NFC').toLowerCase()
    const earlier = folded.get(plain)
    if (names.has(bytes) || earlier || (earlier === false && isLink(entry))) return false
    names.add(bytes)
    folded.set(plain, isLink(entry))
    return true
  }
}

/** Notes about attributes with which `git archive` would write something else. */
async function attributeNotes({ path }: PathEntry, object: StreamedObject): Promise<string[]> {
  if (object.size > LARGEST_TEXT) return []
  const text = (await joinChunks(object)).toString('latin1').replace(/^[^\S\n]*#.*/gm, '')
  const names = new Set([...text.matchAll(ATTRIBUTES)].map(([, name]) => name))
  return names.size === 0 ? [] : [`${path} sets ${[...names].join(', ')}, which is not applied`]
}

const shortened = (path: string): string => (path.length > 200 ? `${path.slice(0, 200)}…` : path)
