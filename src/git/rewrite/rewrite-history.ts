import { asBytes, type Bytes, collect } from '../../base/streams.ts'
import type { Database } from '../../database/open-database.ts'
import { createObjectStore, type ObjectStore } from '../objects/object-store.ts'
import { checkStored } from '../objects/repository-files.ts'
import { type GitObject, hashOf, idOf, type ObjectType } from '../parse/git-object.ts'
import { isFolder, isSubmodule, type TreeEntry } from '../parse/parse-tree.ts'
import { copyOthers, type OpenPack, openPacks } from './copy-objects.ts'
import {
  createTables,
  dropTables,
  type FileScope,
  keepShared,
  listOwn,
  ownOf,
} from './own-objects.ts'
import { createPackWriter, type PackWriter, type WrittenPack } from './pack-writer.ts'
import { createNotesRewriter } from './rewrite-notes.ts'
import { type Edits, isSigned, rewriteText } from './rewrite-text.ts'
import { rewriteTree } from './rewrite-tree.ts'

/** A file of a history, in any version and place. */
export interface StoredFile {
  oid: string
  size: number
  /** Whether it is a note. */
  isNote: boolean
  /** Reads it from its beginning, as often as it is called. */
  read(): Bytes
}

/** The new content of a file. */
export interface NewFile {
  size: number
  read(): Bytes
  /** Called when it is written. */
  remove(): void
}

/** The replacements in a history. */
export interface HistoryEdits extends Omit<Edits, 'idOf' | 'namedId'> {
  /** Which files and folders are rewritten. Default none. */
  files?: FileScope
  /** The name of a file or folder; the same if it stays. */
  nameOf?(name: string): string
  /** Receives each file in a folder. */
  seeFile?(oid: string, name: string): void
  /** The new content of a file; undefined if it stays. */
  fileOf?(file: StoredFile): Promise<NewFile | undefined>
}

/** The number of objects that were not looked at, by type, and of signatures that stay: those of commits and tags that do not change. */
export interface PassedOver extends Record<ObjectType, number> {
  signatures: number
}

/** A rewritten repository. */
export interface RewrittenHistory {
  /** Commits and tags with a new id. */
  changed: number
  /** Those of them that had a signature. */
  signatures: number
  written: WrittenPack
  /** The files with loose objects that were replaced. */
  loose: readonly number[]
}

/**
 * Rewrites all commits and tags of a repository, also those that no ref reaches, and the files and folders that are asked for, into
 * a new pack at `path`, together with all other packed objects. Adds the old and new ids of those that change to the temporary table
 * `renamed_objects`. Calls `use` with the result while the file is there, unless nothing changes. Returns what was not looked at.
 * Throws as `ObjectStore.read` does.
 */
export async function rewriteHistory(
  database: Database,
  repository: string,
  { path, ...edits }: { path: string } & HistoryEdits,
  use: (history: RewrittenHistory) => void,
): Promise<PassedOver> {
  checkStored(database, repository)
  createTables(database)
  const writer = createPackWriter(path)
  try {
    const objects = createObjectStore(database, repository, {}, { inOrder: true })
    const packs = openPacks(database, repository)
    const files = edits.files ?? 'none'
    const others = listOwn(database, repository, objects, { packs, files })
    const work = { database, objects, writer, edits, write: openWriter(database, writer) }
    await rewriteFiles(work)
    const { signaturesKept, ...counts } = rewriteObjects(work)
    const passedOver = { ...others, signatures: signaturesKept }
    const count = (sql: string) => database.prepare<[], number>(sql).pluck().get() as number
    if (count('SELECT count(*) FROM temp.rewritten_objects WHERE old <> new') === 0) {
      return passedOver
    }
    await copyPacks(work, repository, packs)
    const loose = database
      .prepare<[], number>(
        `SELECT file FROM temp.own_objects JOIN temp.rewritten_objects ON old = oid
         WHERE file IS NOT NULL AND old <> new AND oid NOT IN (SELECT oid FROM temp.kept_objects)`,
      )
      .pluck()
      .all()
    database.exec(`INSERT OR IGNORE INTO temp.renamed_objects
      SELECT old, new, type FROM temp.rewritten_objects JOIN temp.own_objects ON oid = old
      WHERE old <> new AND new <> ''`)
    use({ ...counts, written: writer.finish(), loose })
    return passedOver
  } finally {
    writer.close()
    dropTables(database)
  }
}

interface Work {
  database: Database
  objects: ObjectStore
  writer: PackWriter
  edits: HistoryEdits
  /** Writes an object, unless it was written before. */
  write(oid: string, type: ObjectType, content: Uint8Array): void
}

