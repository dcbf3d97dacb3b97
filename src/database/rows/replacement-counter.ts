import type { Database } from '../open-database.ts'
import { quoteName } from '../quote.ts'

/** Counts the replaced records of each record file during a load. */
export interface ReplacementCounter {
  /** Counts a record by its archive and entry, which are null in rows added with SQL. */
  note(archive: unknown, entry: unknown, isSame?: boolean): void
  /** Counts the rows of a table that meet a condition; with -1, takes them back. */
  noteWhere(table: string, condition: string, times?: 1 | -1): void
  /** By archive: how many were counted by `note`, and how many of these had other content. */
  readonly counts: ReadonlyMap<number, { all: number; other: number }>
  /** Adds the counts to the table `record_files`. */
  finish(): void
}

const COUNTS = `temp.${quoteName('records that gave way')}`

export function createReplacementCounter(database: Database): ReplacementCounter {
  database.exec(`DROP TABLE IF EXISTS ${COUNTS}`)
  database.exec(
    `CREATE TABLE ${COUNTS} (archive, path, count, PRIMARY KEY (archive, path)) WITHOUT ROWID`,
  )
  const add = (counted: string) => `INSERT INTO ${COUNTS} ${counted}
    ON CONFLICT DO UPDATE SET count = count + excluded.count`
  const addOne = database.prepare(add('VALUES (?, ?, 1)'))
  const counts = new Map<number, { all: number; other: number }>()
  return {
    counts,
    note(archive, entry, isSame = false) {
      if (typeof archive !== 'number') return
      const count = counts.get(archive) ?? { all: 0, other: 0 }
      counts.set(archive, { all: count.all + 1, other: count.other + Number(!isSame) })
      if (entry !== null) addOne.run(archive, entry)
    },
    noteWhere(table, condition, times = 1) {
      database.exec(
        add(`SELECT _archive, _entry, ${times} * count(*) FROM ${table}
          WHERE (${condition}) AND _archive IS NOT NULL AND _entry IS NOT NULL GROUP BY 1, 2`),
      )
    },
    finish() {
      database.exec(`
        UPDATE record_files SET replaced = replaced + counted.count FROM ${COUNTS} AS counted
        WHERE counted.archive = record_files.archive AND counted.path = record_files.path`)
      database.exec(`DROP TABLE ${COUNTS}`)
    },
  }
}
