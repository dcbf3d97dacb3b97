import { quoteText } from '../database/quote.ts'
import type { Check } from '../rules/rule.ts'
import { says, shown, words } from '../rules/sql/select-records.ts'

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

/** Uploads whose content is not what their records say. */
export const uploadContentChecks: readonly Check[] = [
  {
    code: 'file-empty',
    severity: 'warning',
    summary: 'A file without content was most likely lost on the way; a host takes no empty one',
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
    summary: 'A file of another size than its record tells was cut, or is another one',
    evidence: 'documented',
    source: 'records of other programs; those of the host tell no size',
    run: (_, faults) =>
      faults.addAll(
        uploadsWhere(
          'v.present AND v.record_size IS NOT NULL AND v.record_size <> v.size',
          says(
            words('the record tells '),
            'v.record_size',
            words(' bytes, the file has '),
            'v.size',
          ),
        ),
      ),
  },
  {
    code: 'file-type',
    severity: { gei: 'note', 'ghe-migrator': 'note', strict: 'warning' },
    summary:
      'A file that is not of the media type its record tells is shown wrongly, or not at all',
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
]
