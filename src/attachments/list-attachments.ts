import { anOpenDatabase, checkArguments } from '../base/check-arguments.ts'
import { refuseLargeCells } from '../database/large-cells.ts'
import type { Database } from '../database/open-database.ts'
import { openSnapshot } from '../database/open-snapshot.ts'
import { readPages } from '../database/read-pages.ts'
import { findUploadLinks } from './upload-links.ts'

/** An upload: a row of the view `uploads`, with the text that links to it and the number of copies. */
export interface Attachment {
  /** URL; null for a file that no record names. */
  url: string | null
  /** Its kind; `file` is an upload that no record names. */
  kind: 'attachment' | 'repository_file' | 'release_asset' | 'file'
  /** Kind of the record that it belongs to. For a repository_file, that is the first text that links to it. */
  parent_kind: string | null
  /** URL of that record. */
  parent: string | null
  /** owner/name of the repository. */
  full_name: string | null
  /** Number of the issue or pull request. */
  number: number | null
  /** Login of the person who uploaded it. */
  user_login: string | null
  /** Its name, as its record says. */
  name: string | null
  /** Its media type, as its record says. */
  media_type: string | null
  /** Path in the archive. */
  path: string | null
  /** Id in the table `files`; null if the file is missing. */
  file: number | null
  /** Size in bytes. */
  size: number | null
  /** SHA-256 of the content in hex; null if the file is missing. */
  sha256: string | null
  /** Missing: a record names it, but the archive lacks the file. Orphaned: no record names the file. */
  state: 'present' | 'missing' | 'orphaned'
  /** 1 if the content is in the database. */
  stored: number
  /** Number of uploads with this content, including this one. */
  copies: number
}

/**
 * Lists all uploads by repository, number and URL, from one snapshot. Memory does not grow with their number.
 *
 * @param database the database to read
 * @returns the uploads, including missing and orphaned ones
 * @throws `database-busy`, `database-damaged` or `option-invalid`
 * @example
 * const missing = Array.from(listAttachments(database)).filter(({ state }) => state === 'missing')
 */
export function* listAttachments(database: Database): Generator<Attachment> {
  checkArguments({ database }, { database: anOpenDatabase })
  refuseLargeCells(database)
  const own = openSnapshot(database)
  try {
    yield* pagesOf(own)
  } finally {
    own.close()
  }
}

const PAGE = 500

/** Lists uploads on a connection in which temporary tables may be created. */
export function* pagesOf(database: Database): Generator<Attachment> {
  collectLinks(database)
  database.exec(LIST)
  for (const page of readPages<Attachment>(database, { from: 'temp.listed', size: PAGE })) {
    for (const { position, ...attachment } of page) yield attachment
  }
}

/** Records the first text that links to each repository_file. */
function collectLinks(database: Database): void {
  database.exec(`CREATE TEMP TABLE first_links (
    link TEXT PRIMARY KEY, kind TEXT, url TEXT, full_name TEXT, number INTEGER) WITHOUT ROWID`)
  const untold = database.prepare('SELECT 1 FROM repository_files WHERE url = ?')
  if (!database.prepare('SELECT 1 FROM repository_files LIMIT 1').get()) return
  const insert = database.prepare('INSERT OR IGNORE INTO temp.first_links VALUES (?, ?, ?, ?, ?)')
  for (const { link, kind, url, full_name, number } of findUploadLinks(database)) {
    if (untold.get(link)) insert.run(link, kind, url, full_name, number)
  }
}

const LIST = `
  CREATE TEMP TABLE listed AS
  SELECT v.url, v.kind, coalesce(v.parent_kind, l.kind) AS parent_kind, coalesce(v.parent, l.url) AS parent,
    CASE WHEN v.parent IS NULL THEN coalesce(l.full_name, v.full_name) ELSE v.full_name END AS full_name,
    coalesce(v.number, l.number) AS number, user_login, name, media_type, path, file, size, sha256, stored,
    CASE WHEN v.kind = 'file' THEN 'orphaned' WHEN present THEN 'present' ELSE 'missing' END AS state,
    CASE WHEN present THEN count(*) OVER (PARTITION BY sha256) ELSE 1 END AS copies
  FROM uploads AS v LEFT JOIN temp.first_links AS l ON l.link = v.url AND v.parent IS NULL
  ORDER BY v.kind = 'file', 5, 6, v.kind, v.url, path`
