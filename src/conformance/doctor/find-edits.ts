import { createHash } from 'node:crypto'
import type { Database } from '../../database/open-database.ts'
import { findRowEdits } from '../../database/row-checksums.ts'
import type { Edit } from './database-fault.ts'
import { findRecordEdits } from './find-record-edits.ts'
import { findSchemaEdits } from './find-schema-edits.ts'

/**
 * Compares records and files with the checksums in `record_files` and `entries`, other rows with those in
 * `row_checksums`, and the schema with that of this version. A record or file that a later archive replaced is not an edit.
 * Returns only kinds with edits, and in `unknown` the tables whose rows cannot be compared.
 */
export function findEdits(database: Database): { edits: Edit[]; unknown: string[] } {
  const files = findFileEdits(database)
  const rows = findRowEdits(database)
  const edits = [
    ...findRecordEdits(database),
    ...files,
    findStrayChunks(database, files),
    ...findDocumentEdits(database),
    ...rows.edits.map(({ table, ...counts }): Edit => ({ what: 'rows', kind: table, ...counts })),
    ...findSchemaEdits(database),
  ]
  return {
    edits: edits.filter(({ changed, added, removed }) => changed + added + removed > 0),
    unknown: rows.unknown,
  }
}

const SAME = `e.archive = f.archive AND e.path = f.path AND e.size = f.size AND e.role = f.role
  AND e.mode = f.mode AND e.modified_at = f.modified_at AND e.sha256 = unhex(f.sha256)`

// Documents are compared with the table archives.
const IS_FILE = "e.sha256 IS NOT NULL AND e.role NOT IN ('schema', 'urls')"

function findFileEdits(database: Database): Edit[] {
  return database
    .prepare<[], Edit>(`
      WITH
        "lost entries" AS (SELECT archive, path, role FROM entries AS e
          WHERE ${IS_FILE} AND NOT EXISTS (SELECT 1 FROM files AS f WHERE ${SAME})),
        "found files" AS (SELECT archive, path, role FROM files AS f
          WHERE NOT EXISTS (SELECT 1 FROM entries AS e WHERE ${IS_FILE} AND ${SAME}))
      SELECT 'files' AS what, role AS kind, sum(changed) AS changed, sum(added) AS added,
        sum(removed) AS removed
      FROM (
        SELECT role, (archive, path) IN (SELECT archive, path FROM "lost entries") AS changed,
          (archive, path) NOT IN (SELECT archive, path FROM "lost entries") AS added, 0 AS removed FROM "found files"
        UNION ALL
        SELECT role, 0, 0, (archive, path) NOT IN (SELECT archive, path FROM "found files") FROM "lost entries")
      GROUP BY role ORDER BY role`)
    .all()
}

/** Finds chunks of files that are not there, and were not removed either. */
function findStrayChunks(database: Database, files: readonly Edit[]): Edit {
  const strays = database
    .prepare<[], number>(
      'SELECT count(DISTINCT file) FROM file_chunks WHERE file NOT IN (SELECT id FROM files)',
    )
    .pluck()
    .get()
  const removed = files.reduce((sum, file) => sum + file.removed, 0)
  const added = Math.max(0, Number(strays) - removed)
  return { what: 'rows', kind: 'file_chunks', changed: 0, added, removed: 0 }
}

/** Compares schema.json and urls.json, whose texts are in the table archives. */
function findDocumentEdits(database: Database): Edit[] {
  const last = database
    .prepare<[bigint, string], Buffer | null>(
      'SELECT sha256 FROM entries WHERE archive = ? AND role = ? ORDER BY id DESC LIMIT 1',
    )
    .pluck()
  const archives = database
    .prepare<[], { id: bigint; schema: unknown; urls: unknown }>(
      'SELECT id, "schema", urls FROM archives',
    )
    .safeIntegers()
    .all()
  return (['schema', 'urls'] as const).map((kind) => {
    const edit: Edit = { what: 'files', kind, changed: 0, added: 0, removed: 0 }
    for (const { id, [kind]: text } of archives) {
      const sum = last.get(id, kind)
      if (text == null) edit.removed += sum ? 1 : 0
      else if (!sum) edit.added++
      else if (!createHash('sha256').update(String(text)).digest().equals(sum)) edit.changed++
    }
    return edit
  })
}
