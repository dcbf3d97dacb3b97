import { deflateRawSync, inflateRawSync } from 'node:zlib'
import type { ArchiveEntry, ArchiveForm, EntryHeader } from '../archive/entry.ts'
import type { EntryRole } from '../archive/entry-role.ts'
import { renameHeader } from '../archive/tar/rename-header.ts'
import { checkEntry } from './contents/check-file.ts'
import type { Database } from './open-database.ts'
import { insertedId, readPages } from './read-pages.ts'

/** The layout of the only archive of a database, which a build reproduces. */
export interface ArchiveLayout extends Pick<ArchiveForm, 'length' | 'end'> {
  archive: number
  prefix: './' | ''
  /** Whether directories have entries. */
  directories: boolean
}

/** An entry as loaded. */
export interface LaidEntry {
  path: string
  role: string
  size: number
  mode: number
  modifiedAt: string
  header: EntryHeader
}

/** The layout of the loaded archive; undefined for several archives, or a folder. */
export function findLayout(database: Database): ArchiveLayout | undefined {
  const rows = database
    .prepare<[], { id: number; form: string }>('SELECT id, form FROM archives LIMIT 2')
    .all()
  const [row] = rows
  if (row === undefined || rows.length > 1) return undefined
  const form = parseForm(row.form)
  if (form.container !== 'gzip' && form.container !== 'tar') return undefined
  const { prefix, directories = false, length, end } = form
  const sizes = isSize(length) && isSize(end) ? { length, end } : {}
  return { archive: row.id, prefix: prefix === '' ? '' : './', directories, ...sizes }
}

const isSize = (value: unknown): value is number =>
  Number.isSafeInteger(value) && Number(value) >= 0

/** SQL may have stored anything. */
function parseForm(text: string): ArchiveForm {
  try {
    return Object(JSON.parse(text))
  } catch {
    return {}
  }
}

const PAGE = 500
/** Bytes of an inflated header, at most: a load stores no more. */
const MOST_HEADER = 64 * 1024

type EntryRow = Omit<LaidEntry, 'header'> & Record<'template' | 'whole', unknown>

const COLUMNS = `e.path, e.role, e.size, e.mode, e.modified_at AS modifiedAt,
  h.bytes AS template, e.whole_header AS whole`

// A record file may be gone, and another file may have its path.
const WITHOUT_RECORDS = `AND (e.role <> 'records' OR e.path IN (SELECT path FROM files))`

/**
 * The entries of an archive in order, only the last of several with one path; without `records`, those of record files are
 * left out. No statement stays open. Throws as `checkFile` does.
 */
export function* listEntries(
  database: Database,
  archive: number,
  { records }: { records: boolean },
): Generator<LaidEntry> {
  const pages = readPages<EntryRow>(database, {
    columns: COLUMNS,
    from: 'entries AS e LEFT JOIN tar_headers AS h ON h.id = e.header',
    where: `e.archive = ${archive}
      AND e.id = (SELECT max(id) FROM entries WHERE path = e.path AND archive = ${archive})
      ${records ? '' : WITHOUT_RECORDS}`,
    key: 'e.id',
    size: PAGE,
  })
  for (const rows of pages) for (const row of rows) yield toEntry(row)
}

function toEntry({
  position,
  template,
  whole,
  mode,
  ...row
}: EntryRow & { position: bigint }): LaidEntry {
  checkEntry(row)
  const header: EntryHeader = {
    template: Buffer.isBuffer(template) ? template.toString('latin1', 0, 512) : undefined,
    whole: Buffer.isBuffer(whole) ? inflateHeader(whole) : undefined,
  }
  return { ...row, mode: usableMode(mode), header }
}

/** A complete header as `entries` has it; undefined if it is damaged. */
export function inflateHeader(bytes: Buffer): Buffer | undefined {
  try {
    return inflateRawSync(bytes, { maxOutputLength: MOST_HEADER })
  } catch {
    return undefined
  }
}

/** A complete header with another name, compressed as in `entries`; undefined if it is not understood. */
export function renameStoredHeader(
  stored: Buffer,
  rename: (name: string) => string,
): Buffer | undefined {
  const header = inflateHeader(stored)
  const renamed = header && renameHeader(header, rename)
  return renamed && deflateRawSync(renamed, DEFLATE)
}

/** The permissions if they fit a tar header, or 0644: SQL may have stored anything. */
export const usableMode = (mode: unknown): number =>
  Number.isInteger(mode) && Number(mode) >= 0 && Number(mode) < 8 ** 7 ? Number(mode) : 0o644

/** The most common header template of an archive, of directories or of other entries. */
export function commonTemplate(
  database: Database,
  archive: number,
  { directory }: { directory: boolean },
): EntryHeader {
  const bytes = database
    .prepare<[], unknown>(
      `SELECT h.bytes FROM entries AS e JOIN tar_headers AS h ON h.id = e.header
       WHERE archive = ${archive} AND role ${directory ? '=' : '<>'} 'directory'
       GROUP BY header ORDER BY count(*) DESC LIMIT 1`,
    )
    .pluck()
    .get()
  return Buffer.isBuffer(bytes) ? { template: bytes.toString('latin1', 0, 512) } : {}
}

/** An entry to store. */
export interface LoadedEntry extends Omit<ArchiveEntry, 'content'> {
  role: EntryRole['role']
  /** In hex, for files and documents. */
  sha256?: string | undefined
}

/** Header templates stored per archive, at most; tools produce two to four. */
const MOST_TEMPLATES = 1000

/** A header is a kilobyte or two; by default zlib allocates 270 KB for each, and 16 KB for its output. */
const DEFLATE = { windowBits: 12, memLevel: 5, chunkSize: 1024 }

/** Stores the entries of an archive in order. */
export function createEntryStore(
  database: Database,
  archive: number,
): (entry: LoadedEntry) => void {
  const insert = database.prepare(
    `INSERT INTO entries (archive, path, role, size, sha256, mode, modified_at, header, whole_header)
     VALUES (${archive}, ?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  const findTemplate = database.prepare('SELECT id FROM tar_headers WHERE bytes = ?').pluck()
  const insertTemplate = database.prepare('INSERT INTO tar_headers (bytes) VALUES (?)')
  const known = new Map<string, number>()
  const templateId = (template: string | undefined): number | null => {
    if (template === undefined) return null
    const id = known.get(template)
    if (id !== undefined || known.size >= MOST_TEMPLATES) return id ?? null
    const bytes = Buffer.from(template, 'latin1')
    const found = findTemplate.get(bytes) as number | undefined
    const fresh = found ?? insertedId(insertTemplate.run(bytes))
    known.set(template, fresh)
    return fresh
  }
  return ({ path, role, size, sha256, mode, modifiedAt, header }) => {
    insert.run(
      path,
      role,
      size,
      sha256 === undefined ? null : Buffer.from(sha256, 'hex'),
      mode,
      modifiedAt.toISOString(),
      templateId(header?.template),
      header?.whole ? deflateRawSync(header.whole, DEFLATE) : null,
    )
  }
}
