import { type ArchiveEntry, isDirectory, ROOT } from '../archive/entry.ts'
import { asBytes } from '../base/streams.ts'
import {
  type ArchiveLayout,
  commonTemplate,
  type LaidEntry,
  listEntries,
  usableMode,
} from '../database/archive-layout.ts'
import { createFileFinder } from '../database/contents/list-files.ts'
import type { Database } from '../database/open-database.ts'
import { type FileSelection, fileEntries, fileEntry, isOfPart } from './file-entries.ts'

/** An entry to write, and the number of its records. */
export interface BuiltEntry {
  entry: ArchiveEntry
  records?: number
}

/** Entries to write besides files, created on demand. */
export interface Parts {
  /** By path. */
  documents: Map<string, () => BuiltEntry>
  recordFiles: Map<string, () => BuiltEntry>
  /** New record files. */
  made(): Iterable<BuiltEntry>
}

/**
 * The entries of an archive in their original order, with their original headers unless they changed, and new entries
 * after them. With `renumber`, all record files are new and come first. A directory stays while it, or a directory that
 * it was an empty part of, contains something.
 */
export function* orderEntries(
  database: Database,
  layout: ArchiveLayout,
  { documents, recordFiles, made }: Parts,
  { renumber, files, ...selection }: FileSelection & { renumber: boolean; files: boolean },
): Generator<BuiltEntry> {
  const { archive } = layout
  const findFile = createFileFinder(database, selection)
  const stays = openDirectories(database, { archive, files, ...selection })
  const take = (from: Parts['recordFiles'], path: string) => {
    const make = from.get(path)
    from.delete(path)
    return make?.()
  }
  const contentOf = (laid: LaidEntry): BuiltEntry | undefined => {
    const { path, role } = laid
    const modifiedAt = selection.dateOf(laid.modifiedAt)
    if (role === 'directory') {
      const { mode } = laid
      return stays(path) ? { entry: { path, size: 0, mode, modifiedAt, content: NONE } } : undefined
    }
    const document = take(documents, path)
    if (document) return { entry: { ...document.entry, mode: laid.mode, modifiedAt } }
    const records = take(recordFiles, path)
    if (records) return { ...records, entry: { ...records.entry, mode: laid.mode } }
    const file = files ? findFile(path) : undefined
    if (!file || !isOfPart(file, selection.part)) return undefined
    const entry = fileEntry(database, file, selection.dateOf(file.modifiedAt))
    return { entry: { ...entry, mode: usableMode(file.mode) } }
  }
  function* rest(): Generator<BuiltEntry> {
    for (const path of [...documents.keys()]) yield take(documents, path) as BuiltEntry
    for (const path of [...recordFiles.keys()]) yield take(recordFiles, path) as BuiltEntry
    yield* made()
  }
  const fresh = openFresh(database, layout)
  let isRestDue = true
  for (const laid of listEntries(database, archive, { records: !renumber })) {
    if (renumber && isRestDue && laid.path !== ROOT) {
      isRestDue = false
      yield* fresh(rest())
    }
    const built = contentOf(laid)
    if (built) yield { ...built, entry: { ...built.entry, header: headerOf(laid, built.entry) } }
  }
  if (isRestDue) yield* fresh(rest())
  if (!files) return
  const others = fileEntries(database, { ...selection, newTo: archive })
  yield* fresh(map(others, (entry) => ({ entry })))
}

const NONE = asBytes([])

function* map<T, U>(items: Iterable<T>, change: (item: T) => U): Generator<U> {
  for (const item of items) yield change(item)
}

/** The original header of an entry, complete if nothing in it changed. */
function headerOf(laid: LaidEntry, { size, mode, modifiedAt }: ArchiveEntry) {
  const isSame =
    laid.size === size && laid.mode === mode && Date.parse(laid.modifiedAt) === modifiedAt.getTime()
  return isSame ? laid.header : { template: laid.header.template }
}

/** Gives new entries the headers usual in the archive, preceded by new directories. */
function openFresh(database: Database, { archive, directories }: ArchiveLayout) {
  const common = {
    file: commonTemplate(database, archive, { directory: false }),
    folder: commonTemplate(database, archive, { directory: true }),
  }
  const isLaid = database
    .prepare(`SELECT 1 FROM entries WHERE archive = ${archive} AND path = ?`)
    .pluck()
  const known = new Set<string>()
  const isNew = (path: string) => {
    if (known.has(path) || isLaid.get(path) !== undefined) return false
    known.add(path)
    return true
  }
  return function* (entries: Iterable<BuiltEntry>): Generator<BuiltEntry> {
    for (const { entry, ...built } of entries) {
      const folders = directories ? foldersOf(entry.path).filter(isNew) : []
      for (const path of folders) {
        yield {
          entry: { ...entry, path, size: 0, mode: 0o755, content: NONE, header: common.folder },
        }
      }
      if (!isDirectory(entry)) yield { ...built, entry: { ...entry, header: common.file } }
    }
  }
}

/** The directories of a path, including itself if it is one. */
const foldersOf = (path: string): string[] =>
  [...path.matchAll(/\//g)].map(({ index }) => path.slice(0, index + 1))

/** Tests whether a directory of the archive stays. */
function openDirectories(
  database: Database,
  { archive, files, chosen, part }: FileSelection & { archive: number; files: boolean },
): (path: string) => boolean {
  const only = chosen ? 'AND path IN (SELECT path FROM temp.chosen_files)' : ''
  const ofPart = part ? `AND (role IN ('git', 'lfs')) = ${part === 'git' ? 1 : 0}` : ''
  const below = (from: string) =>
    database.prepare<[string, string], number>(
      `SELECT 1 FROM ${from} AND path > ? AND path < ? LIMIT 1`,
    )
  const written = below(`files WHERE ${files} ${only} ${ofPart}`)
  const loaded = below(`entries WHERE archive = ${archive} AND role <> 'directory'`)
  const has = (statement: typeof written, path: string) =>
    statement.get(path, `${path.slice(0, -1)}0`) !== undefined
  return (path) => {
    for (let folder = path; folder !== '' && folder !== ROOT; ) {
      if (has(written, folder)) return true
      if (has(loaded, folder)) return false
      folder = folder.slice(0, folder.lastIndexOf('/', folder.length - 2) + 1)
    }
    return true
  }
}
