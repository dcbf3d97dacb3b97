import type { KINDS } from '../records/kinds/kinds.ts'
import { ATTACHMENT_TYPES } from '../rules/requirements.ts'
import type { Check } from '../rules/rule.ts'
import { recordsWhere, says, shown, words } from '../rules/sql/select-records.ts'
import { UPLOADS } from '../rules/sql/uploads.ts'

/** What an attachment can hang on, and the table of that. */
const PARENTS = {
  issue: 'issues',
  issue_comment: 'issue_comments',
  pull_request: 'pull_requests',
  pull_request_review: 'pull_request_reviews',
  pull_request_review_comment: 'pull_request_review_comments',
  commit_comment: 'commit_comments',
} as const satisfies Partial<Record<keyof typeof KINDS.attachments.columns, keyof typeof KINDS>>

const parents = Object.entries(PARENTS)

/** Attachments: what they hang on, and of what type they are. */
export const attachmentChecks: readonly Check[] = [
  {
    code: 'attachment-not-shown',
    severity: 'warning',
    summary: 'An importer finds an attachment by its url in the text it hangs on, to the letter',
    evidence: { seenIn: '46 attachments' },
    source: 'observed in real exports; exporters keep both alike',
    run(_, faults) {
      for (const [member, table] of parents) {
        const where = `EXISTS (SELECT 1 FROM ${table} AS p WHERE p.url = o.${member}
          AND instr(coalesce(p.body, ''), o.url) = 0)`
        const message = says(words('its url is not in the text of '), shown(`o.${member}`))
        faults.addAll(recordsWhere('attachments', where, message))
      }
    },
  },
  {
    code: 'media-type',
    severity: { gei: 'note', 'ghe-migrator': 'warning', strict: 'warning' },
    summary: 'Importers were seen to take certain media types only; gzip what they refuse',
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
]
