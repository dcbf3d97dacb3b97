import type { Check } from '../rules/rule.ts'

const GB = 1_000_000_000
const MIB = 2 ** 20

const archivesOver = (size: number) =>
  `SELECT NULL AS kind, NULL AS url, NULL AS entry, NULL AS record,
     name || ' has ' || format('%.1f', size / 1e9) || ' GB' AS message
   FROM archives WHERE size > ${size}`

const filesOver = (size: number, which: string) =>
  `SELECT NULL AS kind, NULL AS url, path AS entry, NULL AS record,
     'the file has ' || (size / ${MIB}) || ' MiB' AS message
   FROM files WHERE size > ${size} AND ${which}`

/** Size limits. */
export const limitChecks: readonly Check[] = [
  {
    code: 'archive-over-40gb',
    severity: 'error',
    summary: 'No importer accepts an archive above 40 GB: split it, or export fewer repositories',
    evidence: 'documented',
    source: 'host documentation',
    run: (_, faults) => faults.addAll(archivesOver(40 * GB)),
  },
  {
    code: 'archive-over-10gb',
    severity: { gei: 'warning', 'ghe-migrator': 'warning', strict: 'error' },
    summary: 'Until 2024 the limit of an archive was 10 GB, and exports above 20 GB often fail',
    evidence: 'documented',
    source: 'host documentation',
    run: (_, faults) => faults.addAll(archivesOver(10 * GB)),
  },
  {
    code: 'archive-over-2gb',
    severity: { gei: 'note', 'ghe-migrator': 'warning', strict: 'error' },
    summary: 'Enterprise servers before 3.8 accept at most 2 GB',
    evidence: 'documented',
    source: 'host documentation',
    run: (_, faults) => faults.addAll(archivesOver(2 * GB)),
  },
  {
    code: 'file-over-400mib',
    severity: 'error',
    summary: 'A file may have 400 MiB during a migration, and 100 MiB afterwards',
    evidence: 'documented',
    source: 'host documentation',
    run: (_, faults) => faults.addAll(filesOver(400 * MIB, "role NOT IN ('git', 'lfs')")),
  },
  {
    code: 'pack-over-2gib',
    severity: 'warning',
    summary: 'Git data above 2 GiB cannot be pushed at once',
    evidence: 'documented',
    source: "users' reports of imports",
    run: (_, faults) => faults.addAll(filesOver(2048 * MIB, "role = 'git'")),
  },
]
