import type { Database } from '../../database/open-database.ts'
import { quoteText } from '../../database/quote.ts'
import type { Relation } from '../../database/schema/relation.ts'
import { TABLES_OF_ATTACHED } from '../../database/sources/attached-tables.ts'
import { hasTable } from '../../query/check-needs.ts'
import { describeDatabase } from '../../query/describe-database.ts'
import { type QueryResult, runQuery, type SqlValue } from '../../query/run-query.ts'
import type { OpenNames } from '../../query/saved-parameters.ts'
import { type CountedTable, countTables } from '../reports/describe-tables.ts'
import { explainQuery } from '../sources/explain-query.ts'
import { openNamesIn } from '../sources/query-parameters.ts'

/** A source that answers statements: a database, or datasets of `marc export`. */
export interface AskedSource {
  /** Its tables and views with their columns. */
  describe(): readonly Relation[]
  /** These with their numbers of rows: all, or without empty ones and views of lists. */
  count(all: boolean): Promise<CountedTable[]>
  /** The CREATE statements of a table, or of all. */
  statements(table: string | undefined): readonly string[]
  has(table: string): boolean
  readonly openNames: OpenNames
  /** Runs a statement. The result is closed after its rows were read. Throws as `runQuery` does. */
  ask(
    sql: string,
    parameters: Record<string, SqlValue>,
  ): Promise<QueryResult & { close?(): void }> | QueryResult
  /** Adds advice to the error of a statement. */
  explain(error: unknown, sql: string): unknown
}

/** @param databaseFor the database that answers a statement, if it may be another one */
export const databaseSource = (
  database: Database,
  databaseFor: (sql: string) => Promise<Database> = async () => database,
): AskedSource => ({
  describe: () => describeDatabase(database),
  count: async (all) => countTables(database, all),
  statements: (table) =>
    database
      .prepare<{ table: string | null }, string>(
        `SELECT sql FROM sqlite_schema
         WHERE sql IS NOT NULL AND (:table IS NULL OR tbl_name = :table)
         AND tbl_name NOT IN (${TABLES_OF_ATTACHED.map(quoteText).join(', ')}) ORDER BY rowid`,
      )
      .pluck()
      .all({ table: table ?? null }),
  has: (table) => hasTable(database, table),
  openNames: openNamesIn(database),
  ask: async (sql, parameters) => runQuery(await databaseFor(sql), sql, parameters),
  explain: (error, sql) => explainQuery(error, sql, database),
})
