import { selectFiles, selectOtherFiles } from '../../database/contents/list-files.ts'
import type { Database } from '../../database/open-database.ts'
import { openSnapshot } from '../../database/open-snapshot.ts'
import { orderOf } from '../../database/record-files/place-records.ts'
import { selectRecords } from '../../database/rows/select-records.ts'
import { hasSelection, type Selection } from '../../database/rows/selection.ts'

/**
 * Selects in both databases and notes the rows in temporary tables of the pair: `selected`, `selected_files` and
 * `selected_repositories`. Returns false without a selection. Throws as `selectRecords` does.
 */
export function selectPair(
  pair: Database,
  sides: readonly [Database, Database],
  selection: Selection,
): boolean {
  if (!hasSelection(selection)) return false
  pair.exec(`
    CREATE TEMP TABLE selected (side INTEGER, "table" TEXT, id INTEGER, PRIMARY KEY (side, "table", id)) WITHOUT ROWID;
    CREATE TEMP TABLE selected_files (side INTEGER, path TEXT, PRIMARY KEY (side, path)) WITHOUT ROWID;
    CREATE TEMP TABLE selected_repositories (name TEXT PRIMARY KEY) WITHOUT ROWID`)
  const insert = pair.prepare('INSERT INTO temp.selected VALUES (?, ?, ?)')
  const insertFile = pair.prepare('INSERT INTO temp.selected_files VALUES (?, ?)')
  const insertRepository = pair.prepare(
    'INSERT OR IGNORE INTO temp.selected_repositories VALUES (?), (?)',
  )
  for (const [side, database] of sides.entries()) {
    const own = openSnapshot(database)
    try {
      const { tables } = orderOf(own)
      selectRecords(own, tables, selection)
      if (selection.not) selectOtherFiles(own, tables)
      else selectFiles(own, tables, { git: false })
      const rows = own
        .prepare<[], [number, bigint]>('SELECT "table", id FROM temp.chosen')
        .raw()
        .safeIntegers()
      for (const [table, id] of rows.iterate()) {
        insert.run(side, tables[Number(table)], id)
      }
      const paths = own.prepare<[], string>('SELECT path FROM temp.chosen_files').pluck()
      for (const path of paths.iterate()) insertFile.run(side, path)
      const i = tables.indexOf('repositories')
      const names = own
        .prepare<[], string>(
          `SELECT full_name FROM repositories WHERE full_name IS NOT NULL
           AND rowid IN (SELECT id FROM temp.chosen WHERE "table" = ${i})`,
        )
        .pluck()
      for (const name of i < 0 ? [] : names.all()) insertRepository.run(name, `${name}.wiki`)
    } finally {
      own.close()
    }
  }
  return true
}
