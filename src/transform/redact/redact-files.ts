import { ArchiveError } from '../../base/errors.ts'
import { nextTurn } from '../../base/next-turn.ts'
import { asBytes } from '../../base/streams.ts'
import { readWholeFile } from '../../database/contents/read-file.ts'
import { createChunkStore } from '../../database/contents/store-chunks.ts'
import { removeFiles } from '../../database/contents/store-file.ts'
import type { Database } from '../../database/open-database.ts'
import { prepareOnce } from '../../database/prepare-once.ts'
import { AUDIT_LOG_FILE } from '../../database/schema/audit-log.ts'
import { removeOrphanedChunks, replaceContent } from '../replace-content.ts'
import { type ContentRedaction, DROPPED, redactContent } from './files/redact-content.ts'
import { UnreadableError } from './files/unreadable-error.ts'
import type { Finding } from './finding.ts'
import { redactHeaders } from './redact-headers.ts'
import type { RedactOptions } from './redact-options.ts'
import {
  MOST_PLACES,
  noteFinding,
  type Redaction,
  redactName,
  redactText,
} from './redact-records.ts'

interface FileRow {
  id: number
  path: string
  role: string
  size: number
  stored: number
}

const PAGE = 500
/** Contents up to this size are read once, and held. */
const SMALL = 2 ** 20
const UPLOADS = `role NOT IN ('git')`

/** The ids of files whose contents are to be replaced. Throws `option-invalid` for a path that no file has. */
export function idsOfFiles(database: Database, paths: readonly string[]): Set<number> {
  const find = database
    .prepare<[string], number>(`SELECT id FROM files WHERE path = ? AND ${UPLOADS}`)
    .pluck()
  const ids = paths.flatMap((path) => {
    const found = find.all(path)
    if (found.length > 0) return found
    throw new ArchiveError('option-invalid', 'no file has this path', { entry: path }).about(path)
  })
  return new Set(ids)
}

/**
 * Takes values out of the contents of all files but Git data, and follows with the records that name them. Leaves out the audit
 * log, which is about nothing but who did what from where. Files and records have their new names already.
 */
export async function redactFiles(
  database: Database,
  redaction: Redaction,
  {
    attachments = 'scan',
    keepUnread = false,
    dropped,
    signal,
  }: RedactOptions & { dropped: ReadonlySet<number> },
): Promise<void> {
  const { report, edited } = redaction
  report.files.auditLog = removeFiles(database, 'path = ?', AUDIT_LOG_FILE) > 0
  const page = database.prepare<[number], FileRow>(
    `SELECT id, path, role, size, stored FROM files WHERE id > ? AND ${UPLOADS} ORDER BY id LIMIT ${PAGE}`,
  )
  const scan = createScan(database, redaction, keepUnread)
  for (let last = Number.MIN_SAFE_INTEGER; ; ) {
    const rows = page.all(last)
    for (const file of rows) {
      await nextTurn(signal)
      if (!file.stored && file.size > 0) report.files.missing++
      else if (attachments === 'drop' || dropped.has(file.id)) drop(database, file, redaction)
      else if (attachments === 'scan') await scan(file)
    }
    if (rows.length < PAGE) break
    last = rows.at(-1)?.id as number
  }
  redactHeaders(database, redaction)
  redactDocuments(database, redaction)
  removeOrphanedChunks(database)
  if (report.files.changed + report.files.dropped === 0) return
  // Their records followed.
  for (const table of ['attachments', 'repository_files']) edited.addAny(table)
}

/** Creates what takes values out of the content of a file, or leaves out the content if it is not read. */
function createScan(
  database: Database,
  redaction: Redaction,
  keepUnread: boolean,
): (file: FileRow) => Promise<void> {
  const { files } = redaction.report
  const store = createChunkStore(database)
  const unlink = database.prepare('DELETE FROM file_chunks WHERE file = ?')
  const update = database.prepare('UPDATE files SET size = ?, sha256 = ? WHERE id = ?')
  const noteUnread = (path: string, type: string) => {
    files.unread.count++
    files.unread.types[type] = (files.unread.types[type] ?? 0) + 1
    if (files.unread.paths.length < MOST_PLACES) {
      files.unread.paths.push(redactName(path, redaction))
    }
  }
  return async (file) => {
    const within: [path: string, type: string][] = []
    const work: ContentRedaction = {
      redaction,
      path: file.path,
      keepUnread,
      isChanged: false,
      noteUnread: (path, type) => within.push([path, type]),
    }
    const small = file.size <= SMALL ? [...readWholeFile(database, file)] : undefined
    const read = () => asBytes(small ?? readWholeFile(database, file))
    try {
      const { size, sha256, chunks } = await store.store(redactContent(read, work), true)
      for (const [path, type] of within) noteUnread(path, type)
      if (!work.isChanged) return
      unlink.run(file.id)
      store.link(file.id, chunks)
      update.run(size, sha256, file.id)
      followSize(database, file.path, size)
      files.changed++
    } catch (error) {
      if (!(error instanceof UnreadableError)) throw error
      noteUnread(file.path, error.type)
      if (!keepUnread) drop(database, file, redaction)
    }
  }
}

function drop(database: Database, file: FileRow, { report }: Redaction): void {
  replaceContent(database, file.id, DROPPED)
  followSize(database, file.path, DROPPED.length)
  const url = `tarball://root/${file.path}`
  for (const [table, type, address] of [
    ['attachments', 'asset_content_type', 'asset_url'],
    ['repository_files', 'file_content_type', 'file_url'],
  ]) {
    prepareOnce(
      database,
      `UPDATE ${table} SET ${type} = 'text/plain' WHERE ${address} = ? AND ${type} IS NOT NULL`,
    ).run(url)
  }
  report.files.dropped++
}

/** Other exporters write the size of a file into its record. */
function followSize(database: Database, path: string, size: number): void {
  for (const [table, address] of [
    ['attachments', 'asset_url'],
    ['repository_files', 'file_url'],
  ]) {
    for (const member of ['size', 'asset_size', 'file_size']) {
      prepareOnce(
        database,
        `UPDATE ${table} SET _extra = json_set(_extra, '$.${member}', ?)
         WHERE ${address} = ? AND json_valid(_extra) AND json_type(_extra, '$.${member}') = 'integer'`,
      ).run(size, `tarball://root/${path}`)
    }
  }
}

const noteIn = (redaction: Redaction, path: string) => (finding: Finding) =>
  noteFinding(redaction.report, finding, { kind: 'files', member: 'content' }, () => ({
    entry: redactName(path, redaction),
    record: null,
  }))

/** schema.json and urls.json. */
function redactDocuments(database: Database, redaction: Redaction): void {
  const rows = database
    .prepare<[], { id: number; schema: string | null; urls: string | null }>(
      'SELECT id, "schema", urls FROM archives',
    )
    .all()
  for (const row of rows) {
    for (const member of ['schema', 'urls'] as const) {
      const text = row[member]
      if (text === null) continue
      const now = redactText(text, redaction, noteIn(redaction, `${member}.json`))
      if (now !== text) {
        database.prepare(`UPDATE archives SET "${member}" = ? WHERE id = ?`).run(now, row.id)
      }
    }
  }
}
