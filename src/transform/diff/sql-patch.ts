import { anOpenDatabase, checkArguments, checkOptions } from '../../check-arguments.ts'
import type { Database } from '../../database/open-database.ts'
import { openPair } from '../../database/open-pair.ts'
import { quoteName, quoteText } from '../../database/quote.ts'
import type { Row, SqlValue } from '../../database/rows/row-layout.ts'
import { COMMIT_TABLES } from '../../database/schema/commits-table.ts'
import { SHARED } from '../../database/schema/kind-table.ts'
import { changedFiles, changedRefs } from './changed-files.ts'
import { type ChangedRow, changedRows, pairTables } from './changed-rows.ts'
import { DIFF_SHAPES, type DiffOptions } from './diff-options.ts'
import { selectPair } from './select-pair.ts'

/**
 * Prints the SQL that makes one database into another: after it, `diffDatabases` finds no difference. Records, files with
 * their contents and Git data are included. New records have no place in a file, so a build puts them into files of their
 * own.
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
      if (!table.inA) yield `${tableStatement(pair, table.name)};\n`
      for (const row of changedRows(pair, table, { selected })) yield `${changeRow(pair, row)};\n`
    }
    if (files) {
      for (const { path, after } of changedFiles(pair, { selected })) {
        yield* replaceFiles(pair, `path = ${literal(path)}`, after ? [after.id] : [])
      }
    }
    if (refs) yield* replaceGit(pair, selected)
    yield 'COMMIT;\n'
  } finally {
    pair.close()
  }
}

const tableStatement = (pair: Database, name: string): string =>
  pair
    .prepare<[string], string>(`SELECT sql FROM b.sqlite_schema WHERE type = 'table' AND name = ?`)
    .pluck()
    .get(name) as string

function changeRow(pair: Database, { table, kind, before, after }: ChangedRow): string {
  const names = [...Object.keys(kind.columns), '_extra', '_member_order']
  if (before && after) {
    const sets = names.flatMap((name, i) =>
      before.row[i] === after.row[i]
        ? []
        : [`${quoteName(name)} = ${literal(after.row[i] as SqlValue)}`],
    )
    return `UPDATE ${quoteName(table)} SET ${sets.join(', ')} WHERE rowid = ${before.rowid}`
  }
  if (before) return `DELETE FROM ${quoteName(table)} WHERE rowid = ${before.rowid}`
  if (!after) return ''
  // The file name tells the kind of a record in the table that several kinds share.
  const entry = pair
    .prepare<[bigint], string | null>(`SELECT _entry FROM b.${quoteName(table)} WHERE rowid = ?`)
    .pluck()
    .get(after.rowid)
  const values = [...after.row, table === SHARED ? (entry ?? null) : null]
  return `INSERT INTO ${quoteName(table)} (${[...names, '_entry'].map(quoteName).join(', ')})
VALUES (${values.map(literal).join(', ')})`
}

/** Deletes the files of A that meet a condition, and inserts files of B. */
function* replaceFiles(pair: Database, where: string, ids: readonly number[]): Generator<string> {
  yield `DELETE FROM file_chunks WHERE file IN (SELECT id FROM files WHERE ${where});\n`
  yield `DELETE FROM files WHERE ${where};\n`
  const names = FILE_COLUMNS.map(quoteName).join(', ')
  const file = pair.prepare(`SELECT ${names} FROM b.files WHERE id = ?`).raw()
  const chunks = pair.prepare<[number], { position: number; sha256: Buffer; bytes: Buffer }>(`
    SELECT position, sha256, bytes FROM b.file_chunks AS f JOIN b.chunks AS c ON c.id = f.chunk
    WHERE f.file = ? ORDER BY position`)
  for (const id of ids) {
    const values = file.get(id) as Row
    yield `INSERT INTO files (archive, ${names})
VALUES (coalesce((SELECT max(id) FROM archives), 1), ${values.map(literal).join(', ')});\n`
    for (const { position, sha256, bytes } of chunks.iterate(id)) {
      yield `INSERT OR IGNORE INTO chunks (sha256, bytes) VALUES (${literal(sha256)}, ${literal(bytes)});\n`
      yield `INSERT INTO file_chunks VALUES ((SELECT max(id) FROM files), ${position},
  (SELECT id FROM chunks WHERE sha256 = ${literal(sha256)}));\n`
    }
  }
}

const FILE_COLUMNS = [
  ...['path', 'role', 'repository', 'size', 'sha256', 'mode', 'modified_at', 'stored'],
]

/** Replaces the Git data of the repositories whose refs differ. */
function* replaceGit(pair: Database, selected: boolean): Generator<string> {
  const names = new Set<string>()
  for (const { repository } of changedRefs(pair, { selected })) names.add(repository)
  for (const repository of names) {
    const name = literal(repository)
    const where = `repository = ${name} AND role = 'git'`
    const ids = pair
      .prepare<[string], number>(
        `SELECT max(id) FROM b.files WHERE repository = ? AND role = 'git' GROUP BY path ORDER BY path`,
      )
      .pluck()
      .all(repository)
    yield* replaceFiles(pair, where, ids)
    for (const table of ['refs', 'git_packs']) {
      yield `DELETE FROM ${table} WHERE repository = ${name};\n`
      const columns = pair
        .prepare<[string], string>(
          `SELECT name FROM pragma_table_info(?, 'b') WHERE name <> 'archive'`,
        )
        .pluck()
        .all(table)
      const rows = pair
        .prepare<[string], Row>(`SELECT ${columns.join(', ')} FROM b.${table} WHERE repository = ?`)
        .raw()
      for (const row of rows.all(repository)) {
        yield `INSERT INTO ${table} (archive, ${columns.join(', ')})
VALUES (coalesce((SELECT max(id) FROM archives), 1), ${row.map(literal).join(', ')});\n`
      }
    }
    for (const table of COMMIT_TABLES) {
      yield `DELETE FROM ${table} WHERE repository = ${name};\n`
    }
  }
}

/** A value as an SQL literal. */
function literal(value: SqlValue): string {
  if (value === null) return 'NULL'
  if (typeof value === 'string') {
    // A literal ends at U+0000.
    return value.includes('\0')
      ? `CAST(x'${Buffer.from(value).toString('hex')}' AS TEXT)`
      : quoteText(value)
  }
  if (value instanceof Uint8Array) return `x'${Buffer.from(value).toString('hex')}'`
  if (typeof value === 'number' && !Number.isFinite(value)) return value > 0 ? '9e999' : '-9e999'
  return String(value)
}
