import type { Database } from '../database.ts'
import { quoteName, quoteText } from '../quote.ts'
import { COMMIT_TABLES } from '../schema/commits-table.ts'
import { createStatement } from '../schema/relation.ts'
import { RELATIONS } from '../schema/schema.ts'
import { SOURCE_COLUMN, withSource } from '../schema/with-source.ts'

/** The source that an archive of a database came from. */
export interface SourceOfArchive {
  readonly archive: bigint | number
  readonly source: string
}

/**
 * Adds the column `_source` to every table and view of a database: the name of the source of a row, by its archive. It is
 * computed, so no row is written.
 */
export function writeSources(database: Database, sources: readonly SourceOfArchive[]): void {
  const names = quoteText(
    JSON.stringify(
      Object.fromEntries(sources.map(({ archive, source }) => [String(archive), source])),
    ),
  )
  const tables = database
    .prepare<[], string>(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND sql LIKE 'CREATE TABLE %'",
    )
    .pluck()
    .all()
  const columnsOf = database
    .prepare<[string], string>('SELECT name FROM pragma_table_xinfo(?)')
    .pluck()
  // Commits get it from refs, so they come last.
  const byRepository = (table: string) => Number(COMMIT_TABLES.some((name) => name === table))
  tables.sort((a, b) => byRepository(a) - byRepository(b))
  for (const table of tables) {
    const columns = columnsOf.all(table)
    const archive =
      table === 'archives' ? 'id' : ['_archive', 'archive'].find((name) => columns.includes(name))
    if (byRepository(table)) {
      addByRepository(database, table)
      continue
    }
    const value =
      archive === undefined ? 'NULL' : `${names} ->> CAST(${quoteName(archive)} AS TEXT)`
    database.exec(
      `ALTER TABLE ${quoteName(table)} ADD COLUMN ${SOURCE_COLUMN} TEXT GENERATED ALWAYS AS (${value}) VIRTUAL`,
    )
  }
  for (const view of RELATIONS.filter(({ type }) => type === 'view')) {
    database.exec(`DROP VIEW IF EXISTS ${quoteName(view.name)}`)
    database.exec(createStatement(withSource(view)))
  }
}

/** Takes the column out again, so that archives can be added. */
export function removeSources(database: Database): void {
  for (const { name } of RELATIONS.filter(({ type }) => type === 'view')) {
    database.exec(`DROP VIEW IF EXISTS ${quoteName(name)}`)
  }
  const tables = database
    .prepare<[string], string>(
      `SELECT m.name FROM sqlite_schema AS m JOIN pragma_table_xinfo(m.name) AS c
WHERE m.type = 'table' AND c.name = ?`,
    )
    .pluck()
    .all(SOURCE_COLUMN)
  for (const table of tables) {
    database.exec(`ALTER TABLE ${quoteName(table)} DROP COLUMN ${SOURCE_COLUMN}`)
  }
}

/** Of commits, a database says only the repository. */
function addByRepository(database: Database, table: string): void {
  database.exec(`ALTER TABLE ${quoteName(table)} ADD COLUMN ${SOURCE_COLUMN} TEXT`)
  database.exec(`UPDATE ${quoteName(table)} AS o SET ${SOURCE_COLUMN} =
(SELECT r.${SOURCE_COLUMN} FROM refs AS r WHERE r.repository = o.repository LIMIT 1)`)
}
