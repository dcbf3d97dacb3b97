import { newestDate } from '../database/newest-date.ts'
import type { Database } from '../database/open-database.ts'

/** When entries were last changed, as the archive says it. */
export interface EntryDates {
  /** The latest of all that were loaded, or else of all records. */
  last(): Date
  ofFile(stored: string): Date
  /** `stored` is the time of a file as it was loaded, `newest` the date of its newest record. */
  ofRecords(stored: string | undefined, newest: Date | undefined): Date
}

/** The times of entries: all the given one, or those they had; of new files those of their records. */
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