const openWriter = (database: Database, writer: PackWriter): Work['write'] => {
  const isNew = openNote(database)
  return (oid, type, content) => {
    if (isNew(oid)) writer.addWhole(oid, type, content)
  }
}

const openNote = (database: Database): ((oid: string) => boolean) => {
  const insert = database.prepare('INSERT OR IGNORE INTO temp.written_objects VALUES (?)')
  return (oid) => insert.run(oid).changes > 0
}

/** Finds and writes the new contents of files. */
async function rewriteFiles({ database, objects, writer, edits }: Work): Promise<void> {
  const { fileOf, files = 'none' } = edits
  if (!fileOf || files === 'none') return
  const insert = database.prepare('INSERT INTO temp.rewritten_objects VALUES (?, ?)')
  const isNew = openNote(database)
  for (const { oid, note } of ownOf(database, "type = 'blob'")) {
    const now = await fileOf({ ...openFile(objects, oid), isNote: note !== null })
    if (now === undefined) continue
    try {
      const newId = await hashOf('blob', now.size, now.read())
      insert.run(oid, newId)
      if (newId === oid || !isNew(newId)) continue
      if (now.size > IN_MEMORY) await writer.addLarge(newId, 'blob', now.size, now.read())
      else writer.addWhole(newId, 'blob', await collect(now.read()))
    } finally {
      now.remove()
    }
  }
}

/** Larger contents are compressed in pieces. */
const IN_MEMORY = 4 * 2 ** 20

/** A file that can be read again and again. A small one is held. */
export function openFile(
  objects: ObjectStore,
  oid: string,
): Pick<StoredFile, 'oid' | 'size' | 'read'> {
  const { size, content } = objects.stream(oid)
  if (!(Symbol.asyncIterator in content)) return { oid, size, read: () => asBytes(content) }
  return { oid, size, read: () => asBytes(objects.stream(oid).content) }
}

/** Rewrites folders, commits and tags, those that others name first. */
function rewriteObjects(work: Work) {
  const { database, objects, write } = work
  const ids = openIds(work)
  const rewrite = createRewriter(work, ids)
  const push = database.prepare('INSERT INTO temp.waiting_objects (oid) VALUES (?)')
  const top = database.prepare<[], { id: number; oid: string }>(
    'SELECT id, oid FROM temp.waiting_objects ORDER BY id DESC LIMIT 1',
  )
  const pop = database.prepare('DELETE FROM temp.waiting_objects WHERE id = ?')
  const insert = database.prepare('INSERT INTO temp.rewritten_objects VALUES (?, ?)')
  const counts = { changed: 0, signatures: 0, signaturesKept: 0 }
  const settle = (oid: string): boolean => {
    const object = objects.read(oid)
    const { type, content } = object
    const { now, missing } = rewrite(object)
    for (const named of missing) push.run(named)
    if (missing.length > 0) return false
    const newId = now === content ? oid : idOf(type, now)
    insert.run(oid, newId)
    const isNew = newId !== oid
    if (isNew) write(newId, type, now)
    if (type !== 'tree') {
      if (isNew) counts.changed++
      if (isSigned(content)) counts[isNew ? 'signatures' : 'signaturesKept']++
    }
    return true
  }
  const phases = ["type = 'tree' AND note IS NULL", "type = 'commit'", "type = 'tag'"]
  for (const phase of phases) {
    for (const { oid } of ownOf(database, phase, { reversed: true })) {
      if (ids.newOf(oid) !== undefined || settle(oid)) continue
      for (let next = top.get(); next; next = top.get()) {
        if (ids.newOf(next.oid) !== undefined || settle(next.oid)) pop.run(next.id)
      }
      settle(oid)
    }
  }
  return counts
}

interface Ids {
  /** The new id of an object that has been rewritten, or that stays. */
  newOf(oid: string): string | undefined
  newOfFile(oid: string): string
  isOwn(oid: string): boolean
  /** The commits and tags whose ids begin with these digits. */
  startingWith(digits: string): string[]
  isRootOfNotes(oid: string): boolean
}

/** Ids of files that are remembered: neighbouring folders have most in common. */
const MOST_KNOWN = 50_000

