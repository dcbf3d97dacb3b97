import { createHash } from 'node:crypto'
import type { Database } from '../../database/open-database.ts'
import type { ObjectType } from '../objects/git-object.ts'
import { createObjectStore, type ObjectStore } from '../objects/object-store.ts'
import { checkStored, listObjectFiles } from '../objects/repository-files.ts'
import { copyOthers, isOwn, type OpenPack, openPacks, readTypes } from './copy-objects.ts'
import { createPackWriter, type PackWriter, type WrittenPack } from './pack-writer.ts'
import { type Edits, rewriteText } from './rewrite-text.ts'

/** A rewritten repository. */
export interface RewrittenHistory {
  /** Commits and tags with a new id. */
  changed: number
  written: WrittenPack
  /** The files with loose commits and tags, which are in the pack now. */
  loose: readonly number[]
}

/**
 * Rewrites all commits and tags of a repository, also those that no ref reaches, into a new pack at `path`, together
 * with all other packed objects. Adds the old and new ids of those that change to the temporary table
 * `renamed_objects`. Calls `use` with the result while the file is there, unless nothing changes. Throws as
 * `ObjectStore.read` does.
 */
export function rewriteHistory(
  database: Database,
  repository: string,
  { path, personOf }: { path: string } & Pick<Edits, 'personOf'>,
  use: (history: RewrittenHistory) => void,
): void {
  checkStored(database, repository)
  database.exec(`
    CREATE TEMP TABLE IF NOT EXISTS renamed_objects (old TEXT PRIMARY KEY, new TEXT) WITHOUT ROWID;
    CREATE TEMP TABLE rewritten_objects (old TEXT PRIMARY KEY, new TEXT) WITHOUT ROWID;
    CREATE INDEX temp.rewritten_by_new ON rewritten_objects (new);
    CREATE TEMP TABLE own_objects (oid TEXT PRIMARY KEY, file INTEGER) WITHOUT ROWID;
    CREATE TEMP TABLE waiting_objects (id INTEGER PRIMARY KEY, oid TEXT)`)
  try {
    const objects = createObjectStore(database, repository)
    const packs = openPacks(database, repository)
    listOwn(database, repository, objects, packs)
    const changed = rewriteAll(database, objects, personOf)
    if (changed === 0) return
    const { rows } = database.prepare('SELECT count(*) AS rows FROM temp.own_objects').get() as {
      rows: number
    }
    const most = packs.reduce((sum, { entries }) => sum + entries.count, rows)
    const writer = createPackWriter(path, most)
    try {
      for (const pack of packs) copyOthers(pack, objects, writer)
      writeOwn(database, objects, writer, personOf)
      const loose = database
        .prepare<[], number>('SELECT file FROM temp.own_objects WHERE file IS NOT NULL')
        .pluck()
        .all()
      database.exec(`INSERT OR IGNORE INTO temp.renamed_objects
        SELECT old, new FROM temp.rewritten_objects WHERE old <> new`)
      use({ changed, written: writer.finish(), loose })
    } finally {
      writer.close()
    }
  } finally {
    database.exec(`DROP TABLE temp.rewritten_objects; DROP TABLE temp.own_objects;
      DROP TABLE temp.waiting_objects`)
  }
}

/** Lists the commits and tags. */
function listOwn(
  database: Database,
  repository: string,
  objects: ObjectStore,
  packs: readonly OpenPack[],
): void {
  const insert = database.prepare('INSERT OR IGNORE INTO temp.own_objects VALUES (?, ?)')
  for (const { oid, file } of findOwn(database, repository, objects, packs)) insert.run(oid, file)
}

