import type { Database } from './open-database.ts'
import { quoteName } from './quote.ts'

/** Counts, while an archive is loaded, how many records of which file of records gave way to later ones. */
export interface ReplacedRecords {
  /** Notes one, by the archive and entry it stood in; of rows that SQL has added, neither is known. */
  note(archive: unknown, entry: unknown): void
  /** Notes the rows of a table that such a condition fits. */
  noteWhere(table: string, condition: string): void
  /** Adds them to the table `shards`. */
  finish(): void
}

const COUNTS = `temp.${quoteName('records that gave way')}`

export function openReplaced(database: Database): ReplacedRecords {
  database.exec(`DROP TABLE IF EXISTS ${COUNTS}`)
  database.exec(
    `CREATE TABLE ${COUNTS} (archive, path, count, PRIMARY KEY (archive, path)) WITHOUT ROWID`,
  )
  const add = (counted: string) => `INSERT INTO ${COUNTS} ${counted}
    ON CONFLICT DO UPDATE SET count = count + excluded.count`
  const addOne = database.prepare(add('VALUES (?, ?, 1)'))
  return {
    note(archive, entry) {
      if (archive !== null && entry !== null) addOne.run(archive, entry)
    },
    noteWhere(table, condition) {
      database.exec(
        add(`SELECT _archive, _entry, count(*) FROM ${table}
          WHERE (${condition}) AND _archive IS NOT NULL AND _entry IS NOT NULL GROUP BY 1, 2`),
      )
    },
    finish() {
      database.exec(`
        UPDATE shards SET replaced = replaced + counted.count FROM ${COUNTS} AS counted
        WHERE counted.archive = shards.archive AND counted.path = shards.path`)
      database.exec(`DROP TABLE ${COUNTS}`)
    },
  }
}
