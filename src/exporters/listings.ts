import type { Database } from '../database/open-database.ts'
import type { SqlValue } from '../database/schema/row-layout.ts'
import type { ExportColumn, ExportType } from './column-types.ts'
import type { ExportRow, ExportTable } from './table.ts'
import type { TypedValue } from './to-typed.ts'

const text: ExportType = { is: 'text' }
const integer: ExportType = { is: 'integer' }
const time: ExportType = { is: 'time' }

type Columns = Readonly<Record<string, readonly [type: ExportType, description: string]>>

interface Listing extends ExportTable {
  /** Selects the columns in order. */
  readonly sql: string
}

const listing = (name: string, columns: Columns, sql: string): Listing => ({
  name,
  columns: [
    ...Object.entries(columns).map(
      ([column, [type, description]]): ExportColumn => ({ name: column, type, description }),
    ),
    { name: '_archive', type: text, description: 'The partition: the archive that it is from.' },
  ],
  sql,
})

/** Tables without records: the files and refs of an archive, and its commits if they were indexed. */
export const LISTINGS: readonly Listing[] = [
  listing(
    'files',
    {
      path: [text, 'Path in the archive.'],
      role: [text, 'git, attachment, repository-file, release-asset, lfs or unknown.'],
      full_name: [text, 'owner/name of its Git repository; NULL for other files.'],
      size: [integer, 'Bytes.'],
      sha256: [text, 'SHA-256 of the content, in hex.'],
      media_type: [text, 'The media type in its record; NULL if no record names the file.'],
      url: [text, 'URL of the record that names it; NULL if no record does.'],
    },
    `SELECT f.path, f.role, f.repository, f.size, f.sha256, u.media_type, u.url
     FROM files AS f LEFT JOIN (SELECT file, min(url) AS url, min(media_type) AS media_type
       FROM uploads WHERE file IS NOT NULL GROUP BY file) AS u ON u.file = f.id
     ORDER BY f.path, f.id`,
  ),
  listing(
    'refs',
    {
      full_name: [text, 'owner/name of the repository, owner/name.wiki for a wiki.'],
      name: [text, 'Full name, such as refs/heads/main, or HEAD.'],
      oid: [text, 'The object that it names; NULL for a branch without commits.'],
      peeled: [text, 'The object that an annotated tag leads to; NULL for other refs.'],
      target: [text, 'The ref that a symbolic ref names.'],
    },
    'SELECT repository, name, oid, peeled, target FROM refs ORDER BY repository, name, rowid',
  ),
  listing(
    'commits',
    {
      full_name: [text, 'owner/name of the repository, owner/name.wiki for a wiki.'],
      oid: [text, 'Id of the commit.'],
      tree: [text, 'Id of its tree.'],
      parents: [{ is: 'list', element: text }, 'Ids of its parents.'],
      author_name: [text, 'Name of the author.'],
      author_email: [text, 'E-mail address of the author.'],
      authored_at: [time, 'Author date; NULL if it cannot be read.'],
      author_zone: [text, 'Time zone of the author, such as +0200.'],
      committer_name: [text, 'Name of the committer.'],
      committer_email: [text, 'E-mail address of the committer.'],
      committed_at: [time, 'Commit date; NULL if it cannot be read.'],
      committer_zone: [text, 'Time zone of the committer.'],
      subject: [text, 'First paragraph of the message, as one line.'],
      message: [text, 'The message.'],
    },
    `SELECT repository, oid, tree, parents, author_name, author_email, authored_at, author_zone,
       committer_name, committer_email, committed_at, committer_zone, subject, message
     FROM commits ORDER BY rowid`,
  ),
]

/** Rows at a time. */
const BATCH = 1000

/** The rows of a listing in batches. Do not use the connection for anything else until all are read. */
export function* listingRows(
  database: Database,
  { sql, columns }: Listing,
  archive: string,
): Generator<ExportRow[]> {
  let batch: ExportRow[] = []
  for (const row of database.prepare(sql).raw().iterate() as Iterable<SqlValue[]>) {
    batch.push([...row.map((value, i) => typed((columns[i] as ExportColumn).type, value)), archive])
    if (batch.length < BATCH) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}

function typed(type: ExportType, value: SqlValue): TypedValue {
  if (value === null) return null
  if (type.is === 'integer') return Number(value)
  if (type.is === 'time') return Date.parse(String(value))
  return type.is === 'list' ? (JSON.parse(String(value)) as string[]) : String(value)
}
