import type { Check } from '../../rules/rule.ts'
import { PROBLEMS_WITH } from '../../rules/sql/record-select.ts'

const recordFilesWhere = (where: string, message: string) =>
  `SELECT kind, NULL AS url, path AS entry, NULL AS record, archive, ${message} AS message
   FROM record_files WHERE ${where}`

// Six digits after the kind; the number itself, for comparisons.
const NUMBERED = "path GLOB kind || '_[0-9][0-9][0-9][0-9][0-9][0-9].json'"
const NUMBER = 'CAST(substr(path, length(kind) + 2, 6) AS INTEGER)'

/** Record files: names, numbers and sizes. */
export const recordFileChecks: readonly Check[] = [
  {
    code: 'record-file-name',
    severity: 'warning',
    summary: 'An importer recognizes record files by the form of their names',
    evidence: { seenIn: '24 exports' },
    source: 'observed in real exports; some kept exports contain renamed copies',
    run: (_, faults) =>
      faults.addAll(
        recordFilesWhere(`NOT ${NUMBERED}`, "'expected a name such as ' || kind || '_000001.json'"),
      ),
  },
  {
    code: 'record-file-gap',
    severity: 'warning',
    summary: 'Record files are numbered from 000001; a gap means that a file is missing',
    evidence: { seenIn: '24 exports' },
    source: 'observed in real exports',
    run: (_, faults) =>
      faults.addAll(
        `SELECT kind, NULL AS url, path AS entry, NULL AS record,
           (step - 1) || ' missing before this one' AS message
         FROM (SELECT kind, path, number - lag(number, 1, 0)
             OVER (PARTITION BY archive, kind ORDER BY number) AS step
           FROM (SELECT *, ${NUMBER} AS number FROM record_files WHERE ${NUMBERED}))
         WHERE step > 1`,
      ),
  },
  {
    code: 'record-file-size',
    severity: { gei: 'note', 'ghe-migrator': 'note', strict: 'warning' },
    summary: 'GitHub writes at most 100 records per file; importers accepted more',
    evidence: { seenIn: '163 files' },
    source: 'observed in real exports and in archives that were imported',
    run: (_, faults) =>
      faults.addAll(recordFilesWhere('records > 100', "records || ' records; GitHub writes 100'")),
  },
  {
    code: 'record-file-empty',
    severity: 'note',
    summary: 'A kind without records has no file in real exports',
    evidence: { seenIn: '24 exports' },
    source: 'observed in real exports',
    run: (_, faults) => faults.addAll(recordFilesWhere('records = 0', "'no records'")),
  },
  {
    code: 'kind-unseen',
    severity: 'note',
    summary: 'No export of the host is known to have this kind, and its importer has no use for it',
    evidence: { seenIn: '24 exports' },
    source: 'observed in real exports; the comments are in backups through its interface',
    run: (_, faults) =>
      faults.addAll(recordFilesWhere("kind = 'discussion_comments'", "'comments on discussions'")),
  },
  {
    code: 'text-bom',
    severity: 'error',
    summary: 'A JSON parser may refuse a file that begins with a byte order mark',
    evidence: 'documented',
    source: 'RFC 8259',
    run: (_, faults) => faults.addAll(PROBLEMS_WITH, 'text-bom'),
  },
  {
    code: 'text-not-utf8',
    severity: 'error',
    summary: 'JSON is UTF-8; a parser refuses other bytes, or text is damaged',
    evidence: 'documented',
    source: 'RFC 8259',
    run: (_, faults) => faults.addAll(PROBLEMS_WITH, 'text-not-utf8'),
  },
]
