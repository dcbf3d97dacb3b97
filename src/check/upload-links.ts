import { findUploadLinks } from '../attachments/upload-links.ts'
import type { Check } from '../rules/rule.ts'

/** Links in texts to uploads. */
export const uploadLinkChecks: readonly Check[] = [
  {
    code: 'upload-link',
    severity: { gei: 'note', 'ghe-migrator': 'note', strict: 'warning' },
    summary: 'A link to an upload that the archive lacks keeps leading to the old host',
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
