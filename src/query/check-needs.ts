import { ArchiveError } from '../base/errors.ts'
import type { Database } from '../database/open-database.ts'
import { hasRows } from '../database/rows/read-record.ts'
import { hasRelation } from '../database/schema/schema.ts'
import type { SavedQuery } from './parse-saved-query.ts'

/** Whether a database has a table with rows. */
export const hasTable = (database: Database, table: string): boolean =>
  hasRelation(database, table) && hasRows(database, table)

/** Throws `table-empty`, about the command that fills it, if a table that a query needs is missing or empty. */
export function checkNeeds({ needs }: SavedQuery, has: (table: string) => boolean): void {
  if (!needs || has(needs.table)) return
  const message = `the query needs the table ${needs.table}, which is empty`
  throw new ArchiveError('table-empty', message).about(needs.command)
}
