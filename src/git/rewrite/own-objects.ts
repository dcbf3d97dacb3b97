import type { Database } from '../../database/open-database.ts'
import type { ObjectStore } from '../objects/object-store.ts'
import { createOidSet } from '../objects/oid-set.ts'
import { listObjectFiles } from '../objects/repository-files.ts'
import type { ObjectType } from '../parse/git-object.ts'
import { parseCommit } from '../parse/parse-commit.ts'
import { isFolder, isSubmodule, parseTree, parseTreeLinks } from '../parse/parse-tree.ts'
import { type OpenPack, readTypes } from './copy-objects.ts'

/** Which files and folders are rewritten along with commits and tags. */
export type FileScope = 'none' | 'notes' | 'all'

/** The tables in which the objects of a repository wait to be rewritten. */
export function createTables(database: Database): void {
  database.exec(`
    CREATE TEMP TABLE IF NOT EXISTS renamed_objects (old TEXT PRIMARY KEY, new TEXT, type TEXT)
      WITHOUT ROWID;
    CREATE TEMP TABLE own_objects (
      id INTEGER PRIMARY KEY, oid TEXT UNIQUE, file INTEGER, type TEXT, note TEXT);
    CREATE INDEX temp.own_by_type ON own_objects (type, id);
    CREATE TEMP TABLE rewritten_objects (old TEXT PRIMARY KEY, new TEXT) WITHOUT ROWID;
    CREATE TEMP TABLE written_objects (oid TEXT PRIMARY KEY) WITHOUT ROWID;
    CREATE TEMP TABLE kept_objects (oid TEXT PRIMARY KEY) WITHOUT ROWID;
    CREATE TEMP TABLE waiting_objects (id INTEGER PRIMARY KEY, oid TEXT)`)
}

export function dropTables(database: Database): void {
  for (const name of ['own', 'rewritten', 'written', 'kept', 'waiting']) {
    database.exec(`DROP TABLE temp.${name}_objects`)
  }
}

const PAGE = 1000

/** An object that is rewritten. */
export interface OwnObject {
  oid: string
  type: ObjectType
  /** Whether it is a folder or file of notes: the outermost, or part of one. */
  note: 'root' | 'part' | null
}

/** Those of a condition in the order of their packs, or in the opposite one. */
export function* ownOf(
  database: Database,
  condition: string,
  { reversed = false } = {},
): Generator<OwnObject> {
  const page = database.prepare<[number], OwnObject & { id: number }>(
    `SELECT id, oid, type, note FROM temp.own_objects WHERE ${condition} AND id ${reversed ? '<' : '>'} ?
     ORDER BY id ${reversed ? 'DESC' : ''} LIMIT ${PAGE}`,
  )
  for (let last = reversed ? Number.MAX_SAFE_INTEGER : 0; ; ) {
    const rows = page.all(last)
    yield* rows
    if (rows.length < PAGE) return
    last = rows.at(-1)?.id as number
  }
}

/** Lists the objects that are rewritten. Returns how many others there are. */
export function listOwn(
  database: Database,
  repository: string,
  objects: ObjectStore,
  { packs, files }: { packs: readonly OpenPack[]; files: FileScope },
): Record<ObjectType, number> {
  const others = { commit: 0, tree: 0, blob: 0, tag: 0 }
  const seen = createOidSet(objects)
  const insert = database.prepare(
    'INSERT OR IGNORE INTO temp.own_objects (oid, file, type) VALUES (?, ?, ?)',
  )
  for (const { oid, file, type } of listObjects(database, repository, objects, packs)) {
    if (files === 'all' || type === 'commit' || type === 'tag') insert.run(oid, file, type)
    else if (seen.add(oid)) others[type]++
  }
  if (files === 'none') return others
  listNotes(database, repository, objects)
  if (files === 'notes') {
    const notes = database.prepare<[], { type: 'tree' | 'blob'; count: number }>(
      `SELECT type, count(*) AS count FROM temp.own_objects
       WHERE note IS NOT NULL AND type IN ('tree', 'blob') GROUP BY type`,
    )
    for (const { type, count } of notes.iterate()) others[type] = Math.max(0, others[type] - count)
  }
  return others
}

