import type { Database } from '../open-database.ts'
import { quoteName } from '../quote.ts'
import { KIND_OF_ENTRY, SHARED } from '../schema/kind-table.ts'
import type { ReplacementCounter } from './replacement-counter.ts'

/** Keeps the rows that an archive replaces until its date is known, which is after its last file. */
export interface ReplacedRows {
  /** Keeps a row; `isSame` if the new record is identical. */
  keep(rowid: unknown, isSame: boolean): void
  /** Restores rows of newer archives. Returns the number of different rows that they replace. */
  restore(newer: ReadonlySet<number>): number
}

export function createReplacedRows(
  database: Database,
  {
    name,
    columns,
    archive,
    replaced,
  }: { name: string; columns: string; archive: number; replaced: ReplacementCounter },
): ReplacedRows {
  const table = quoteName(name)
  // A name that no kind can have.
  const rows = `temp.${quoteName(`replaced rows of ${name}`)}`
  const identity = `"url", ${name === SHARED ? KIND_OF_ENTRY : "''"}`
  const open = () => {
    const source = `SELECT ${columns}, 0 AS "is the same" FROM ${table}`
    database.exec(`DROP TABLE IF EXISTS ${rows}; CREATE TABLE ${rows} AS ${source} WHERE false`)
    return database.prepare(
      `INSERT INTO ${rows} SELECT ${columns}, ? FROM ${table} WHERE rowid = ?`,
    )
  }
  let insert: ReturnType<typeof open> | undefined
  return {
    keep(rowid, isSame) {
      insert ??= open()
      insert.run(Number(isSame), rowid)
    },
    restore(newer) {
      if (!insert) return 0
      let outdated = 0
      if (newer.size > 0) {
        const isNewer = `_archive IN (${[...newer].join(', ')})`
        const outdone = `_archive = ${archive}
          AND (${identity}) IN (SELECT ${identity} FROM ${rows} WHERE ${isNewer})`
        replaced.noteWhere(rows, isNewer, -1)
        replaced.noteWhere(table, outdone)
        database.exec(`DELETE FROM ${table} WHERE ${outdone}`)
        database.exec(
          `INSERT INTO ${table} (${columns}) SELECT ${columns} FROM ${rows} WHERE ${isNewer}`,
        )
        const count = `SELECT count(*) FROM ${rows} WHERE ${isNewer} AND NOT "is the same"`
        outdated = database.prepare<[], number>(count).pluck().get() ?? 0
      }
      database.exec(`DROP TABLE ${rows}`)
      return outdated
    },
  }
}
