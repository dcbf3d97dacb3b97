import { anOpenDatabase, checkArguments, checkOptions } from '../../base/check-arguments.ts'
import { describeAuditLog } from '../../database/audit-log.ts'
import type { Database } from '../../database/open-database.ts'
import { openPair } from '../../database/open-pair.ts'
import { prepareOnce } from '../../database/prepare-once.ts'
import { quoteName } from '../../database/quote.ts'
import { recordColumns } from '../../database/rows/read-record.ts'
import { AUDIT_LOG, AUDIT_LOG_FILE } from '../../database/schema/audit-log.ts'
import { COMMIT_TABLES } from '../../database/schema/commits-table.ts'
import { kindTable, SHARED } from '../../database/schema/kind-table.ts'
import { createStatement, indexStatement } from '../../database/schema/relation.ts'
import type { Row, SqlValue } from '../../database/schema/row-layout.ts'
import { hasRelation } from '../../database/schema/schema.ts'
import { changedFiles, changedRefs } from './changed-files.ts'
import { type ChangedRow, changedRows, pairTables } from './changed-rows.ts'
import { DIFF_SHAPES, type DiffOptions } from './diff-options.ts'
import { createEntryPatch, LAST_ARCHIVE } from './entry-patch.ts'
import { lostObjects } from './lost-objects.ts'
import { selectPair } from './select-pair.ts'
import { literal } from './sql-literal.ts'

/**
 * Prints the SQL that makes one database into another: after it, `diffDatabases` finds no difference. Records, files with
 * their contents and Git data are included. The sqlite3 shell reads it as `exec` does. New records have no place in a file,
 * so a build puts them into files of their own; files and Git data are built as the other database has them.
 *
 * @param a an open database in a file
 * @param b another one
 * @param options what to compare; `only`, `members`, `ignore` and `bytes` do not count
 * @returns the statements, in pieces that end with a line
 * @throws what `diffDatabases` throws
 * @example
 * writeFileSync('patch.sql', [...diffAsSql(before, after)].join(''))
 */
export function* diffAsSql(a: Database, b: Database, options: DiffOptions = {}): Generator<string> {
  checkArguments({ a, b }, { a: anOpenDatabase, b: anOpenDatabase })
  checkOptions(options, DIFF_SHAPES)
  const { refs = true, files = true } = options
  const pair = openPair(a, b)
  try {
    const selected = selectPair(pair, [a, b], options)
    yield 'BEGIN;\n'
    for (const table of pairTables(pair)) {
      if (!table.inA) yield* createTable(table.name)
      for (const row of changedRows(pair, table, { selected })) yield* changeRow(pair, row)
    }
    const entries = createEntryPatch(pair)
    let isReplaced = false
    if (files) {
      for (const { path, after } of changedFiles(pair, { selected })) {
        isReplaced = true
        entries.addFile(path)
        yield* replaceFiles(pair, `path = ${literal(path)}`, after ? [after.id] : [])
        if (path === AUDIT_LOG_FILE) yield* replaceAuditLog(a, b)
      }
    }
    for (const repository of refs ? changedRepositories(pair, [a, b], selected) : []) {
      isReplaced = true
      entries.addRepository(repository)
      yield* replaceGit(pair, repository)
    }
    if (isReplaced) {
      yield* entries.statements()
      yield 'DELETE FROM chunks WHERE id NOT IN (SELECT chunk FROM file_chunks);\n'
    }
    yield 'COMMIT;\n'
  } finally {
    pair.close()
  }
}

/** A table for a kind that A does not have. B may say anything in its schema, and even in the name. */
function* createTable(name: string): Generator<string> {
  const { summary, ...table } = kindTable(name, recordColumns(name).kind)
  const onOneLine = { ...table, summary: summary.replaceAll(/[\r\n\0]/g, ' ') }
  yield `${createStatement(onOneLine, { whole: true })};\n`
  for (const index of table.indexes ?? []) yield `${indexStatement(name, index)};\n`
}

function* changeRow(pair: Database, { table, kind, before, after }: ChangedRow): Generator<string> {
  const names = [...Object.keys(kind.columns), '_extra', '_member_order']
  if (before && after) {
    const sets = names.flatMap((name, i) =>
      before.row[i] === after.row[i]
        ? []
        : [`${quoteName(name)} = ${literal(after.row[i] as SqlValue)}`],
    )
    // Text that is not UTF-8 may differ in the database alone.
    if (sets.length === 0) return
    yield `UPDATE ${quoteName(table)} SET ${sets.join(', ')} WHERE rowid = ${before.rowid};\n`
    return
  }
  if (before) yield `DELETE FROM ${quoteName(table)} WHERE rowid = ${before.rowid};\n`
  if (!after) return
  // The file name tells the kind of a record in the table that several kinds share.
  const entryOf = `SELECT _entry FROM b.${quoteName(table)} WHERE rowid = ?`
  const entry = prepareOnce<[bigint], string | null>(pair, entryOf).pluck().get(after.rowid)
  const values = [...after.row, table === SHARED ? (entry ?? null) : null]
  yield `INSERT INTO ${quoteName(table)} (${[...names, '_entry'].map(quoteName).join(', ')})
VALUES (${values.map(literal).join(', ')});\n`
}

