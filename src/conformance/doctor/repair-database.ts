import { sqliteError } from '../../database/connection.ts'
import type { Database } from '../../database/open-database.ts'
import { quoteName } from '../../database/quote.ts'
import { createStatement, indexStatement, type Relation } from '../../database/schema/relation.ts'
import { remakeSearchIndex } from '../../search/update-search-index.ts'
import { DATABASE_FAULTS, type DatabaseFault } from './database-fault.ts'
import { expectedRelations } from './examine-relations.ts'

/**
 * Recreates views and indexes and removes orphaned chunks in one transaction. Loaded data does not change. Does nothing
 * if the file is corrupt, because writing could make it worse.
 */
export function repairDatabase(database: Database, faults: readonly DatabaseFault[]): void {
  if (faults.some(({ code }) => code === 'pages-damaged')) return
  const relations = expectedRelations(database)
  database.exec('BEGIN IMMEDIATE')
  try {
    for (const { code, where } of faults) {
      if (code === 'index-damaged') database.exec(`REINDEX ${quoteName(where)}`)
      if (code === 'view-changed') remakeView(database, relations, where)
      if (code === 'index-missing') remakeIndex(database, relations, where)
      if (code === 'search-damaged') remakeSearchIndex(database)
      if (code === 'chunk-orphaned') {
        database.exec('DELETE FROM chunks WHERE id NOT IN (SELECT chunk FROM file_chunks)')
      }
    }
    database.exec('COMMIT')
  } finally {
    if (database.inTransaction) database.exec('ROLLBACK')
  }
}

export const isRepairable = ({ code }: DatabaseFault): boolean => DATABASE_FAULTS[code].repair

function remakeView(database: Database, relations: readonly Relation[], name: string): void {
  const view = relations.find((relation) => relation.name === name)
  const found = database
    .prepare<[string], string>('SELECT type FROM sqlite_schema WHERE name = ?')
    .pluck()
    .get(name)
  // Keep a table that was put in its place.
  if (!view || (found !== undefined && found !== 'view')) return
  database.exec(`DROP VIEW IF EXISTS main.${quoteName(name)}`)
  database.exec(createStatement(view))
}

function remakeIndex(database: Database, relations: readonly Relation[], name: string): void {
  for (const { name: table, indexes = [] } of relations) {
    const index = indexes.find((each) => each.name === name)
    if (!index) continue
    try {
      database.exec(`DROP INDEX IF EXISTS ${quoteName(name)}`)
      database.exec(indexStatement(table, index))
    } catch (error) {
      // Repeated URLs, which are reported as a fault of their own.
      if (sqliteError(error)?.code !== 'SQLITE_CONSTRAINT_UNIQUE') throw error
    }
  }
}
