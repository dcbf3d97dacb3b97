import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { ArchiveError } from '../../errors.ts'
import { type PlacedEntry, walkTree } from '../history/walk-tree.ts'
import type { StreamedObject } from '../objects/git-object.ts'
import type { Objects } from '../objects/open-objects.ts'
import { joinPieces } from '../objects/unpack.ts'
import { isFolder, isLink, isSubmodule } from '../parse/parse-tree.ts'
import { formatIndex, type IndexEntry } from './format-index.ts'
import { isModulesFile, isSafeEntry, leadsInside } from './safe-entry.ts'

export interface CheckOutOptions {
  /** Bytes to write at most; 50 GiB by default. */
  maxExtracted?: number | undefined
  signal?: AbortSignal | undefined
}

/** What became of a work tree. */
export interface CheckedOut {
  files: number
  /** The file `index`, by which Git knows what is checked out. */
  index: Buffer
  /** What was left out, and why, in words. */
  notes: string[]
}

const MOST_EXTRACTED = 50 * 2 ** 30
// Few folders can pretend to be billions, one in the other.
const MOST_ENTRIES = 2_000_000
// Of a link or .gitmodules; real ones have a few KiB.
const LARGEST_TEXT = 2 ** 20
// Where a file system does not take a name, or takes two for one.
const NAME_REFUSED = ['EEXIST', 'EISDIR', 'ENOTDIR', 'ENAMETOOLONG', 'EINVAL', 'EILSEQ']

/**
 * Writes the files of a tree into a folder, which is new and empty. Nothing is written outside of it, nor where
 * Git looks for settings: entries that are named so, and links that lead out, are left out and noted. Links
 * come last, so that nothing is written through one. Throws `limit-extracted` and what `objects` throw.
 */
export async function checkOut(
  objects: Objects,
  tree: string,
  folder: string,
  { maxExtracted = MOST_EXTRACTED, signal }: CheckOutOptions = {},
): Promise<CheckedOut> {
  const root = Buffer.from(`${folder}/`)
  const pathTo = (entry: PlacedEntry) =>
    Buffer.concat([root, Buffer.from(entry.pathBytes, 'latin1')])
  const folders = new Set([''])
  const links: PlacedEntry[] = []
  const written: IndexEntry[] = []
  const notes = openNotes()
  let bytes = 0
  let entries = 0

  const write = async (entry: PlacedEntry, work: Promise<unknown>): Promise<boolean> => {
    try {
      await work
      if (!isFolder(entry)) written.push(entry)
      return true
    } catch (error) {
      const { code = '' } = error as NodeJS.ErrnoException
      if (!NAME_REFUSED.includes(code)) throw error
      notes.add(`${entry.path} was left out: the file system refuses the name (${code})`)
      return false
    }
  }
  const open = (entry: PlacedEntry): StreamedObject => {
    const object = objects.stream(entry.oid)
    if (object.type !== 'blob') throw notFile(entry, object.type)
    bytes += object.size
    if (bytes > maxExtracted) throw tooMuch(`more than ${maxExtracted} bytes would be written`)
    return object
  }

  for (const entry of walkTree(objects, tree)) {
    signal?.throwIfAborted()
    if (++entries > MOST_ENTRIES) throw tooMuch(`more than ${MOST_ENTRIES} files would be written`)
    if (!folders.has(entry.pathBytes.slice(0, -entry.bytes.length - 1))) continue
    if (!isSafeEntry(entry.name) || !isSafeEntry(entry.bytes)) {
      notes.add(`${entry.path} was left out: no file may be named so`)
    } else if (isFolder(entry) || isSubmodule(entry)) {
      const isMade = await write(entry, mkdir(pathTo(entry)))
      if (isMade && isFolder(entry)) folders.add(entry.pathBytes)
    } else if (isLink(entry)) {
      links.push(entry)
    } else {
      const { content } = open(entry)
      const mode = entry.mode === '100755' ? 0o755 : 0o644
      await write(entry, writeFile(pathTo(entry), content, { flag: 'wx', mode }))
      if (isModulesFile(entry.name)) {
        notes.addAll(await notesOnModules(objects.stream(entry.oid)))
      }
    }
  }
  for (const entry of links) {
    signal?.throwIfAborted()
    const target = await textOf(open(entry))
    const depth = entry.path.split('/').length - 1
    if (target === undefined) {
      notes.add(`${entry.path} was left out: no system takes so long a link`)
    } else if (isModulesFile(entry.name) || !leadsInside(target.toString('latin1'), depth)) {
      notes.add(`${entry.path} was left out: it is a link that leads out of the folder`)
    } else await write(entry, symlink(target, pathTo(entry)))
  }
  return { files: written.length, index: formatIndex(written), notes: notes.list() }
}

/** Content to be looked at in memory; undefined for what is too large for that. */
const textOf = async (object: StreamedObject): Promise<Buffer | undefined> =>
  object.size > LARGEST_TEXT ? undefined : joinPieces(object)

/** Submodules that would run a program as soon as Git was told to fetch them. */
async function notesOnModules(modules: StreamedObject): Promise<string[]> {
  const text = await textOf(modules)
  if (!text) return ['.gitmodules is too large to be looked at: its submodules may run programs']
  return [...text.toString('utf8').matchAll(/^\s*url\s*=\s*"?(\w+::|-).*$/gim)].map(
    ([line]) => `a submodule runs a program when it is fetched: ${line.trim().slice(0, 200)}`,
  )
}

const MOST_NOTES = 20

/** The first notes, and how many more there were. */
function openNotes() {
  const notes: string[] = []
  let more = 0
  const add = (note: string) => {
    if (notes.length < MOST_NOTES) notes.push(note)
    else more++
  }
  return {
    add,
    addAll: (several: readonly string[]) => several.forEach(add),
    list: () => (more === 0 ? notes : [...notes, `${more} more were left out`]),
  }
}

const notFile = ({ path, oid }: PlacedEntry, type: string) =>
  new ArchiveError('git-object-damaged', `expected ${oid} to be a file, found a ${type}`, {
    member: path,
  })

const tooMuch = (message: string) => new ArchiveError('limit-extracted', message)
