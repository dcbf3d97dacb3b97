import { createHash } from 'node:crypto'
import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ArchiveError, throwIfInterrupted } from '../../base/errors.ts'
import type { Database } from '../../database/open-database.ts'
import { joinChunks } from '../objects/inflate.ts'
import type { ObjectStore } from '../objects/object-store.ts'
import { type PathEntry, walkTree } from '../objects/walk-tree.ts'
import { openRepository } from '../open-repository.ts'
import type { StreamedObject } from '../parse/git-object.ts'
import { isFolder, isLink, isSubmodule } from '../parse/parse-tree.ts'
import { findRef } from '../refs/read-refs.ts'
import { createNoteList } from './note-list.ts'
import { isModulesFile, isSafeEntry, leadsInside } from './safe-entry.ts'

interface CheckOutOptions {
  /** The most bytes to write. Default 50 GiB. */
  maxExtracted?: number | undefined
  signal?: AbortSignal | undefined
}

/** The result of a checkout. */
interface CheckedOut {
  files: number
  /** Content of the file `index`, which lists what is checked out. */
  index: Buffer
  /** Messages about files that were left out. */
  notes: string[]
}

export const MOST_EXTRACTED = 50 * 2 ** 30
// A few nested trees can expand to billions of files.
export const MOST_ENTRIES = 2_000_000
// For links and .gitmodules. Real ones have a few KiB.
const LARGEST_TEXT = 2 ** 20
// A file system refuses a name, or considers two names equal.
const NAME_REFUSED = ['EEXIST', 'EISDIR', 'ENOTDIR', 'ENAMETOOLONG', 'EINVAL', 'EILSEQ']

/**
 * Writes the files of a tree into a new, empty folder. Nothing is written outside of it or where Git looks for settings:
 * such entries, and links that lead out, are left out with a note. Links are written last, so that nothing is written
 * through one. Throws `limit-extracted`, and as `objects` does.
 */
