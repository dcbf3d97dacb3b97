import { newestDate } from '../database/newest-date.ts'
import type { Database } from '../database/open-database.ts'

/** Modification times of entries. */
export interface EntryDates {
  /** The latest loaded time, or else the latest date of a record. */
  last(): Date
  ofFile(stored: string): Date
  /** `stored` is the loaded time of a file, `newest` the date of its newest record. */
  ofRecords(stored: string | undefined, newest: Date | undefined): Date
}

/** The times of entries: `date` for all, or those they had, or for new files those of their records. */
export function entryDates(
  database: Database,
  { date, tables }: { date: Date | undefined; tables: readonly string[] },
): EntryDates {
  let known: Date | undefined
  const last = () => {
    known ??= date ?? lastLoaded(database) ?? newestDate(database, tables) ?? new Date(0)
    return known
  }
  const parse = (stored: string | undefined): Date | undefined => {
    const time = Date.parse(stored ?? '')
    return Number.isNaN(time) ? undefined : new Date(time)
  }
  return {
    last,
    ofFile: (stored) => date ?? parse(stored) ?? last(),
    ofRecords: (stored, newest) => date ?? parse(stored) ?? newest ?? last(),
  }
}

function lastLoaded(database: Database): Date | undefined {
  const last = database
    .prepare<[], string | null>(
      `SELECT max(modified_at) FROM
       (SELECT modified_at FROM record_files UNION ALL SELECT modified_at FROM files)`,
    )
    .pluck()
    .get()
  return last == null || Number.isNaN(Date.parse(last)) ? undefined : new Date(last)
}