/** Deletes the files of A that meet a condition, and inserts files of B. */
function* replaceFiles(pair: Database, where: string, ids: readonly number[]): Generator<string> {
  yield `DELETE FROM file_chunks WHERE file IN (SELECT id FROM files WHERE ${where});\n`
  yield `DELETE FROM files WHERE ${where};\n`
  const file = prepareOnce(pair, `SELECT ${FILE_COLUMNS} FROM b.files WHERE id = ?`).raw()
  const chunks = prepareOnce<[number], { position: number; sha256: Buffer; bytes: Buffer }>(
    pair,
    `SELECT position, sha256, bytes FROM b.file_chunks AS f JOIN b.chunks AS c ON c.id = f.chunk
     WHERE f.file = ? ORDER BY position`,
  )
  for (const id of ids) {
    const values = file.get(id) as Row
    yield `INSERT INTO files (archive, ${FILE_COLUMNS})
VALUES (${LAST_ARCHIVE}, ${values.map(literal).join(', ')});\n`
    for (const { position, sha256, bytes } of chunks.iterate(id)) {
      yield `INSERT OR IGNORE INTO chunks (sha256, bytes) VALUES (${literal(sha256)}, ${literal(bytes)});\n`
      yield `INSERT INTO file_chunks VALUES ((SELECT max(id) FROM files), ${position},
  (SELECT id FROM chunks WHERE sha256 = ${literal(sha256)}));\n`
    }
  }
}

/** Replaces the table with the lines of the audit log. Another table of that name in A stays. */
function* replaceAuditLog(a: Database, b: Database): Generator<string> {
  if (describeAuditLog(a)) yield `DROP TABLE ${AUDIT_LOG};\n`
  else if (hasRelation(a, AUDIT_LOG)) return
  const table = describeAuditLog(b)
  if (!table) return
  yield `${createStatement(table)};\n`
  const names = table.columns.map(({ name }) => name).filter((name) => name !== '_archive')
  const columns = names.map(quoteName).join(', ')
  const rows = b.prepare<[], Row>(`SELECT ${columns} FROM ${AUDIT_LOG} ORDER BY _record_number`)
  for (const row of rows.raw().iterate()) {
    yield `INSERT INTO ${AUDIT_LOG} (_archive, ${columns})
VALUES (${LAST_ARCHIVE}, ${row.map(literal).join(', ')});\n`
  }
}

const FILE_COLUMNS = 'path, role, repository, size, sha256, mode, modified_at, stored'

/** The repositories whose refs differ, or the objects of these. */
function changedRepositories(
  pair: Database,
  databases: readonly [Database, Database],
  selected: boolean,
): Set<string> {
  const names = new Set<string>()
  for (const { repository } of changedRefs(pair, { selected })) names.add(repository)
  for (const { repository } of lostObjects(pair, databases, { selected })) names.add(repository)
  return names
}

/** The tables of Git data, and their columns besides the archive. */
const GIT_COLUMNS = {
  refs: 'repository, name, oid, peeled, target, packed',
  git_packs: 'repository, path, version, objects',
}

/** Replaces the Git data of a repository. */
function* replaceGit(pair: Database, repository: string): Generator<string> {
  const name = literal(repository)
  const where = `repository = ${name} AND role = 'git'`
  const filesOf = `SELECT max(id) FROM b.files WHERE repository = ? AND role = 'git'
    GROUP BY path ORDER BY path`
  const ids = prepareOnce<[string], number>(pair, filesOf).pluck().all(repository)
  yield* replaceFiles(pair, where, ids)
  for (const [table, columns] of Object.entries(GIT_COLUMNS)) {
    yield `DELETE FROM ${table} WHERE repository = ${name};\n`
    const rowsOf = `SELECT ${columns} FROM b.${table} WHERE repository = ?`
    for (const row of prepareOnce<[string], Row>(pair, rowsOf).raw().iterate(repository)) {
      yield `INSERT INTO ${table} (archive, ${columns})
VALUES (${LAST_ARCHIVE}, ${row.map(literal).join(', ')});\n`
    }
  }
  for (const table of COMMIT_TABLES) {
    yield `DELETE FROM ${table} WHERE repository = ${name};\n`
  }
}
