import type { ScannedRecords } from '../../records/canonical/read-canonical.ts'
import { type Cells, INTEGER, NONE, roomForCells, TEXT, viewOf } from '../../records/cells.ts'
import type { Database } from '../database.ts'
import type { SqlValue } from '../schema/row-layout.ts'
import { PageFile } from './page-file.ts'
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

/** Memory up to this size is kept for the next row. */
const KEPT = 2 ** 20

/** Turns rows of values into cells, one row at a time. */
class RowCells implements Cells {
  memory = Buffer.from(new ArrayBuffer(4096))
  view = viewOf(this.memory)
  what!: Uint8Array
  start!: Int32Array
  end!: Int32Array
  length!: Int32Array
  integer!: Float64Array

  constructor(columns: number) {
    Object.assign(this, roomForCells(columns))
  }

  /** @param row texts, safe integers and null */
  set(row: readonly SqlValue[]): this {
    this.#hold(row.reduce<number>((bytes, value) => bytes + bytesOf(value), 0))
    let at = 0
    for (const [i, value] of row.entries()) {
      if (value === null) this.what[i] = NONE
      else if (typeof value === 'string') {
        this.what[i] = TEXT
        this.start[i] = at
        at += this.memory.write(value, at)
        this.end[i] = at
        this.length[i] = at - (this.start[i] as number)
      } else {
        if (!Number.isSafeInteger(value)) throw new TypeError(`no value of a record: ${value}`)
        this.what[i] = INTEGER
        this.integer[i] = value as number
      }
    }
    return this
  }

  #hold(bytes: number): void {
    const isHeld = bytes <= this.memory.length && (this.memory.length <= KEPT || bytes > KEPT)
    if (isHeld) return
    this.memory = Buffer.from(
      new ArrayBuffer(bytes <= KEPT / 2 ? Math.max(4096, 2 * bytes) : bytes),
    )
    this.view = viewOf(this.memory)
  }
}

const bytesOf = (value: SqlValue) => (typeof value === 'string' ? Buffer.byteLength(value) : 0)
