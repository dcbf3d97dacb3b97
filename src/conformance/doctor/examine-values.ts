import { roleOf } from '../../archive/entry-role.ts'
import { ArchiveError } from '../../base/errors.ts'
import { checkEntry, checkFile } from '../../database/contents/check-file.ts'
import type { Database } from '../../database/open-database.ts'
import { quoteName } from '../../database/quote.ts'
import { recordColumns, recordTables } from '../../database/rows/read-record.ts'
import { whyNotRef } from '../../git/refs/read-refs.ts'
import type { DatabaseFault } from './database-fault.ts'

interface FileRow {
  table: 'files' | 'record_files' | 'entries'
  role: unknown
  path: unknown
  size: unknown
  repository: unknown
}

/**
 * Finds values that loading never writes and that other commands would use as paths or refs: paths that lead out of a
 * folder, refs that Git refuses. Readers refuse them, too.
 */
export function* examineValues(database: Database): Generator<DatabaseFault> {
  // Rows as arrays may hold values of any type.
  const files = database
    .prepare<[], [FileRow['table'], ...unknown[]]>(
      `SELECT 'files' AS "table", path, size, role, repository FROM files
       UNION ALL SELECT 'record_files', path, size, NULL, NULL FROM record_files
       UNION ALL SELECT 'entries', path, size, role, NULL FROM entries`,
    )
    .raw()
  for (const [table, path, size, role, repository] of files.iterate()) {
    const row: FileRow = { table, path, size, role, repository }
    const message = whyNotFile(row)
    if (message !== undefined) yield { code: 'value-invalid', where: row.table, message }
  }
  for (const table of ['archives', 'entries', 'files', 'chunks', 'tar_headers']) {
    const many = countOf(
      database,
      `${table} WHERE id NOT BETWEEN ${Number.MIN_SAFE_INTEGER} AND ${Number.MAX_SAFE_INTEGER}`,
    )
    const message = `${many} ids are beyond 2⁵³`
    if (many > 0) yield { code: 'value-invalid', where: table, message }
  }
  const refs = database
    .prepare<[], unknown[]>('SELECT repository, name, oid, peeled, target FROM refs')
    .raw()
  for (const [repository, name, oid, peeled, target] of refs.iterate()) {
    const wrong = whyNotRef({ name, oid, peeled, target })
    if (wrong === undefined) continue
    yield { code: 'value-invalid', where: 'refs', message: `${String(repository)}: ${wrong}` }
  }
}

function whyNotFile({ table, path, size, role, repository }: FileRow): string | undefined {
  const shown = JSON.stringify(String(path).slice(0, 200))
  try {
    if (table === 'entries') checkEntry({ path, size, role })
    else checkFile({ path, size })
  } catch (error) {
    if (!(error instanceof ArchiveError)) throw error
    return `${shown}: ${error.message}`
  }
  if (table !== 'files') return undefined
  const told = roleOf(path as string)
  if (repository === (told.role === 'git' ? told.repository : null)) return undefined
  const name = JSON.stringify(String(repository).slice(0, 100))
  return `${shown}: not a file of the repository ${name}`
}

/** Finds records of a missing archive, and invalid JSON. */
export function* examineRecords(database: Database): Generator<DatabaseFault> {
  for (const table of recordTables(database)) {
    const name = quoteName(table)
    const strays = countOf(
      database,
      `${name} WHERE _archive IS NOT NULL AND _archive NOT IN (SELECT id FROM archives)`,
    )
    if (strays > 0) {
      yield { code: 'origin-unknown', where: table, message: `${strays} rows` }
    }
    const { kind } = recordColumns(table)
    const lists = Object.entries(kind.columns).filter(([, { storage }]) => storage === 'json')
    for (const column of [...lists.map(([member]) => member), '_extra', '_member_order']) {
      const cell = quoteName(column)
      const broken = countOf(
        database,
        `${name} WHERE ${cell} IS NOT NULL AND NOT json_valid(${cell})`,
      )
      if (broken === 0) continue
      yield { code: 'json-damaged', where: `${table}.${column}`, message: `in ${broken} rows` }
    }
  }
}

const countOf = (database: Database, from: string): number =>
  database.prepare<[], number>(`SELECT count(*) FROM ${from}`).pluck().get() ?? 0
