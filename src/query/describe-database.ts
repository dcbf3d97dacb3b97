import { describeAuditLog } from '../database/audit-log.ts'
import type { Database } from '../database/open-database.ts'
import { quoteName, quoteText } from '../database/quote.ts'
import { recordTables } from '../database/rows/read-record.ts'
import { AUDIT_LOG } from '../database/schema/audit-log.ts'
import { kindTable } from '../database/schema/kind-table.ts'
import type { Relation } from '../database/schema/relation.ts'
import { RELATIONS } from '../database/schema/schema.ts'
import { SEARCH_TABLES } from '../database/schema/search-tables.ts'
import { unknownKind } from '../database/schema/unknown-kind.ts'
import { TABLES_OF_ATTACHED } from '../database/sources/attached-tables.ts'

const DESCRIBED = [...RELATIONS, ...SEARCH_TABLES]
const KNOWN = new Set(DESCRIBED.map(({ name }) => name))

/** Every table and view of a database with its columns; those of unknown kinds, and other people's, at the end. */
export function describeDatabase(database: Database): Relation[] {
  const found = database
    .prepare<[], [name: string, type: Relation['type']]>(
      `SELECT name, type FROM sqlite_schema WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
       AND name NOT IN (SELECT name FROM pragma_table_list WHERE type = 'shadow')
       AND name NOT IN (${TABLES_OF_ATTACHED.map(quoteText).join(', ')})`,
    )
    .raw()
    .all()
  const names = new Set(found.map(([name]) => name))
  const records = new Set(recordTables(database))
  return [
    ...DESCRIBED.filter(({ name }) => names.has(name)),
    ...found
      .filter(([name]) => !KNOWN.has(name))
      .map(([name, type]) =>
        records.has(name)
          ? kindTable(name, unknownKind(name))
          : (ownTable(database, name) ?? describeForeign(database, name, type)),
      ),
  ]
}

const ownTable = (database: Database, name: string): Relation | undefined =>
  name === AUDIT_LOG ? describeAuditLog(database) : undefined

function describeForeign(database: Database, name: string, type: Relation['type']): Relation {
  const columns = database
    .prepare<[string], { name: string; type: string }>(
      'SELECT name, type FROM pragma_table_xinfo(?)',
    )
    .all(name)
    .map((column) => ({ ...column, description: '' }))
  return { name, type, summary: `A ${type} that marc did not make.`, columns }
}

/** The number of rows of a table or of a view of ours; null for another view, which may never end. */
export const countRowsOf = (
  database: Database,
  { name, type }: Pick<Relation, 'name' | 'type'>,
): number | null => (type === 'view' && !KNOWN.has(name) ? null : countRows(database, name))

/** The number of rows of a table or view. */
export function countRows(database: Database, name: string): number {
  return Number(
    database
      .prepare(`SELECT count(*) FROM ${quoteName(name)}`)
      .pluck()
      .get(),
  )
}