/**
 * Lists all objects of a repository, with the files of loose ones; one may come more than once. Throws as
 * `ObjectStore.read` does.
 */
function* listObjects(
  database: Database,
  repository: string,
  objects: ObjectStore,
  packs: readonly OpenPack[],
): Generator<{ oid: string; type: ObjectType; file: number | null }> {
  for (const { id, path } of listObjectFiles(database, repository)) {
    if (path.startsWith('objects/pack/')) continue
    const oid = path.slice('objects/'.length).replace('/', '')
    yield { oid, type: objects.stream(oid).type, file: id }
  }
  for (const pack of packs) {
    for (const { oid, type } of readTypes(pack, objects)) yield { oid, type, file: null }
  }
}

/** Marks the folders and files of notes: those of all commits to which their refs lead. */
function listNotes(database: Database, repository: string, objects: ObjectStore): void {
  const mark = database.prepare(
    `INSERT INTO temp.own_objects (oid, type, note) VALUES (:oid, :type, :note)
     ON CONFLICT (oid) DO UPDATE SET note = coalesce(note, :note)`,
  )
  const isMarked = database
    .prepare('SELECT 1 FROM temp.own_objects WHERE oid = ? AND note IS NOT NULL')
    .pluck()
  const heads = database
    .prepare<[string], string>(
      `SELECT DISTINCT oid FROM refs WHERE repository = ? AND oid IS NOT NULL
       AND (name GLOB 'refs/notes/*' OR name GLOB 'refs/namespaces/*/refs/notes/*')`,
    )
    .pluck()
    .all(repository)
  if (heads.length === 0) return
  const waiting = heads.map((oid) => ({ oid, isRoot: false }))
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { oid, isRoot } = next
    if (isMarked.get(oid) !== undefined || !objects.has(oid)) continue
    const { type } = objects.stream(oid)
    mark.run({ oid, type, note: isRoot ? 'root' : 'part' })
    if (type === 'commit') {
      const commit = parseCommit(objects.read(oid), objects)
      waiting.push({ oid: commit.tree, isRoot: true })
      for (const parent of commit.parents) waiting.push({ oid: parent, isRoot: false })
    } else if (type === 'tree') {
      for (const entry of parseTree(objects.read(oid))) {
        if (!isSubmodule(entry)) waiting.push({ oid: entry.oid, isRoot: false })
      }
    }
  }
  markLooseFiles(database, repository)
}

/** Notes are listed by their ids: those that are loose have files of their own. */
function markLooseFiles(database: Database, repository: string): void {
  const update = database.prepare(
    'UPDATE temp.own_objects SET file = ? WHERE oid = ? AND file IS NULL',
  )
  for (const { id, path } of listObjectFiles(database, repository)) {
    if (path.startsWith('objects/pack/')) continue
    update.run(id, path.slice('objects/'.length).replace('/', ''))
  }
}

/** Notes that other folders hold as files of their own are kept for these. */
export function keepShared(
  database: Database,
  repository: string,
  objects: ObjectStore,
  packs: readonly OpenPack[],
): void {
  const isOwn = database.prepare('SELECT 1 FROM temp.own_objects WHERE oid = ?').pluck()
  const keep = database.prepare(
    `INSERT OR IGNORE INTO temp.kept_objects
     SELECT oid FROM temp.own_objects WHERE oid = ? AND type IN ('tree', 'blob')`,
  )
  for (const { oid, type } of listObjects(database, repository, objects, packs)) {
    if (type !== 'tree' || isOwn.get(oid) !== undefined) continue
    for (const entry of parseTreeLinks(objects.read(oid))) keep.run(entry.oid)
  }
  // A tree that is kept keeps its entries.
  const rest = database.prepare<[], string>('SELECT oid FROM temp.kept_objects').pluck().all()
  for (let oid = rest.pop(); oid !== undefined; oid = rest.pop()) {
    if (objects.stream(oid).type !== 'tree') continue
    for (const entry of parseTree(objects.read(oid))) {
      if (keep.run(entry.oid).changes > 0 && isFolder(entry)) rest.push(entry.oid)
    }
  }
}
