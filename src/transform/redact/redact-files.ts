import { readWholeFile } from '../../database/contents/read-file.ts'
import type { Database } from '../../database/open-database.ts'
import { removeOrphanedChunks, replaceContent } from '../replace-content.ts'
import type { Finding } from './finding.ts'
import type { RedactOptions } from './redact-options.ts'
import {
  MOST_PLACES,
  noteFinding,
  type Redaction,
  redactName,
  redactText,
} from './redact-records.ts'
import { stripMetadata } from './strip-metadata.ts'

/** Longer files are not looked into. */
export const LONGEST_FILE = 16 * 2 ** 20

/** 1 KiB. */
const DROPPED = Buffer.alloc(1024, ' ')
DROPPED.write('The content of this file was taken out before the archive was handed on.')
DROPPED.write('\n', 1023)

interface FileRow {
  id: number
  path: string
  role: string
  size: number
  stored: number
}

const PAGE = 500
const UPLOADS = `role NOT IN ('git')`

/** Takes values out of the names and contents of all files but Git data, and follows with the records that name them. */
export function redactFiles(
  database: Database,
  redaction: Redaction,
  { attachments = 'scan' }: RedactOptions,
): void {
  const { report, edited } = redaction
  const page = database.prepare<[number], FileRow>(
    `SELECT id, path, role, size, stored FROM files WHERE id > ? AND ${UPLOADS} ORDER BY id LIMIT ${PAGE}`,
  )
  for (let last = Number.MIN_SAFE_INTEGER; ; ) {
    const rows = page.all(last)
    for (const file of rows) {
      if (!file.stored && file.size > 0) report.files.missing++
      else if (attachments === 'drop') drop(database, file, redaction)
      else if (attachments === 'scan') scan(database, file, redaction)
    }
    if (rows.length < PAGE) break
    last = rows.at(-1)?.id as number
  }
  renameFiles(database, redaction)
  redactDocuments(database, redaction)
  if (report.files.changed + report.files.dropped === 0) return
  removeOrphanedChunks(database)
  // Their records followed.
  for (const table of ['attachments', 'repository_files']) edited.addAny(table)
}

function scan(database: Database, file: FileRow, redaction: Redaction): void {
  const { report } = redaction
  const content =
    file.size <= LONGEST_FILE ? Buffer.concat([...readWholeFile(database, file)]) : undefined
  const text = content && decode(content)
  let changed: Buffer | undefined
  if (text !== undefined) {
    const redacted = redactText(redaction.rename(text), redaction, noteIn(redaction, file.path))
    if (redacted !== text) changed = Buffer.from(redacted)
  } else {
    const stripped = content && stripMetadata(content)
    if (!stripped) {
      report.files.unread.count++
      if (report.files.unread.paths.length < MOST_PLACES) {
        report.files.unread.paths.push(redactName(file.path, redaction))
      }
    } else if (content && !stripped.equals(content)) changed = stripped
  }
  if (!changed) return
  replaceContent(database, file.id, changed)
  followSize(database, file.path, changed.length)
  report.files.changed++
}

function drop(database: Database, file: FileRow, { report }: Redaction): void {
  replaceContent(database, file.id, DROPPED)
  followSize(database, file.path, DROPPED.length)
  const url = `tarball://root/${file.path}`
  for (const [table, type, address] of [
    ['attachments', 'asset_content_type', 'asset_url'],
    ['repository_files', 'file_content_type', 'file_url'],
  ]) {
    database
      .prepare(
        `UPDATE ${table} SET ${type} = 'text/plain' WHERE ${address} = ? AND ${type} IS NOT NULL`,
      )
      .run(url)
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
      database
        .prepare(
          `UPDATE ${table} SET _extra = json_set(_extra, '$.${member}', ?)
           WHERE ${address} = ? AND json_valid(_extra) AND json_type(_extra, '$.${member}') = 'integer'`,
        )
        .run(size, `tarball://root/${path}`)
    }
  }
}

const noteIn = (redaction: Redaction, path: string) => (finding: Finding) =>
  noteFinding(redaction.report, finding, { kind: 'files', member: 'content' }, () => ({
    entry: redactName(path, redaction),
    record: null,
  }))

/** A text of UTF-8; undefined for any other content. */
export function decode(content: Uint8Array): string | undefined {
  if (content.includes(0)) return undefined
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(content)
  } catch {
    return undefined
  }
}

/** Gives files and entries names without values; records that name them were changed likewise. */
function renameFiles(database: Database, redaction: Redaction): void {
  const asNames: Redaction = { ...redaction, mode: 'pseudonym' }
  const update = database.prepare('UPDATE files SET path = ? WHERE path = ?')
  // A complete header has the old path in it.
  const updateEntry = database.prepare(
    'UPDATE entries SET path = ?, whole_header = NULL WHERE path = ?',
  )
  const paths = database
    .prepare<[], string>(
      `SELECT path FROM files WHERE ${UPLOADS} UNION
       SELECT path FROM entries WHERE role NOT IN ('git', 'records', 'schema', 'urls')`,
    )
    .pluck()
    .all()
  for (const path of paths) {
    const note = (finding: Finding) =>
      noteFinding(redaction.report, finding, { kind: 'files', member: 'path' }, () => ({
        ...{ entry: null, record: null },
      }))
    const now = redactText(path, asNames, note)
    if (now === path) continue
    update.run(now, path)
    updateEntry.run(now, path)
  }
}

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
