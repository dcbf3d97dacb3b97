import type { Database } from '../database/open-database.ts'
import { openSnapshot } from '../database/open-snapshot.ts'

/** An upload: what the view `attachments_links` tells of it, and what it shares with others. */
export interface Attachment {
  /** Address on the host; null for a file that no record names. */
  url: string | null
  kind: 'attachment' | 'repository_file' | 'release_asset' | 'file'
  /** What it belongs to, by kind and url, as far as records or texts tell. */
  parent_kind: string | null
  parent: string | null
  /** owner/name of the repository. */
  full_name: string | null
  /** Number of the issue or pull request. */
  number: number | null
  user_login: string | null
  name: string | null
  media_type: string | null
  /** Path in the archive. */
  path: string | null
  /** The file, by its id in the table `files`; null if it is missing. */
  file: number | null
  /** Bytes of the file. */
  size: number | null
  sha256: string | null
  /** Whether the archive has the file; if not stored, the database knows it without its content. */
  state: 'present' | 'not stored' | 'missing'
  /** How many uploads have this content, this one among them. */
  copies: number
}

const PAGE = 500

/**
 * Every upload of the archives in a database, by repository, number and address, as they are at the beginning.
 * Reads in pages: memory does not grow with their number.
 */
export function* listAttachments(database: Database): Generator<Attachment> {
  const own = openSnapshot(database)
  try {
    own.exec(LIST)
    const page = own.prepare<[number], Attachment & { id: number }>(
      `SELECT rowid AS id, * FROM temp.listed WHERE rowid > ? ORDER BY rowid LIMIT ${PAGE}`,
    )
    for (let last = 0; ; ) {
      const rows = page.all(last)
      for (const { id, ...attachment } of rows) yield attachment
      if (rows.length < PAGE) return
      last = rows.at(-1)?.id as number
    }
  } finally {
    own.close()
  }
}

const LIST = `
  CREATE TEMP TABLE listed AS
  SELECT url, kind, parent_kind, parent, full_name, number, user_login, name, media_type, path, file, size,
    sha256, CASE WHEN stored THEN 'present' WHEN present THEN 'not stored' ELSE 'missing' END AS state,
    CASE WHEN present THEN count(*) OVER (PARTITION BY sha256) ELSE 1 END AS copies
  FROM attachments_links
  ORDER BY kind = 'file', full_name, number, kind, url, path`
