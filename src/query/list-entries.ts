import type { Database } from '../database/open-database.ts'

/** An entry of a loaded archive. */
export interface ListedEntry {
  path: string
  size: number
  mode: number
  modifiedAt: string
  /** git, attachment and the like; of a file of records their kind. */
  role: string
  records: number | undefined
}

interface Row extends Omit<ListedEntry, 'records'> {
  records: number | null
}

// The time of schema.json and urls.json is not stored.
const FIRST_TIME =
  'coalesce((SELECT min(modified_at) FROM shards WHERE archive = archives.id), loaded_at)'

/** The entries of the loaded archives as they were loaded, one archive after the other, by path. */
export function* listEntries(database: Database): Generator<ListedEntry> {
  // Anybody may have written anything into these columns.
  const rows = database.prepare<[], Row>(`
    SELECT CAST(path AS TEXT) AS path, CAST(size AS INTEGER) AS size, mode & 4095 AS mode,
      CAST(modified_at AS TEXT) AS modifiedAt, CAST(role AS TEXT) AS role, records
    FROM (
      SELECT id AS archive, 'schema.json' AS path, length(CAST(schema AS BLOB)) AS size, 420 AS mode,
        ${FIRST_TIME} AS modified_at, 'schema' AS role, NULL AS records
      FROM archives WHERE schema IS NOT NULL
      UNION ALL
      SELECT id, 'urls.json', length(CAST(urls AS BLOB)), 420, ${FIRST_TIME}, 'urls', NULL
      FROM archives WHERE urls IS NOT NULL
      UNION ALL
      SELECT archive, path, size, 420, modified_at, kind, CAST(records AS INTEGER) FROM shards
      UNION ALL
      SELECT archive, path, size, mode, modified_at, role, NULL FROM files
    )
    ORDER BY archive, path`)
  for (const { records, ...entry } of rows.iterate()) {
    yield { ...entry, records: records ?? undefined }
  }
}
