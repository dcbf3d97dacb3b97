import { inflateHeader } from '../../database/archive-layout.ts'
import type { Database } from '../../database/open-database.ts'
import { noteFinding, type Redaction } from './redact-records.ts'

/**
 * Takes the headers of entries out that name somebody: as the owner or group of a file, in the target of a link, or in a comment
 * of PAX. The entries get headers as the host writes them.
 */
export function redactHeaders(database: Database, redaction: Redaction): void {
  const { detect, findHints, removed, report } = redaction
  const hasValue = (header: Buffer): boolean => {
    const text = headerText(header)
    if (findHints?.(Buffer.from(text)).length === 0) return false
    const found = detect(text)
    for (const finding of found) {
      noteFinding(report, finding, { kind: 'files', member: 'header' }, () => ({
        entry: null,
        record: null,
      }))
      removed.add(finding, text)
    }
    return found.some(({ doubtful }) => !doubtful)
  }
  const templates = database
    .prepare<[], { id: number; bytes: unknown }>('SELECT id, bytes FROM tar_headers')
    .all()
  const withoutTemplate = database.prepare('UPDATE entries SET header = NULL WHERE header = ?')
  for (const { id, bytes } of templates) {
    if (!Buffer.isBuffer(bytes) || !hasValue(bytes)) continue
    withoutTemplate.run(id)
    database.prepare('DELETE FROM tar_headers WHERE id = ?').run(id)
  }
  const page = database.prepare<[number], { id: number; whole: unknown }>(
    `SELECT id, whole_header AS whole FROM entries WHERE id > ? AND whole_header IS NOT NULL ORDER BY id LIMIT ${PAGE}`,
  )
  const withoutWhole = database.prepare('UPDATE entries SET whole_header = NULL WHERE id = ?')
  for (let last = Number.MIN_SAFE_INTEGER; ; ) {
    const rows = page.all(last)
    for (const { id, whole } of rows) {
      const header = Buffer.isBuffer(whole) ? inflateHeader(whole) : undefined
      if (header && hasValue(header)) withoutWhole.run(id)
    }
    if (rows.length < PAGE) return
    last = rows.at(-1)?.id as number
  }
}

const PAGE = 500

const BLOCK = 512
/** Where a header has its name, the target of a link, the owner, the group, and the beginning of a long name. */
const FIELDS = [
  [0, 100],
  [157, 257],
  [265, 297],
  [297, 329],
  [345, 500],
] as const

/** The fields of headers and the lines of PAX as a text, each on a line. A field may also be a login, but for a path. */
function headerText(header: Buffer): string {
  const fields = header
    .toString()
    .split(/[\0\n]/)
    .map((line) => line.replace(/^\d{1,12} [\w.]{1,100}=/, ''))
  for (let at = 0; at < header.length; at += BLOCK) {
    for (const [start, end] of FIELDS) {
      const [field = ''] = header.toString('utf8', at + start, at + end).split('\0')
      fields.push(field)
    }
  }
  return fields
    .flatMap((field) => (field === '' || field.includes('/') ? [field] : [field, `@${field}`]))
    .join('\n')
}