function openIds({ database, objects }: Work): Ids {
  const select = database
    .prepare<[string], string>('SELECT new FROM temp.rewritten_objects WHERE old = ?')
    .pluck()
  const own = database
    .prepare<[string], string>('SELECT type FROM temp.own_objects WHERE oid = ?')
    .pluck()
  const root = database
    .prepare("SELECT 1 FROM temp.own_objects WHERE oid = ? AND note = 'root'")
    .pluck()
  const files = new Map<string, string>()
  const newOf = (oid: string) => select.get(oid)
  return {
    newOf,
    newOfFile(oid) {
      const known = files.get(oid)
      if (known !== undefined) return known
      const now = newOf(oid) ?? oid
      if (files.size === MOST_KNOWN) files.clear()
      files.set(oid, now)
      return now
    },
    isOwn(oid) {
      const type = own.get(oid)
      return type !== undefined && type !== 'blob'
    },
    startingWith: (digits) =>
      objects.startingWith(digits, SEVERAL).filter((oid) => {
        const type = own.get(oid)
        return type === 'commit' || type === 'tag'
      }),
    isRootOfNotes: (oid) => root.get(oid) !== undefined,
  }
}

const SEVERAL = 8

type Rewritten = { now: Buffer; missing: readonly string[] }

/** Creates what rewrites an object, or says which others have to be rewritten before it. */
function createRewriter(
  { database, objects, edits, write }: Work,
  ids: Ids,
): (object: GitObject) => Rewritten {
  let missing: string[] = []
  const keep = database.prepare('INSERT OR IGNORE INTO temp.rewritten_objects VALUES (?, ?)')
  const idOf = (named: string): string => {
    const known = ids.newOf(named)
    // A commit before the history was cut, or a file that is tagged, keeps its id.
    if (known === undefined && ids.isOwn(named)) missing.push(named)
    return known ?? named
  }
  const entryIdOf = (entry: TreeEntry): string => {
    if (isSubmodule(entry)) return entry.oid
    if (isFolder(entry)) return idOf(entry.oid)
    edits.seeFile?.(entry.oid, entry.name)
    return ids.newOfFile(entry.oid)
  }
  const namedId = (digits: string): string => {
    if (digits.length === 40) return idOf(digits)
    const [oid, other] = ids.startingWith(digits)
    // Two commits may be made to name one another in this way: only what came before is followed.
    return oid === undefined || other !== undefined
      ? digits
      : (ids.newOf(oid) ?? oid).slice(0, digits.length)
  }
  const { textOf, personOf, tagNameOf, nameOf = (name: string) => name } = edits
  const textEdits: Edits = {
    idOf,
    namedId,
    // An object that has to wait for others is rewritten again later.
    personOf: (person) => (missing.length > 0 ? person : personOf(person)),
    ...(textOf && { textOf: (text) => (missing.length > 0 ? text : textOf(text)) }),
    ...(tagNameOf && { tagNameOf }),
  }
  const rewriteNotes = createNotesRewriter({
    idOf,
    entryIdOf,
    nameOf,
    readTree: (oid) => objects.read(oid),
    addTree(oid, content) {
      if (missing.length === 0) write(oid, 'tree', content)
    },
    keepTree(oid) {
      if (missing.length === 0) keep.run(oid, oid)
    },
  })
  return (object) => {
    missing = []
    const now =
      object.type !== 'tree'
        ? rewriteText(object.content, textEdits)
        : ids.isRootOfNotes(object.oid)
          ? rewriteNotes(object)
          : rewriteTree(object, { entryIdOf, nameOf })
    return { now, missing }
  }
}

/** Copies what stays. Folders of notes that were made anew have no successor each. */
async function copyPacks(
  { database, objects, writer, edits }: Work,
  repository: string,
  packs: readonly OpenPack[],
): Promise<void> {
  database.exec(`INSERT INTO temp.rewritten_objects SELECT oid, '' FROM temp.own_objects
    WHERE type = 'tree' AND note = 'part' AND oid NOT IN (SELECT old FROM temp.rewritten_objects)`)
  const hasNotes = database.prepare('SELECT 1 FROM temp.own_objects WHERE note IS NOT NULL LIMIT 1')
  if (edits.files === 'notes' && hasNotes.get() !== undefined) {
    keepShared(database, repository, objects, packs)
  }
  const replaced = database
    .prepare(
      `SELECT 1 FROM temp.rewritten_objects WHERE old = ? AND old <> new
       AND old NOT IN (SELECT oid FROM temp.kept_objects)`,
    )
    .pluck()
  const written = database.prepare('SELECT 1 FROM temp.written_objects WHERE oid = ?').pluck()
  for (const pack of packs) {
    await copyOthers(pack, objects, writer, {
      isReplaced: (oid) => replaced.get(oid) !== undefined,
      isWritten: (oid) => written.get(oid) !== undefined,
    })
  }
}
