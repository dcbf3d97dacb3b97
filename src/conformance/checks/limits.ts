import { IMPORT_LIMITS } from '../../rules/import-limits.ts'
import type { Check } from '../../rules/rule.ts'

const MIB = 2 ** 20

const archivesOver = (size: number) =>
  `SELECT NULL AS kind, NULL AS url, NULL AS entry, NULL AS record, id AS archive,
     name || ' has ' || format('%.1f', size / 1073741824.0) || ' GiB' AS message
   FROM archives WHERE size > ${size}`

const filesOver = (size: number, which: string) =>
  `SELECT NULL AS kind, NULL AS url, path AS entry, NULL AS record, archive,
     'the file has ' || (size / ${MIB}) || ' MiB' AS message
   FROM files WHERE size > ${size} AND ${which}`

/** Size limits. */
export const limitChecks: readonly Check[] = [
  {
    code: 'archive-over-40gib',
    severity: 'error',
    summary: 'No importer accepts an archive above 40 GiB: split it, or export fewer repositories',
    evidence: 'documented',
    source: 'host documentation',
    run: (_, faults) => faults.addAll(archivesOver(IMPORT_LIMITS.archive)),
  },
  {
    code: 'archive-over-10gib',
    severity: { gei: 'warning', 'ghe-migrator': 'warning', strict: 'error' },
    summary: 'Until 2024 the limit of an archive was 10 GiB, and exports above 20 GiB often fail',
    evidence: 'documented',
    source: 'host documentation',
    run: (_, faults) => faults.addAll(archivesOver(IMPORT_LIMITS.archiveUntil2024)),
  },
  {
    code: 'archive-over-2gib',
    severity: { gei: 'note', 'ghe-migrator': 'warning', strict: 'error' },
    summary: 'Enterprise servers before 3.8 accept at most 2 GiB',
    evidence: 'documented',
    source: 'host documentation',
    run: (_, faults) => faults.addAll(archivesOver(IMPORT_LIMITS.archiveBefore38)),
  },
  {
    code: 'file-over-400mib',
    severity: 'error',
    summary: 'A file may have 400 MiB during a migration, and 100 MiB afterwards',
    evidence: 'documented',
    source: 'host documentation',
    run: (_, faults) => faults.addAll(filesOver(IMPORT_LIMITS.file, "role NOT IN ('git', 'lfs')")),
  },
  {
    code: 'pack-over-2gib',
    severity: 'warning',
    summary: 'Git data above 2 GiB cannot be pushed at once',
    evidence: 'documented',
    source: "users' reports of imports",
    run: (_, faults) => faults.addAll(filesOver(IMPORT_LIMITS.commit, "role = 'git'")),
  },
]