/** The commits and tags, with the file of a loose one. An object may come more than once. */
function* findOwn(
  database: Database,
  repository: string,
  objects: ObjectStore,
  packs: readonly OpenPack[],
): Generator<{ oid: string; file: number | null }> {
  for (const { id, path } of listObjectFiles(database, repository)) {
    if (path.startsWith('objects/pack/')) continue
    const oid = path.slice('objects/'.length).replace('/', '')
    if (isOwn(objects.stream(oid).type)) yield { oid, file: id }
  }
  for (const pack of packs) {
    for (const { oid, type } of readTypes(pack, objects)) if (isOwn(type)) yield { oid, file: null }
  }
}

/**
 * Reads all commits and tags of a repository, also those that no ref leads to; one may come more than once. Throws as
 * `ObjectStore.read` does.
 */
export function* readCommitsAndTags(
  database: Database,
  repository: string,
): Generator<{ oid: string; content: Buffer }> {
  checkStored(database, repository)
  const objects = createObjectStore(database, repository)
  for (const { oid } of findOwn(database, repository, objects, openPacks(database, repository))) {
    yield { oid, content: objects.read(oid).content }
  }
}

/** Finds the new ids, those that others name first. Returns how many change. */
function rewriteAll(database: Database, objects: ObjectStore, personOf: Edits['personOf']): number {
  const newOf = openNewIds(database)
  const isOwn = database.prepare('SELECT 1 FROM temp.own_objects WHERE oid = ?').pluck()
  const push = database.prepare('INSERT INTO temp.waiting_objects (oid) VALUES (?)')
  const top = database.prepare<[], { id: number; oid: string }>(
    'SELECT id, oid FROM temp.waiting_objects ORDER BY id DESC LIMIT 1',
  )
  const pop = database.prepare('DELETE FROM temp.waiting_objects WHERE id = ?')
  const insert = database.prepare('INSERT INTO temp.rewritten_objects VALUES (?, ?)')
  let changed = 0
  database.exec('INSERT INTO temp.waiting_objects (oid) SELECT oid FROM temp.own_objects')
  for (let next = top.get(); next; next = top.get()) {
    const { id, oid } = next
    if (newOf(oid) !== undefined) {
      pop.run(id)
      continue
    }
    const { type, content } = objects.read(oid)
    const missing: string[] = []
    const now = rewriteText(content, {
      personOf,
      idOf(named) {
        const known = newOf(named)
        // A commit before the history was cut, or a file that is tagged, keeps its id.
        if (known === undefined && isOwn.get(named) !== undefined) missing.push(named)
        return known ?? named
      },
    })
    if (missing.length > 0) {
      for (const named of missing) push.run(named)
      continue
    }
    const newId = now === content ? oid : idOf(type, now)
    if (newId !== oid) changed++
    insert.run(oid, newId)
    pop.run(id)
  }
  return changed
}

const idOf = (type: ObjectType, content: Buffer): string =>
  createHash('sha1').update(`${type} ${content.length}\0`).update(content).digest('hex')

function openNewIds(database: Database): (oid: string) => string | undefined {
  const select = database
    .prepare<[string], string>('SELECT new FROM temp.rewritten_objects WHERE old = ?')
    .pluck()
  return (oid) => select.get(oid)
}

/** Writes the commits and tags, each once. */
function writeOwn(
  database: Database,
  objects: ObjectStore,
  writer: PackWriter,
  personOf: Edits['personOf'],
): void {
  const newOf = openNewIds(database)
  const page = database.prepare<[string], { old: string; new: string }>(
    // Two commits that differed only in their signatures are the same now.
    `SELECT min(r.old) AS old, r.new AS new FROM temp.rewritten_objects AS r
     WHERE r.new > ? GROUP BY r.new ORDER BY r.new LIMIT 1000`,
  )
  for (let last = ''; ; ) {
    const rows = page.all(last)
    for (const row of rows) {
      const { type, content } = objects.read(row.old)
      const now = rewriteText(content, { personOf, idOf: (oid) => newOf(oid) ?? oid })
      writer.addWhole(row.new, type, now)
      last = row.new
    }
    if (rows.length === 0) return
  }
}
