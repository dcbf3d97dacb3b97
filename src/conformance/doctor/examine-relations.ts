import { describeAuditLog } from '../../database/audit-log.ts'
import type { Database } from '../../database/open-database.ts'
import { quoteName } from '../../database/quote.ts'
import { recordTables } from '../../database/rows/read-record.ts'
import { kindTable } from '../../database/schema/kind-table.ts'
import { plainSql } from '../../database/schema/plain-sql.ts'
import {
  createStatement,
  type Index,
  indexStatement,
  type Relation,
} from '../../database/schema/relation.ts'
import { RELATIONS } from '../../database/schema/schema.ts'
import { unknownKind } from '../../database/schema/unknown-kind.ts'
import type { DatabaseFault } from './database-fault.ts'

/** Finds tables, views and indexes that differ from this version's. Additional ones are edits, not faults. */
export function* examineRelations(database: Database): Generator<DatabaseFault> {
  const find = database.prepare<[string], { type: string; sql: string }>(
    'SELECT type, sql FROM sqlite_schema WHERE name = ?',
  )
  const columnsOf = database
    .prepare<[string], string>('SELECT name FROM pragma_table_xinfo(?)')
    .pluck()
  for (const relation of expectedRelations(database)) {
    const { name, type, columns, indexes = [] } = relation
    const found = find.get(name)
    if (type === 'view') {
      if (!found) yield { code: 'view-changed', where: name, message: 'missing' }
      else if (found.type !== 'view' || found.sql !== createStatement(relation)) {
        yield { code: 'view-changed', where: name, message: 'different definition' }
      }
      continue
    }
    if (!found && name === 'row_checksums') continue // An earlier version made the database.
    if (found?.type !== 'table') {
      yield { code: 'table-missing', where: name, message: 'missing' }
      continue
    }
    const there = new Set(columnsOf.all(name))
    const missing = columns.filter((column) => !there.has(column.name)).map(({ name }) => name)
    if (missing.length > 0) {
      yield {
        code: 'table-changed',
        where: name,
        message: `missing columns: ${missing.join(', ')}`,
      }
    }
    for (const index of indexes) {
      const sql = find.get(index.name)?.sql
      if (sql && plainSql(sql) === plainSql(storedStatement(name, index))) continue
      const message = `${sql ? 'different definition, ' : ''}on the table ${name}`
      yield { code: 'index-missing', where: index.name, message }
      if (index.unique && index.on === '"url"') yield* findRepeated(database, name)
    }
  }
}

function* findRepeated(database: Database, table: string): Generator<DatabaseFault> {
  const { times } = database
    .prepare<[], { times: number }>(
      `SELECT count("url") - count(DISTINCT "url") AS times FROM ${quoteName(table)}`,
    )
    .get() ?? { times: 0 }
  if (times > 0) yield { code: 'url-repeated', where: table, message: `${times} duplicate rows` }
}

/** SQLite stores a statement without these words. */
const storedStatement = (table: string, index: Index): string =>
  indexStatement(table, index).replace(' IF NOT EXISTS', '')

/** All tables and views that a database should have, including those of its unknown kinds and of its audit log. */
export function expectedRelations(database: Database): Relation[] {
  const known = new Set(RELATIONS.map(({ name }) => name))
  const unknown = recordTables(database).filter((name) => !known.has(name))
  const auditLog = describeAuditLog(database)
  return [
    ...RELATIONS,
    ...unknown.map((name) => kindTable(name, unknownKind(name))),
    ...(auditLog ? [auditLog] : []),
  ]
}