export async function checkOut(
  objects: ObjectStore,
  tree: string,
  folder: string,
  { maxExtracted = MOST_EXTRACTED, signal }: CheckOutOptions = {},
): Promise<CheckedOut> {
  const root = Buffer.from(`${folder}/`)
  const pathTo = (entry: PathEntry) => Buffer.concat([root, Buffer.from(entry.pathBytes, 'latin1')])
  // With the slash, so that a folder without a name is not the root.
  const folders = new Set([''])
  const links: PathEntry[] = []
  const written: IndexEntry[] = []
  const notes = createNoteList()
  let entries = 0

  const write = async (entry: PathEntry, work: Promise<unknown>): Promise<boolean> => {
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
  const open = fileOpener(objects, maxExtracted)

  for (const entry of walkTree(objects, tree)) {
    throwIfInterrupted(signal)
    if (++entries > MOST_ENTRIES) throw tooMuch('files', MOST_ENTRIES, entries)
    const above = entry.pathBytes.slice(0, entry.pathBytes.length - entry.bytes.length)
    if (!folders.has(above)) continue
    if (!isSafeEntry(entry.name) || !isSafeEntry(entry.bytes)) {
      notes.add(`${entry.path} was left out: its name is not allowed`)
    } else if (isFolder(entry) || isSubmodule(entry)) {
      const isMade = await write(entry, mkdir(pathTo(entry)))
      if (isMade && isFolder(entry)) folders.add(`${entry.pathBytes}/`)
    } else if (isLink(entry)) {
      links.push(entry)
    } else {
      const { content } = open(entry)
      const mode = entry.mode === '100755' ? 0o755 : 0o644
      await write(entry, writeFile(pathTo(entry), content, { flag: 'wx', mode }))
      if (isModulesFile(entry.name)) {
        notes.addAll(await moduleNotes(objects.stream(entry.oid)))
      }
    }
  }
  for (const entry of links) {
    throwIfInterrupted(signal)
    const target = await contentOfLink(open(entry))
    const depth = entry.path.split('/').length - 1
    if (target === undefined) {
      notes.add(`${entry.path} was left out: the link is too long`)
    } else if (isModulesFile(entry.name) || !leadsInside(target.toString('latin1'), depth)) {
      notes.add(`${entry.path} was left out: the link leads out of the folder`)
    } else await write(entry, symlink(target, pathTo(entry)))
  }
  return { files: written.length, index: formatIndex(written), notes: notes.list() }
}

/** Reads a content into memory; undefined if it is too large. */
const contentOfLink = async (object: StreamedObject): Promise<Buffer | undefined> =>
  object.size > LARGEST_TEXT ? undefined : joinChunks(object)

/** Notes about submodules that would run a program when Git fetches them. */
async function moduleNotes(modules: StreamedObject): Promise<string[]> {
  const text = await contentOfLink(modules)
  if (!text) return ['.gitmodules is too large to be checked: its submodules may run programs']
  return [...text.toString('utf8').matchAll(/^[^\S\n]*url[^\S\n]*=[^\S\n]*"?(\w+::|-).*$/gim)].map(
    ([line]) => `a submodule runs a program when it is fetched: ${line.trim().slice(0, 200)}`,
  )
}

/** Returns a function that opens files of a tree, with at most so many bytes in all. */
export function fileOpener(objects: ObjectStore, limit: number) {
  let bytes = 0
  return ({ path, oid }: PathEntry): StreamedObject => {
    const object = objects.stream(oid)
    if (object.type !== 'blob') {
      const message = `expected ${oid} to be a file, found a ${object.type}`
      throw new ArchiveError('git-object-damaged', message, { member: path })
    }
    bytes += object.size
    if (bytes > limit) throw tooMuch('bytes', limit, bytes)
    return object
  }
}

export const tooMuch = (unit: string, allowed: number, found: number) =>
  new ArchiveError('limit-extracted', `more than ${allowed} ${unit} would be written`).over({
    allowed,
    found,
  })

/** Checks out HEAD into a folder with a repository in `.git`, as git clone does. */
export async function writeWorkTree(
  database: Database,
  repository: string,
  folder: string,
  options: CheckOutOptions,
): Promise<Omit<CheckedOut, 'index'>> {
  if (!findRef(database, repository, 'HEAD')?.oid) {
    return { files: 0, notes: ['HEAD has no commits: there is nothing to check out'] }
  }
  const { objects, resolve } = openRepository(database, repository)
  const { index, ...checkedOut } = await checkOut(objects, resolve('HEAD', 'tree'), folder, options)
  await writeFile(join(folder, '.git/index'), index, { flag: 'wx' })
  return checkedOut
}

/** A file in the index of Git. */
interface IndexEntry {
  /** Path, one character per byte. */
  pathBytes: string
  mode: string
  oid: string
}

const FIXED = 62
const LONGEST_COUNTED = 0xfff

/** The file `index` of a work tree, version 2. Without sizes and times, Git reads each file once to compare it. */
function formatIndex(entries: readonly IndexEntry[]): Buffer {
  const head = Buffer.from('DIRC\0\0\0\x02\0\0\0\0', 'latin1')
  head.writeUInt32BE(entries.length, 8)
  const sorted = entries.toSorted((a, b) => (a.pathBytes < b.pathBytes ? -1 : 1))
  const body = Buffer.concat([head, ...sorted.map(formatEntry)])
  return Buffer.concat([body, createHash('sha1').update(body).digest()])
}

function formatEntry({ pathBytes, mode, oid }: IndexEntry): Buffer {
  const path = Buffer.from(pathBytes, 'latin1')
  // Padded with one to eight zeros to a multiple of eight.
  const entry = Buffer.alloc(Math.floor((FIXED + path.length + 8) / 8) * 8)
  entry.writeUInt32BE(Number.parseInt(mode, 8), 24)
  entry.write(oid, 40, 'hex')
  entry.writeUInt16BE(Math.min(path.length, LONGEST_COUNTED), 60)
  path.copy(entry, FIXED)
  return entry
}
