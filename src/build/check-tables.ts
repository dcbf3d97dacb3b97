import { ArchiveError, type Report } from '../base/errors.ts'
import type { Database } from '../database/open-database.ts'
import { prepareOnce } from '../database/prepare-once.ts'
import { kindTable } from '../database/schema/kind-table.ts'
import { unknownKind } from '../database/schema/unknown-kind.ts'
import { kindNamed } from '../records/kinds/kind-of-record.ts'
import { KINDS } from '../records/kinds/kinds.ts'

/**
 * Ensures that SQL has left what a build reads: throws `database-damaged` if the table of a known kind is missing, and reports
 * columns that were added as `column-unknown`.
 */
export function checkTables(
  database: Database,
  tables: readonly string[],
  report: Report | undefined,
): void {
  const missing = Object.keys(KINDS).find((name) => !tables.includes(name))
  if (missing !== undefined) {
    throw new ArchiveError('database-damaged', `the table ${missing} is missing; see marc doctor`)
  }
  if (!report) return
  const columnsOf = prepareOnce<[string], string>(
    database,
    'SELECT name FROM pragma_table_info(?)',
  ).pluck()
  for (const table of tables) {
    const { columns } = kindTable(table, kindNamed(table) ?? unknownKind(table))
    const known = new Set(columns.map(({ name }) => name))
    for (const name of columnsOf.all(table).filter((name) => !known.has(name))) {
      const place = { member: `${table}.${name}` }
      const message =
        'this column was added, and is not written; put members without a column into _extra'
      report({ code: 'column-unknown', place, message })
    }
  }
}
