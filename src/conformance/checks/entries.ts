import type { Check } from '../../rules/rule.ts'
import { PROBLEMS_WITH } from '../../rules/sql/record-select.ts'

const entriesWhere = (where: string, message: string) =>
  `SELECT NULL AS kind, NULL AS url, path AS entry, NULL AS record, archive, ${message} AS message FROM (
     SELECT path, archive FROM files UNION ALL SELECT path, archive FROM record_files) WHERE ${where}`

/** Entries of the tar: types, names and unknown files. */
export const entryChecks: readonly Check[] = [
  {
    code: 'entry-type',
    severity: 'error',
    summary: 'Links, devices and sparse files are skipped, so the files they replace are missing',
    evidence: 'documented',
    source: 'readers that refuse links; exporters, which turn them into files',
    run: (_, faults) => faults.addAll(PROBLEMS_WITH, 'entry-type'),
  },
  {
    code: 'entry-repeated',
    severity: 'error',
    summary: 'An importer keeps only one of several entries with the same path',
    evidence: 'documented',
    source: 'the tar format; observed in real exports, where each path occurs once',
    run: (_, faults) => faults.addAll(PROBLEMS_WITH, 'entry-repeated'),
  },
  {
    code: 'entry-unknown',
    severity: 'warning',
    summary: 'An importer ignores files whose purpose it does not know',
    evidence: { seenIn: '24 exports' },
    source: 'observed in real exports',
    run: (_, faults) =>
      faults.addAll(entriesWhere(UNKNOWN, "'the purpose of this file is unknown'")),
  },
  {
    code: 'name-truncated',
    severity: 'error',
    summary: 'A name cut off at 100 bytes no longer matches the records that refer to it',
    evidence: 'documented',
    source: 'exporters whose long names were cut off',
    run: (_, faults) =>
      faults.addAll(
        entriesWhere(TRUNCATED, "'the name is cut off after ' || length(path) || ' characters'"),
      ),
  },
  {
    code: 'git-lfs',
    severity: 'note',
    summary: 'Git LFS files are not migrated with an archive; push them afterwards',
    evidence: 'documented',
    source: 'host documentation',
    run: (_, faults) =>
      faults.addAll(
        `SELECT NULL AS kind, NULL AS url, min(path) AS entry, NULL AS record,
           'Git LFS: ' || count(*) || iif(count(*) = 1, ' file', ' files') AS message
         FROM files WHERE role = 'lfs' GROUP BY archive`,
      ),
  },
]

const UNKNOWN = "path IN (SELECT path FROM files WHERE role = 'unknown')"

// Exporters that cut names off end them with three dots.
const TRUNCATED = `archive IN (SELECT id FROM archives WHERE form ->> 'dialect' IN ('ustar', 'v7'))
  AND path GLOB '*...'`
