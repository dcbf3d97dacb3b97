import { findUploadLinks } from '../../attachments/upload-links.ts'
import { quoteText } from '../../database/quote.ts'
import type { KINDS } from '../../records/kinds/kinds.ts'
import { TAIL } from '../../rules/media-type.ts'
import { ATTACHMENT_TYPES } from '../../rules/requirements.ts'
import type { Check } from '../../rules/rule.ts'
import { recordsWhere, says, shown, words } from '../../rules/sql/record-select.ts'
import { UPLOADS } from '../../rules/sql/uploads.ts'

/** Members that name the record an attachment belongs to, and its table. */
const PARENTS = {
  issue: 'issues',
  issue_comment: 'issue_comments',
  pull_request: 'pull_requests',
  pull_request_review: 'pull_request_reviews',
  pull_request_review_comment: 'pull_request_review_comments',
  commit_comment: 'commit_comments',
} as const satisfies Partial<Record<keyof typeof KINDS.attachments.columns, keyof typeof KINDS>>

const parents = Object.entries(PARENTS)

const TABLES = {
  attachment: 'attachments',
  repository_file: 'repository_files',
  release_asset: 'releases',
}

const table = `CASE v.kind ${Object.entries(TABLES)
  .map(([kind, name]) => `WHEN ${quoteText(kind)} THEN ${quoteText(name)}`)
  .join(' ')} END`

const uploadsWhere = (where: string, message: string) =>
  `SELECT ${table} AS kind, v.url, v.path AS entry, NULL AS record, ${message} AS message
   FROM uploads AS v WHERE ${where}`

const HEAD = `(SELECT substr(bytes, 1, 512) FROM file_chunks JOIN chunks ON chunks.id = chunk
  WHERE file_chunks.file = v.file AND position = 0)`

/** The last bytes of a file: those of the last chunk, and of the one before if there are too few. */
const TAIL_OF_FILE = `(WITH "last" AS (SELECT position, bytes FROM file_chunks JOIN chunks ON chunks.id = chunk
    WHERE file_chunks.file = v.file ORDER BY position DESC LIMIT 2)
  SELECT CAST(group_concat(substr(bytes, -${TAIL}), '' ORDER BY position) AS BLOB) FROM "last")`

/** Uploads: where they are shown, their types and contents, and links to them. */
export const uploadChecks: readonly Check[] = [
  {
    code: 'attachment-not-shown',
    severity: 'warning',
    summary: 'An importer finds an attachment by its exact URL in the text of its issue or comment',
    evidence: { seenIn: '46 attachments' },
    source: 'observed in real exports; exporters keep both alike',
    run(_, faults) {
      for (const [member, table] of parents) {
        const where = `EXISTS (SELECT 1 FROM ${table} AS p WHERE p.url = o.${member}
          AND instr(coalesce(p.body, ''), o.url) = 0)`
        const message = says(words('its URL is not in the text of '), shown(`o.${member}`))
        faults.addAll(recordsWhere('attachments', where, message))
      }
    },
  },
  {
    code: 'media-type',
    severity: { gei: 'note', 'ghe-migrator': 'warning', strict: 'warning' },
    summary: 'Importers are known to accept certain media types only; compress other files',
    evidence: 'documented',
    source: 'exporters whose archives were imported; the host exports some more itself',
    run(_, faults) {
      const known = [...ATTACHMENT_TYPES].map((type) => `'${type}'`).join(', ')
      for (const { kind, type, elements } of UPLOADS) {
        const message = says(words('the media type is '), shown(type))
        faults.addAll(recordsWhere(kind, `${type} NOT IN (${known})`, message, elements))
      }
    },
  },
  {
    code: 'file-empty',
    severity: 'warning',
    summary: 'An empty file was probably lost on the way; GitHub accepts no empty uploads',
    evidence: { seenIn: '77 files' },
    source: 'observed in real exports, where no upload is empty',
    run: (_, faults) =>
      faults.addAll(`SELECT NULL AS kind, NULL AS url, path AS entry, NULL AS record,
          '0 bytes' AS message
        FROM files WHERE role IN ('attachment', 'repository-file', 'release-asset') AND size = 0`),
  },
  {
    code: 'file-size',
    severity: 'warning',
    summary: 'A file whose size differs from its record is truncated, or the wrong file',
    evidence: 'documented',
    source: 'records of other programs; those of the host have no size',
    run: (_, faults) =>
      faults.addAll(
        uploadsWhere(
          'v.present AND v.record_size IS NOT NULL AND v.record_size <> v.size',
          says(
            words('the record says '),
            'v.record_size',
            words(' bytes, the file has '),
            'v.size',
          ),
        ),
      ),
  },
  {
    code: 'file-truncated',
    severity: 'warning',
    summary:
      'A picture, PDF or ZIP archive without its end was cut off; of other files it is not known',
    evidence: 'documented',
    source: 'the formats: IEND of PNG, EOI of JPEG, %%EOF of PDF, end of central directory of ZIP',
    needs: 'uploads',
    run: (_, faults) =>
      faults.addAll(
        uploadsWhere(
          `v.stored AND v.size > 0 AND marc_is_cut_off(${HEAD}, ${TAIL_OF_FILE})`,
          "'the file ends after ' || v.size || ' bytes, without the mark of its end'",
        ),
      ),
  },
  {
    code: 'file-type',
    severity: { gei: 'note', 'ghe-migrator': 'note', strict: 'warning' },
    summary:
      'A file that does not have the media type of its record is shown wrongly, or not at all',
    evidence: 'documented',
    source: 'the signatures of the formats',
    needs: 'uploads',
    run: (_, faults) =>
      faults.addAll(
        uploadsWhere(
          `v.stored AND v.size > 0 AND marc_looks_like(v.media_type, ${HEAD}) IS NOT NULL`,
          says(
            words('the record says '),
            shown('v.media_type'),
            words(', the content looks like '),
            `marc_looks_like(v.media_type, ${HEAD})`,
          ),
        ),
      ),
  },
  {
    code: 'upload-link',
    severity: { gei: 'note', 'ghe-migrator': 'note', strict: 'warning' },
    summary: 'A link to an upload that is not in the archive still leads to the old host',
    evidence: { seenIn: '46 attachments' },
    source: 'the addresses of uploads in real exports',
    run(database, faults) {
      const isKnown = database
        .prepare<[string, string]>(
          `SELECT 1 FROM attachments WHERE url = ? UNION ALL SELECT 1 FROM repository_files WHERE url = ?`,
        )
        .pluck()
      faults.addEach(function* () {
        for (const { link, table, url, entry, record } of findUploadLinks(database)) {
          if (isKnown.get(link, link)) continue
          yield { kind: table, url, entry, record, message: `the text links to ${link}` }
        }
      })
    },
  },
]
