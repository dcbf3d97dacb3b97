import { deflateRawSync } from 'node:zlib'
import type { ArchiveEntry } from '../archive/entry.ts'
import type { EntryRole } from '../archive/entry-role.ts'
import type { Database } from './open-database.ts'

/** An entry that was read, as it is about to be noted. */
export interface LoadedEntry extends Omit<ArchiveEntry, 'content'> {
  role: EntryRole['role']
  /** In hex; of files and documents. */
  sha256?: string | undefined
}

/** Headers in common that are kept of one archive; tools make two to four. */
const MOST_TEMPLATES = 1000

/** Notes the entries of an archive in their order. */
export function openEntryStore(database: Database, archive: number): (entry: LoadedEntry) => void {
  const insert = database.prepare(
    `INSERT INTO entries (archive, path, role, size, sha256, mode, modified_at, header, whole_header)
     VALUES (${archive}, ?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  const findTemplate = database.prepare('SELECT id FROM tar_headers WHERE bytes = ?').pluck()
  const insertTemplate = database.prepare('INSERT INTO tar_headers (bytes) VALUES (?)')
  const known = new Map<string, number | bigint>()
  const templateId = (template: string | undefined): number | bigint | null => {
    if (template === undefined) return null
    const id = known.get(template)
    if (id !== undefined || known.size >= MOST_TEMPLATES) return id ?? null
    const bytes = Buffer.from(template, 'latin1')
    const found = findTemplate.get(bytes) as number | undefined
    const fresh = found ?? insertTemplate.run(bytes).lastInsertRowid
    known.set(template, fresh)
    return fresh
  }
  return ({ path, role, size, sha256, mode, modifiedAt, header }) => {
    insert.run(
      ...[path, role, size, sha256 === undefined ? null : Buffer.from(sha256, 'hex')],
      ...[mode, modifiedAt.toISOString(), templateId(header?.template)],
      header?.whole ? deflateRawSync(header.whole) : null,
    )
  }
}
