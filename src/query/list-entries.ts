import type { Database } from '../database/open-database.ts'

/** An entry of a loaded archive. */
export interface ListedEntry {
  path: string
  size: number
  mode: number
  modifiedAt: string
  /** `git`, `attachment`, …; the kind of its records for a record file. */
  role: string
  records: number | undefined
}

interface Row extends Omit<ListedEntry, 'records'> {
  records: number | null
}

/** Lists the entries of the loaded archives in their original order. */
export function* listEntries(database: Database): Generator<ListedEntry> {
  // The casts are needed because a database is untrusted: a column may hold a value of any type.
  const rows = database.prepare<[], Row>(`
    SELECT CAST(e.path AS TEXT) AS path, CAST(e.size AS INTEGER) AS size, e.mode & 4095 AS mode,
      CAST(e.modified_at AS TEXT) AS modifiedAt, CAST(coalesce(s.kind, e.role) AS TEXT) AS role, s.records
    FROM entries AS e
    LEFT JOIN (
      SELECT archive, path, kind, CAST(total(records) AS INTEGER) AS records FROM record_files GROUP BY archive, path
    ) AS s ON e.role = 'records' AND s.archive = e.archive AND s.path = e.path
    WHERE e.path <> './'
    ORDER BY e.id`)
  for (const { records, ...entry } of rows.iterate()) {
    yield { ...entry, records: records ?? undefined }
  }
}
