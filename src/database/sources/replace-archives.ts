import type { Database } from '../database.ts'
import { quoteName } from '../quote.ts'

/** The times by which archives are ordered: that of the archive, and that of its record files. */
const DATES = `SELECT id, exported_at AS at FROM archives
UNION SELECT archive, strftime('%Y-%m-%dT%H:%M:%SZ', max(modified_at)) FROM record_files GROUP BY archive`

/**
 * Whether the order of loading may decide which archive is newer: one has no date, or two are of the same time. The date of either
 * of these then depends on which archives were loaded before it.
 */
export const dependsOnOrder = (database: Database): boolean =>
  database
    .prepare(
      `SELECT 1 FROM archives WHERE exported_at IS NULL
UNION ALL SELECT 1 FROM (SELECT count(*) OVER (PARTITION BY at) AS same FROM (${DATES})) WHERE same > 1 LIMIT 1`,
    )
    .get() !== undefined

/** Tables that describe an archive. Of what others have of it no row is left if newer archives have all of it. */
const DESCRIBING = new Set(['record_files', 'entries', 'problems'])

/** Removes an archive whose records and files have all been replaced by newer ones. Returns false, and removes nothing, otherwise. */
export function forgetArchive(database: Database, archive: number): boolean {
  const places = placesOf(database)
  const isHeld = places.some(
    ({ table, where }) =>
      !DESCRIBING.has(table) &&
      database.prepare(`SELECT 1 FROM ${quoteName(table)} WHERE ${where} LIMIT 1`).get(archive) !==
        undefined,
  )
  if (isHeld) return false
  for (const { table, where } of places) {
    database.prepare(`DELETE FROM ${quoteName(table)} WHERE ${where}`).run(archive)
  }
  database.prepare('DELETE FROM archives WHERE id = ?').run(archive)
  return true
}

/** The tables whose rows are of an archive, and the condition for them. */
const placesOf = (database: Database): { table: string; where: string }[] =>
  database
    .prepare<[], { table: string; column: string }>(
      `SELECT m.name AS "table", c.name AS "column" FROM sqlite_schema AS m JOIN pragma_table_info(m.name) AS c
WHERE m.type = 'table' AND m.sql LIKE 'CREATE TABLE %' AND c.name IN ('_archive', 'archive')`,
    )
    .all()
    .map(({ table, column }) => ({ table, where: `${quoteName(column)} = ?` }))
