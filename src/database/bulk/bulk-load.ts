import type { ScannedRecords } from '../../records/canonical/read-canonical.ts'
import type { Database } from '../database.ts'
import type { SqlValue } from '../rows/row-layout.ts'
import { PageFile } from './page-file.ts'
import { RowCells } from './row-cells.ts'
import { type Place, TableWriter } from './table-writer.ts'

/** Writes the rows of empty tables of a new database as pages of its file, without SQL. */
export interface BulkLoad {
  /** Opens a table. `columns` does not count the three columns of a `Place`. */
  openTable(name: string, columns: number): BulkTable
  /** Completes the tables. SQLite sees their rows from now on. */
  finish(): void
  close(): void
}

export interface BulkTable {
  addRow(row: readonly SqlValue[], place: Place): void
  /** Adds one record; its columns are the first ones of the table. */
  addScanned(records: ScannedRecords, record: number, place: Place): void
}

/**
 * @param database a connection to a new database, in a transaction. Adding rows may commit it and begin another, so it
 *   cannot be rolled back
 * @param path the file of the database
 * @param finalPath the path that it will have, for errors
 */
export function openBulkLoad(database: Database, path: string, finalPath = path): BulkLoad {
  // Opened for the first table: not every new database has one.
  let file: PageFile | undefined
  const tables = new Map<string, TableWriter>()
  return {
    openTable(name, columns) {
      file ??= new PageFile(database, path, finalPath)
      const writer = new TableWriter(file, columns)
      const cells = new RowCells(columns)
      tables.set(name, writer)
      return {
        addRow: (row, place) => writer.add(cells.set(row), 0, columns, place),
        addScanned: (records, record, place) =>
          writer.add(records, record * records.columns, records.columns, place),
      }
    },
    finish() {
      if (file === undefined) return
      const rootOf = database
        .prepare<[string], number>(
          "SELECT rootpage FROM sqlite_schema WHERE type = 'table' AND name = ?",
        )
        .pluck()
      const roots = [...tables].map(([name, writer]): [number, Uint8Array] => [
        rootOf.get(name) as number,
        writer.finish(),
      ])
      file.finish(new Map(roots))
    },
    close: () => file?.close(),
  }
}
